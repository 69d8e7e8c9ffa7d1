//! The answer of a question: a table, CSV or JSON.

use std::path::Path;

use archive::value::Number;
use archive::{Result, Value, json};
use rusqlite::Statement;
use rusqlite::types::ValueRef;

use crate::args::Query;
use crate::output::Output;
use crate::tables::csv;
use crate::tables::flat::Cell;
use crate::tables::names::Names;
use crate::tables::sqlite::failed;
use crate::terminal::safe;

/// The number of rows that determine the widths of the columns.
const FIRST: usize = 1000;

/// Runs the question, and prints its rows.
///
/// # Errors
/// Those of SQLite and of the output.
pub fn print(answer: &mut Statement<'_>, args: &Query) -> Result {
    let mut names = Names::default();
    let columns: Vec<String> = answer.column_names().map(|name| names.unique(name)).collect();
    let mut out = Output::create(Path::new("-"))?;
    let mut printer: Box<dyn Printer> = match (args.csv, args.json) {
        (true, _) => Box::new(Lines),
        (_, true) => Box::new(Objects { columns: columns.clone(), count: 0 }),
        _ => Box::new(Aligned { first: Vec::new(), widths: None, columns: columns.clone() }),
    };
    printer.begin(&columns, &mut out)?;
    let mut rows = answer.query([]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let cells: Vec<Cell<'_>> = (0..columns.len())
            .map(|at| row.get_ref(at).map(cell))
            .collect::<Result<_, _>>()
            .map_err(failed)?;
        printer.row(&cells, &mut out)?;
    }
    printer.end(&mut out)?;
    out.finish()
}

fn cell(value: ValueRef<'_>) -> Cell<'_> {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(value) => Cell::Number(Number::Int(value.into())),
        ValueRef::Real(value) => Cell::Number(Number::F64(value)),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes),
    }
}

/// Prints rows.
trait Printer {
    fn begin(&mut self, columns: &[String], out: &mut Output) -> Result;
    fn row(&mut self, cells: &[Cell<'_>], out: &mut Output) -> Result;
    fn end(&mut self, out: &mut Output) -> Result;
}

/// CSV.
struct Lines;

impl Printer for Lines {
    fn begin(&mut self, columns: &[String], out: &mut Output) -> Result {
        let cells: Vec<Cell<'_>> = columns.iter().map(|name| Cell::Text(name.into())).collect();
        self.row(&cells, out)
    }

    fn row(&mut self, cells: &[Cell<'_>], out: &mut Output) -> Result {
        let mut line = String::new();
        for (index, cell) in cells.iter().enumerate() {
            if index > 0 {
                line.push(',');
            }
            csv::put(&mut line, cell);
        }
        line.push('\n');
        out.write(line.as_bytes())
    }

    fn end(&mut self, _: &mut Output) -> Result {
        Ok(())
    }
}

/// A JSON array of objects.
struct Objects {
    columns: Vec<String>,
    count: u64,
}

impl Printer for Objects {
    fn begin(&mut self, _: &[String], out: &mut Output) -> Result {
        out.write(b"[")
    }

    fn row(&mut self, cells: &[Cell<'_>], out: &mut Output) -> Result {
        let value = |cell: &Cell<'_>| match cell {
            Cell::Null => Value::Null,
            Cell::Number(number) => Value::Number(*number),
            Cell::Text(text) => (&**text).into(),
            other => text_of(other).into(),
        };
        let members = self.columns.iter().cloned().zip(cells.iter().map(value)).collect();
        let text = json::to_string(&Value::Object(members))?;
        let before = if self.count == 0 { "\n" } else { ",\n" };
        self.count += 1;
        out.write(format!("{before}{text}").as_bytes())
    }

    fn end(&mut self, out: &mut Output) -> Result {
        out.write(if self.count == 0 { b"]\n" } else { b"\n]\n" })
    }
}

/// A table for people.
struct Aligned {
    columns: Vec<String>,
    first: Vec<Vec<(String, bool)>>,
    widths: Option<Vec<usize>>,
}

impl Aligned {
    fn line(&self, cells: &[(String, bool)], out: &mut Output) -> Result {
        let mut line = String::new();
        let widths = self.widths.as_deref().unwrap_or_default();
        for (index, ((text, is_number), width)) in cells.iter().zip(widths).enumerate() {
            let padding = " ".repeat(width.saturating_sub(text.chars().count()));
            let gap = if index > 0 { "  " } else { "" };
            line += &match is_number {
                true => format!("{gap}{padding}{text}"),
                false => format!("{gap}{text}{padding}"),
            };
        }
        out.write(format!("{}\n", line.trim_end()).as_bytes())
    }

    fn flush(&mut self, out: &mut Output) -> Result {
        let mut widths = vec![0; self.columns.len()];
        for row in &self.first {
            for (width, (text, _)) in widths.iter_mut().zip(row) {
                *width = text.chars().count().max(*width);
            }
        }
        self.widths = Some(widths);
        for row in std::mem::take(&mut self.first) {
            self.line(&row, out)?;
        }
        Ok(())
    }
}

impl Printer for Aligned {
    fn begin(&mut self, columns: &[String], _: &mut Output) -> Result {
        let head = columns.iter().map(|name| (safe(name).into_owned(), false)).collect();
        self.first.push(head);
        Ok(())
    }

    fn row(&mut self, cells: &[Cell<'_>], out: &mut Output) -> Result {
        let shown = |cell: &Cell<'_>| {
            let is_number = matches!(cell, Cell::Number(_));
            (safe(&text_of(cell)).into_owned(), is_number)
        };
        let row: Vec<(String, bool)> = cells.iter().map(shown).collect();
        if self.widths.is_some() {
            return self.line(&row, out);
        }
        self.first.push(row);
        if self.first.len() > FIRST { self.flush(out) } else { Ok(()) }
    }

    fn end(&mut self, out: &mut Output) -> Result {
        if self.widths.is_none() { self.flush(out) } else { Ok(()) }
    }
}

/// Returns a value as text, without quotes.
fn text_of(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Text(text) => text.clone().into_owned(),
        other => {
            let mut text = String::new();
            csv::put(&mut text, other);
            text
        }
    }
}
