//! [`Input`]: a file with columns while it is loaded.

use std::ops::Range;
use std::sync::Arc;

use archive_core::columns::Taken;
use archive_core::{Limits, Result};

use super::opened::Opened;
use crate::columnar::ints::EXPANSION;
use crate::columnar::{Layout, Layouts, ROWS};
use crate::container::{HEADER, rows_end};
use crate::cursor::{Cursor, syntax, too_many};
use crate::types::TypeId;

/// A file with columns while it is loaded.
pub(super) struct Input<'r> {
    /// The file up to the end of the data.
    file: &'r [u8],
    pub(super) layouts: Arc<Layouts>,
    /// The rows between blocks where the load is.
    run: Range<usize>,
    /// The type of the entries in the next block.
    entry: TypeId,
    /// Whether entries can be taken without counting their elements.
    takes: bool,
    /// The memory of the columns of the last list.
    columns: Vec<Taken<'r>>,
}

impl<'r> Input<'r> {
    /// Opens the data of a file at its start.
    pub(super) fn new(file: &'r [u8], layouts: Arc<Layouts>, limits: &Limits) -> Result<Self> {
        let from = &mut Cursor::new(file, HEADER);
        let len = from.u64()?;
        if rows_end(file).is_none() || len / EXPANSION > file.len() as u64 {
            return Err(too_many(len, from.left(), HEADER));
        }
        let run = next_run(from)?;
        let takes = layouts.allow(file.len(), limits);
        Ok(Input { file, layouts, run, entry: TypeId::NONE, takes, columns: Vec::new() })
    }

    /// Returns the rows between blocks where the load is.
    pub(super) fn rows(&self) -> Cursor<'r> {
        Cursor::new(&self.file[..self.run.end], self.run.start)
    }

    /// Returns the number of bytes after these rows.
    pub(super) fn left(&self) -> usize {
        self.file.len() - self.run.end
    }

    /// Whether entries can be taken without counting their elements.
    pub(super) fn takes(&self) -> bool {
        self.takes
    }

    /// Returns columns without values.
    pub(super) fn columns<'l>(&mut self, layout: &'l Layout) -> Opened<'l, 'r> {
        Opened::new(layout, std::mem::take(&mut self.columns))
    }

    /// Keeps the memory of columns whose values were taken.
    pub(super) fn keep(&mut self, columns: Opened<'_, 'r>) {
        self.columns = columns.into_memory();
    }

    /// Returns where the load is.
    pub(super) fn mark(&self) -> Range<usize> {
        self.run.clone()
    }

    /// Goes back to a place in the file.
    pub(super) fn restore(&mut self, run: Range<usize>) {
        self.run = run;
    }

    /// Returns the type of the entries of the next block, if there is one.
    pub(super) fn next_entry(&mut self) -> Option<TypeId> {
        let entry = Cursor::new(self.file, self.run.end).u64().ok()?;
        self.entry = TypeId(u32::try_from(entry).ok()?);
        Some(self.entry)
    }

    /// Reads the next block of a list that has `left` more entries. Returns its offset and the number of
    /// its entries.
    pub(super) fn open_block(
        &mut self,
        left: u64,
        columns: &mut Opened<'_, 'r>,
    ) -> Result<(usize, u64)> {
        let at = self.run.end;
        let from = &mut Cursor::new(self.file, at);
        let (entry, count) = (from.u64()?, from.u64()?);
        if entry != u64::from(self.entry.0) || !(1..=left.min(ROWS)).contains(&count) {
            return Err(syntax("there is no such block", at));
        }
        columns.read(count, from)?;
        self.run = next_run(from)?;
        if count < left && !self.run.is_empty() {
            return Err(syntax("there are rows between the blocks of a list", self.run.start));
        }
        Ok((at, count))
    }
}

/// Reads the rows at the cursor.
fn next_run(from: &mut Cursor<'_>) -> Result<Range<usize>> {
    let len = from.bytes()?.len();
    Ok(from.at() - len..from.at())
}
