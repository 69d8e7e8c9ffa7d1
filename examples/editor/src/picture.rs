//! The screen of the terminal program, as SVG.

use std::fmt::Write as _;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

use crate::app::App;
use crate::view;

const COLUMNS: u16 = 104;
const ROWS: u16 = 30;
/// The size of a character, in pixels.
const WIDTH: u32 = 8;
const HEIGHT: u32 = 18;

/// Returns the picture.
pub fn svg(app: &mut App) -> String {
    let mut terminal = match Terminal::new(TestBackend::new(COLUMNS, ROWS)) {
        Ok(terminal) => terminal,
        Err(never) => match never {},
    };
    match terminal.draw(|frame| view::draw(app, frame)) {
        Ok(_) => {}
        Err(never) => match never {},
    }
    let (width, height) = (u32::from(COLUMNS) * WIDTH, u32::from(ROWS) * HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#1d1f21\"/>\n"
    );
    let cells = terminal.backend().buffer().content();
    for (row, cells) in cells.chunks(COLUMNS.into()).enumerate() {
        let mut column = 0;
        for run in cells.chunk_by(|one, other| colours(one) == colours(other)) {
            let text: String = run.iter().map(Cell::symbol).collect();
            draw_run(&mut svg, &text, (column, row as u32), colours(&run[0]));
            column += run.len() as u32;
        }
    }
    svg + "</svg>\n"
}

fn draw_run(svg: &mut String, text: &str, (column, row): (u32, u32), (front, back): Colours) {
    let (x, y) = (column * WIDTH, row * HEIGHT);
    let width = text.chars().count() as u32 * WIDTH;
    if back != BACKGROUND {
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{HEIGHT}\" fill=\"{back}\"/>"
        );
    }
    if !text.trim().is_empty() {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let y = y + HEIGHT - 5;
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" textLength=\"{width}\" fill=\"{front}\" \
             xml:space=\"preserve\">{text}</text>"
        );
    }
}

const BACKGROUND: &str = "#1d1f21";
const TEXT: &str = "#c5c8c6";

type Colours = (&'static str, &'static str);

/// Returns the colours of a character and of its background.
fn colours(cell: &Cell) -> Colours {
    let front = match cell.fg {
        Color::DarkGray => "#969896",
        Color::Cyan => "#8abeb7",
        Color::Yellow => "#f0c674",
        _ => TEXT,
    };
    match cell.modifier.contains(Modifier::REVERSED) {
        true => (BACKGROUND, front),
        false => (front, BACKGROUND),
    }
}
