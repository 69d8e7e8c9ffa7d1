//! The screen of the terminal program.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Row, Table, TableState, Wrap};

use crate::app::App;

/// Draws everything.
pub fn draw(app: &App, frame: &mut Frame<'_>) {
    let rows = [Constraint::Min(5), Constraint::Length(6), Constraint::Length(1)];
    let [table, details, bottom] = Layout::vertical(rows).areas(frame.area());
    let mut state = TableState::default().with_selected(Some(app.selected));
    frame.render_stateful_widget(properties(app), table, &mut state);
    frame.render_widget(about(app), details);
    frame.render_widget(prompt(app), bottom);
}

fn properties(app: &App) -> Table<'_> {
    let changed = if app.document.changed { " *" } else { "" };
    let title = match app.path.is_empty() {
        true => format!(" {}{changed} ", app.document.file().display()),
        false => format!(" {}{changed} ", app.path),
    };
    let rows = app.lines.iter().map(|line| {
        let mark = if line.opens { "▸" } else { " " };
        Row::new([
            Line::from(format!("{mark} {}", line.name)),
            Line::styled(line.kind.as_str(), Color::DarkGray),
            Line::styled(line.value.as_str(), Color::Cyan),
            Line::styled(line.range.as_str(), Color::Yellow),
            Line::styled(line.unit, Color::Yellow),
            Line::styled(line.offset.as_str(), Color::DarkGray).right_aligned(),
        ])
    });
    let widths = [
        Constraint::Fill(3),
        Constraint::Fill(4),
        Constraint::Fill(5),
        Constraint::Length(10),
        Constraint::Length(8),
        Constraint::Length(6),
    ];
    let head = Row::new(["  member", "type", "value", "range", "unit", "offset"]);
    Table::new(rows, widths)
        .header(head.style(Style::new().add_modifier(Modifier::BOLD)))
        .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED))
        .block(Block::bordered().title(title))
}

/// Details of the selected row, or the output of the last command.
fn about(app: &App) -> Paragraph<'_> {
    let text = match (app.message.is_empty(), app.line()) {
        (true, Some(line)) => {
            let path = line.path.to_string();
            let mut lines = vec![
                Line::styled(path, Style::new().add_modifier(Modifier::BOLD)),
                Line::from(line.doc),
            ];
            lines.extend(line.text.iter().map(|text| Line::styled(text.as_str(), Color::Cyan)));
            lines
        }
        _ => app.message.lines().map(Line::from).collect(),
    };
    Paragraph::new(text).wrap(Wrap { trim: false }).block(Block::bordered())
}

fn prompt(app: &App) -> Line<'_> {
    match &app.input {
        Some(input) => Line::from(vec![":".into(), input.as_str().into(), "█".into()]),
        None => {
            let keys = [
                ("↑↓", "select"),
                ("→←", "open, close"),
                ("e", "edit"),
                ("+ -", "drag"),
                ("u r", "undo, redo"),
                (":", "command"),
                ("s", "save"),
                ("q", "leave"),
            ];
            let spans = keys.into_iter().flat_map(|(key, what)| {
                let key = Span::styled(format!(" {key} "), Modifier::REVERSED);
                [key, Span::from(format!(" {what}  "))]
            });
            Line::from_iter(spans)
        }
    }
}
