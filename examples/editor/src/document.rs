//! [`Document`]: a world and its history.

use std::path::{Path as FilePath, PathBuf};

use archive::path::Path;
use archive::reflect::{self, Content, Edit, Factory};
use archive::{Error, Format, Options, Result};
use skirmish::file::FileError;
use skirmish::{Component, World, options};

use crate::command::{self, Command};
use crate::table;

/// A world that is edited.
pub struct Document {
    /// The world.
    pub world: World,
    file: PathBuf,
    format: Format,
    options: Options<'static>,
    undo: Vec<Edit>,
    redo: Vec<Edit>,
    /// The place of a slider that is being dragged.
    dragged: Option<Path>,
    /// Whether there are changes since the world was loaded or saved.
    pub changed: bool,
}

impl Document {
    /// Loads a world from a file in any format.
    ///
    /// # Errors
    /// Those of the file.
    pub fn open(file: &FilePath) -> std::result::Result<Self, FileError> {
        let (format, world) = skirmish::file::read(file, None)?;
        Ok(Document {
            world,
            file: file.to_owned(),
            format,
            options: options(),
            undo: Vec::new(),
            redo: Vec::new(),
            dragged: None,
            changed: false,
        })
    }

    /// Returns the file that the world is from.
    pub fn file(&self) -> &FilePath {
        &self.file
    }

    /// Returns the options with which worlds are visited.
    pub fn options(&self) -> &Options<'static> {
        &self.options
    }

    /// Runs a command line, and returns its output.
    ///
    /// # Errors
    /// Those of the command. The world is then unchanged.
    pub fn run(&mut self, line: &str) -> Result<String> {
        match command::parse(line)? {
            Command::Help => Ok(command::HELP.to_owned()),
            Command::List(path) => table::print(self, &path),
            Command::Get(path) => Ok(self.get(&path)?),
            Command::Set(path, text) => self.apply(Edit::new().set(path, value(&text)?)),
            Command::Insert(path, text) => self.apply(Edit::new().insert(path, value(&text)?)),
            Command::Create(path, file) => {
                let content = self.create(&file)?;
                self.apply(Edit::new().insert(path, content))
            }
            Command::Remove(path) => self.apply(Edit::new().remove(path)),
            Command::Move(path, index) => self.apply(Edit::new().move_to(path, index)),
            Command::Variant(path, name) => self.apply(Edit::new().variant(path, name)),
            Command::Attach(path, from) => self.apply(Edit::new().attach(path, from)),
            Command::Undo => self.step(true),
            Command::Redo => self.step(false),
            Command::Holders(path) => self.holders(&path),
            Command::Complete(text) => {
                Ok(reflect::complete(&self.world, &text, &self.options)?.join("\n"))
            }
            Command::Hash => Ok(format!("{:016x}", reflect::hash(&self.world, &self.options)?)),
            Command::Save(file) => self.save(file),
        }
    }

    /// Makes an edit, which can be undone.
    ///
    /// # Errors
    /// Those of the edit. The world is then unchanged.
    pub fn apply(&mut self, edit: Edit) -> Result<String> {
        let undo = reflect::apply(&mut self.world, &edit, &self.options)?;
        self.undo.push(undo);
        self.redo.clear();
        self.dragged = None;
        self.changed = true;
        Ok(String::new())
    }

    /// Sets a place to the next position of its slider. One undo step covers all positions.
    ///
    /// # Errors
    /// Those of the edit. The world is then unchanged.
    pub fn drag(&mut self, path: &Path, content: Content) -> Result {
        let is_next = self.dragged.as_ref() == Some(path);
        self.apply(Edit::new().set(path.clone(), content))?;
        if is_next && let Some(last) = self.undo.pop() {
            let all = self.undo.pop().unwrap_or_default();
            self.undo.push(last.then(all));
        }
        self.dragged = Some(path.clone());
        Ok(())
    }

    /// Undoes the last edit, or redoes it.
    fn step(&mut self, back: bool) -> Result<String> {
        let (from, to, nothing) = match back {
            true => (&mut self.undo, &mut self.redo, "there is nothing to undo"),
            false => (&mut self.redo, &mut self.undo, "there is nothing to redo"),
        };
        self.dragged = None;
        let edit = from.pop().ok_or_else(|| Error::custom(nothing))?;
        to.push(reflect::apply(&mut self.world, &edit, &self.options)?);
        self.changed = true;
        Ok(String::new())
    }

    fn get(&self, path: &Path) -> Result<String> {
        let value = reflect::get(&self.world, path, &self.options)?;
        archive::json::to_string_with(&value, &Options::new().pretty(true))
    }

    /// Returns the object that a data file describes: a component, or a plain tree such as that of a
    /// unit.
    fn create(&self, file: &str) -> Result<Content> {
        let name = FilePath::new(file);
        let folder = name.parent().unwrap_or(FilePath::new("."));
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        let factory = Factory::<dyn Component>::new(&self.options).folder(folder);
        Ok(Content::from(factory.read(&name)?))
    }

    fn holders(&self, path: &Path) -> Result<String> {
        let mut found = None;
        // The game shares the targets of pointers to units and squads.
        for (place, unit) in self.world.units.iter().enumerate() {
            if *path == Path::parse(&format!("units[{place}]"))? {
                found = Some(reflect::holders(&self.world, unit, &self.options)?);
            }
        }
        for (place, squad) in self.world.squads.iter().enumerate() {
            if *path == Path::parse(&format!("squads[{place}]"))? {
                found = Some(reflect::holders(&self.world, squad, &self.options)?);
            }
        }
        let found = found.ok_or_else(|| Error::custom("only units and squads have holders"))?;
        let shown = found.iter().map(|one| match one.is_weak {
            true => format!("{} (weak)", one.path),
            false => one.path.to_string(),
        });
        Ok(shown.collect::<Vec<_>>().join("\n"))
    }

    fn save(&mut self, file: Option<String>) -> Result<String> {
        let (file, format) = match file {
            Some(file) => (PathBuf::from(file), None),
            None => (self.file.clone(), Some(self.format)),
        };
        let written = skirmish::file::write(&file, &self.world, format);
        let (format, size) = written.map_err(Error::custom)?;
        self.changed = false;
        Ok(format!("saved {size} bytes as {} to {}", format.name(), file.display()))
    }
}

/// Parses a typed value: JSON, or a text without quotes.
fn value(text: &str) -> Result<Content> {
    let is_word = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ' '));
    match archive::json::from_str::<archive::Value>(text) {
        Ok(value) => Ok(Content::from(value)),
        Err(_) if is_word => Ok(Content::from(text)),
        Err(error) => Err(error),
    }
}
