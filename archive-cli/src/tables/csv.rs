//! [`Csv`]: a file of comma-separated values for each table.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;

use archive::Result;
use archive::value::Number;

use super::flat::{Cell, Flat};
use super::folder::Folder;
use super::{Row, Sink, Tables};
use crate::output::failed;

/// The number of bytes after which the lines of the largest table are written.
const MOST: usize = 4 << 20;

/// Writes tables as CSV. Text is quoted, and null is empty. A file is open only while it is written, since there may
/// be more files than a process can open.
pub struct Csv<'a> {
    tables: &'a Tables,
    folder: &'a Folder,
    /// The columns of each table, and the lines that are not written yet.
    files: Vec<(Flat, String)>,
    /// The number of bytes of all these lines.
    len: usize,
}

impl<'a> Csv<'a> {
    /// Creates the files, and begins with the names of the columns.
    pub fn new(tables: &'a Tables, folder: &'a Folder) -> Result<Self> {
        let mut files = Vec::new();
        for (index, table) in tables.all.iter().enumerate() {
            let flat = Flat::new(table);
            let mut lines = String::new();
            for (column, (name, _)) in flat.columns().iter().enumerate() {
                lines += if column > 0 { "," } else { "" };
                quote(&mut lines, name);
            }
            lines.push('\n');
            drop(folder.create(index)?);
            files.push((flat, lines));
        }
        Ok(Csv { tables, folder, files, len: 0 })
    }

    fn flush(&mut self, table: usize) -> Result {
        let lines = std::mem::take(&mut self.files[table].1);
        let file = File::options().append(true).open(self.folder.path(table));
        let written = file.and_then(|mut file| file.write_all(lines.as_bytes()));
        written.map_err(|error| failed("write", &self.folder.place(table), error))
    }

    /// Completes the files.
    pub fn finish(mut self) -> Result {
        (0..self.files.len()).try_for_each(|table| self.flush(table))
    }
}

impl Sink for Csv<'_> {
    fn row(&mut self, table: usize, save: &str, row: &Row<'_>) -> Result {
        let (flat, lines) = &mut self.files[table];
        let before = lines.len();
        for (index, cell) in flat.cells(&self.tables.all[table], save, row)?.into_iter().enumerate()
        {
            *lines += if index > 0 { "," } else { "" };
            put(lines, &cell);
        }
        lines.push('\n');
        self.len += lines.len() - before;
        if self.len > MOST
            && let Some(largest) = (0..self.files.len()).max_by_key(|at| self.files[*at].1.len())
        {
            self.len = self.len.saturating_sub(self.files[largest].1.len());
            return self.flush(largest);
        }
        Ok(())
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
