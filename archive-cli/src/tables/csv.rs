//! [`Csv`]: a file of comma-separated values for each table.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};

use archive::Result;
use archive::value::Number;

use super::flat::{Cell, Flat};
use super::folder::Folder;
use super::{Row, Sink, Tables};
use crate::output::failed;

/// Writes tables as CSV. Text is quoted, and null is empty.
pub struct Csv<'a> {
    tables: &'a Tables,
    folder: &'a Folder,
    files: Vec<(Flat, BufWriter<File>)>,
    line: String,
}

impl<'a> Csv<'a> {
    /// Creates the files, and writes the names of the columns.
    pub fn new(tables: &'a Tables, folder: &'a Folder) -> Result<Self> {
        let mut csv = Csv { tables, folder, files: Vec::new(), line: String::new() };
        for (index, table) in tables.all.iter().enumerate() {
            let flat = Flat::new(table);
            csv.line.clear();
            let mut names = flat.columns().iter().map(|(name, _)| name);
            names.by_ref().take(1).for_each(|name| quote(&mut csv.line, name));
            for name in names {
                csv.line.push(',');
                quote(&mut csv.line, name);
            }
            csv.line.push('\n');
            csv.files.push((flat, BufWriter::new(folder.create(index)?)));
            csv.write(index)?;
        }
        Ok(csv)
    }

    fn write(&mut self, table: usize) -> Result {
        let written = self.files[table].1.write_all(self.line.as_bytes());
        written.map_err(|error| failed("write", &self.folder.path(table), error))
    }

    /// Completes the files.
    pub fn finish(mut self) -> Result {
        for (index, (_, file)) in self.files.iter_mut().enumerate() {
            file.flush().map_err(|error| failed("write", &self.folder.path(index), error))?;
        }
        Ok(())
    }
}

impl Sink for Csv<'_> {
    fn row(&mut self, table: usize, save: &str, row: &Row<'_>) -> Result {
        let cells = self.files[table].0.cells(&self.tables.all[table], save, row)?;
        self.line.clear();
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                self.line.push(',');
            }
            put(&mut self.line, &cell);
        }
        self.line.push('\n');
        self.write(table)
    }
}

/// Appends a value.
pub fn put(line: &mut String, cell: &Cell<'_>) {
    // Writing to a string does not fail.
    let _ = match cell {
        Cell::Null => Ok(()),
        Cell::Bool(value) => write!(line, "{value}"),
        Cell::Number(Number::F64(value)) => write!(line, "{value:?}"),
        Cell::Number(value) => write!(line, "{value}"),
        Cell::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(line, "{byte:02x}")),
        Cell::Text(text) => {
            quote(line, text);
            Ok(())
        }
    };
}

/// Appends text in quotes.
pub fn quote(line: &mut String, text: &str) {
    line.push('"');
    line.push_str(&text.replace('"', "\"\""));
    line.push('"');
}
