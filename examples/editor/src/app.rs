//! [`App`]: the state of the terminal program.

use archive::path::Path;
use archive::reflect::Content;
use archive::{Result, reflect};
use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use crate::document::Document;
use crate::table::{self, Line};

/// The state of the terminal program.
pub struct App {
    /// The world.
    pub document: Document,
    /// The part that is shown.
    pub path: Path,
    /// Its property table.
    pub lines: Vec<Line>,
    /// The row that is selected.
    pub selected: usize,
    /// The command line.
    pub input: Option<String>,
    /// The output of the last command.
    pub message: String,
    /// Whether the next quit key quits, even with unsaved changes.
    leaving: bool,
}

impl App {
    /// Shows the whole world.
    pub fn new(document: Document) -> Self {
        let mut app = App {
            document,
            path: Path::new(),
            lines: Vec::new(),
            selected: 0,
            input: None,
            message: String::new(),
            leaving: false,
        };
        app.refresh();
        app
    }

    /// Shows a part.
    ///
    /// # Errors
    /// Those of the path.
    pub fn open(&mut self, path: &str) -> Result {
        self.go(Path::parse(path)?)
    }

    fn go(&mut self, path: Path) -> Result {
        self.lines = table::lines(&self.document, &path)?;
        (self.path, self.selected) = (path, 0);
        Ok(())
    }

    /// Reads the table again. If the part no longer exists, shows its container.
    fn refresh(&mut self) {
        loop {
            match table::lines(&self.document, &self.path) {
                Ok(lines) => {
                    self.selected = self.selected.min(lines.len().saturating_sub(1));
                    self.lines = lines;
                    return;
                }
                Err(error) if self.path.pop().is_none() => {
                    (self.lines, self.message) = (Vec::new(), error.to_string());
                    return;
                }
                Err(_) => {}
            }
        }
    }

    /// Returns the row that is selected.
    pub fn line(&self) -> Option<&Line> {
        self.lines.get(self.selected)
    }

    /// Handles a key. Returns whether the user quits.
    pub fn key(&mut self, key: KeyCode, modifiers: KeyModifiers) -> bool {
        if modifiers.contains(KeyModifiers::CONTROL) && key == KeyCode::Char('c') {
            return true;
        }
        match self.input.take() {
            Some(input) => self.type_key(input, key),
            None => return self.command_key(key),
        }
        false
    }

    fn command_key(&mut self, key: KeyCode) -> bool {
        let leaving = std::mem::take(&mut self.leaving);
        let last = self.lines.len().saturating_sub(1);
        match key {
            KeyCode::Up => self.selected = self.selected.saturating_sub(1),
            KeyCode::Down => self.selected = (self.selected + 1).min(last),
            KeyCode::PageUp => self.selected = self.selected.saturating_sub(10),
            KeyCode::PageDown => self.selected = (self.selected + 10).min(last),
            KeyCode::Home => self.selected = 0,
            KeyCode::End => self.selected = last,
            KeyCode::Right | KeyCode::Enter => self.enter(),
            KeyCode::Left | KeyCode::Backspace => self.leave(),
            KeyCode::Char('+') => self.drag(1.0),
            KeyCode::Char('-') => self.drag(-1.0),
            KeyCode::Char('e') => self.input = self.set_command(),
            KeyCode::Char(':') => self.input = Some(String::new()),
            KeyCode::Char('u') => self.run("undo"),
            KeyCode::Char('r') => self.run("redo"),
            KeyCode::Char('s') => self.run("save"),
            KeyCode::Char('?') => self.run("help"),
            KeyCode::Char('q') | KeyCode::Esc if self.document.changed && !leaving => {
                self.leaving = true;
                self.message = "there are changes: s saves them, q leaves without them".into();
            }
            KeyCode::Char('q') | KeyCode::Esc => return true,
            _ => {}
        }
        false
    }

    fn type_key(&mut self, mut input: String, key: KeyCode) {
        match key {
            KeyCode::Esc => return,
            KeyCode::Enter => return self.run(&input),
            KeyCode::Backspace => {
                input.pop();
            }
            KeyCode::Tab => self.complete(&mut input),
            KeyCode::Char(c) => input.push(c),
            _ => {}
        }
        self.input = Some(input);
    }

    fn enter(&mut self) {
        let path = self.line().filter(|line| line.opens).map(|line| line.path.clone());
        if let Some(path) = path
            && let Err(error) = self.go(path)
        {
            self.message = error.to_string();
        }
    }

    fn leave(&mut self) {
        let from = self.path.clone();
        if self.path.pop().is_some() {
            self.refresh();
            let is_from = |line: &Line| line.path.starts_with(from.steps());
            self.selected = self.lines.iter().position(is_from).unwrap_or(0);
        }
    }

    fn run(&mut self, command: &str) {
        self.message = match self.document.run(command) {
            Ok(answer) => answer,
            Err(error) => format!("error: {error}"),
        };
        self.refresh();
    }

    /// Moves the slider of the selected number by a step.
    fn drag(&mut self, steps: f64) {
        let Some(line) = self.line() else { return };
        let (path, step) = (line.path.clone(), steps * line.step);
        let Some(numbers) = line.numbers else { return };
        let value = reflect::get_as::<f64>(&self.document.world, &path, self.document.options());
        let content = value.map(|value| match numbers.is_integer {
            true => Content::from((value + step).round() as i64),
            false => Content::from(value + step),
        });
        let done = content.and_then(|content| self.document.drag(&path, content));
        self.message = done.map_or_else(|error| format!("error: {error}"), |()| String::new());
        self.refresh();
    }

    /// Returns the command that changes the selected row, with its value.
    fn set_command(&self) -> Option<String> {
        let path = &self.line()?.path;
        let value = reflect::get(&self.document.world, path, self.document.options()).ok()?;
        Some(format!("set {path} {value}"))
    }

    /// Completes the last path on the command line, as far as it is unambiguous.
    fn complete(&mut self, input: &mut String) {
        let start = input.rfind(' ').map_or(0, |space| space + 1);
        let found =
            reflect::complete(&self.document.world, &input[start..], self.document.options());
        let Ok(found) = found else { return };
        let mut paths = found.iter();
        let Some(first) = paths.next() else { return };
        let common = paths.fold(first.as_str(), |common, path| {
            let same = common.chars().zip(path.chars()).take_while(|(a, b)| a == b);
            &common[..same.map(|(c, _)| c.len_utf8()).sum()]
        });
        input.replace_range(start.., common);
        if found.len() > 1 {
            self.message = found.join("  ");
        }
    }
}
