//! [`Output`]: a file with columns while it is saved.

use std::sync::Arc;

use archive_core::columns::GROUP;
use archive_core::{Body, Limits, Options, Result, Session};

use super::gathered::Gathered;
use super::saving::Gathering;
use crate::Encoder;
use crate::columnar::{Layouts, MANY, ROWS, Splits, copy_blocks};
use crate::container::{HEADER, VERSION, put_header, put_header_of};
use crate::cursor::Cursor;
use crate::fast_path::cannot;
use crate::implied::Implied;
use crate::types::{Type, TypeId};
use crate::varint::{len_u64, put_bytes, put_u64};

/// A file with columns while it is saved: its data up to the last block.
pub(super) struct Output {
    types: Arc<Implied>,
    layouts: Arc<Layouts>,
    /// The number of entries from which on a list becomes blocks.
    pub(super) many: usize,
    file: Vec<u8>,
    /// The number of bytes of the rows up to there, and the room for this number in the file.
    row_len: usize,
    room: usize,
    /// Whether there are lists that have no blocks, although they are long.
    is_incomplete: bool,
}

impl Output {
    /// Creates the output for a value whose types are known. Returns `None` if it must be saved as rows
    /// first.
    pub(super) fn new(types: Arc<Implied>, many: usize, limits: &Limits) -> Option<Self> {
        let layouts = types.layouts().filter(|layouts| layouts.fit(usize::MAX, limits))?.clone();
        let (file, row_len, room, is_incomplete) = (Vec::new(), 0, 0, false);
        Some(Output { types, layouts, many, file, row_len, room, is_incomplete })
    }

    /// Returns the type of the entries of a list or a map of that type, if these may become blocks.
    pub(super) fn entry_of(&self, list: TypeId) -> Option<TypeId> {
        let (Type::Seq(entry) | Type::Map(entry)) = self.types.types.get(list.index()?)? else {
            return None;
        };
        self.layouts.get(*entry).map(|_| *entry)
    }

    /// Notes that a long list has no blocks.
    pub(super) fn leave_out(&mut self) {
        self.is_incomplete = true;
    }

    /// Saves the entries of a list, as blocks if these are shorter. `rows` is the start of a file with the
    /// rows since the last block.
    pub(super) fn save_list<B: Body>(
        &mut self,
        rows: &mut Vec<u8>,
        (entry, count): (TypeId, usize),
        body: &mut B,
        encoder: &mut Encoder<'_>,
        context: (&mut Session, &Options<'_>),
    ) -> Result {
        let layouts = self.layouts.clone();
        let Some(layout) = layouts.get(entry) else { return Ok(()) };
        let list = self.list(rows, (entry, count));
        let mut gathering = Gathering::new(layout, list, encoder, context);
        body.run(&mut gathering)?;
        gathering.finish()?.finish()
    }

    /// Begins a list with that many entries.
    pub(super) fn list<'o>(
        &'o mut self,
        rows: &'o mut Vec<u8>,
        (entry, count): (TypeId, usize),
    ) -> List<'o> {
        List { output: self, rows, entry, count, saved: 0, row_len: 0, start: 0, blocks: None }
    }

    /// Appends the rows after the last block. Returns the data of the file, and its end in rows.
    pub(super) fn finish(mut self, rows: Vec<u8>) -> (Vec<u8>, usize) {
        let row_end = self.row_len + rows.len();
        if self.row_len == 0 {
            return (rows, row_end);
        }
        put_bytes(&mut self.file, &rows[HEADER..]);
        let mut len = Vec::new();
        put_u64(&mut len, (row_end - HEADER) as u64);
        self.file.splice(HEADER..HEADER + self.room, len);
        (self.file, row_end)
    }

    /// Whether a long list may have no blocks.
    pub(super) fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// Begins the file. `row_len` is a guess.
    fn begin(&mut self, rows: &mut Vec<u8>, row_len: usize) {
        // The memory of the caller's buffer is for the file.
        let first = rows.split_off(HEADER);
        self.file = std::mem::take(rows);
        put_header(rows);
        rows.extend_from_slice(&first);
        self.file.clear();
        put_header_of(VERSION, true, &mut self.file);
        self.room = len_u64(row_len as u64) as usize;
        self.file.resize(HEADER + self.room, 0);
    }
}

/// A list while its blocks are written.
pub(super) struct List<'o> {
    output: &'o mut Output,
    rows: &'o mut Vec<u8>,
    entry: TypeId,
    /// The number of entries, and of those in the blocks so far.
    count: usize,
    saved: usize,
    /// The number of bytes that the blocks so far take in rows.
    row_len: usize,
    /// The offset of the rows before the list, and that of the blocks.
    start: usize,
    blocks: Option<usize>,
}

impl List<'_> {
    /// Appends a block with the entries, and empties the columns.
    #[inline(never)]
    pub(super) fn put_block(&mut self, columns: &mut Gathered<'_>) -> Result {
        let len = columns.measure()? as usize;
        self.row_len += len;
        if self.output.file.is_empty() {
            let blocks = self.count.div_ceil(columns.rows.max(1));
            self.output.begin(self.rows, self.rows.len() - HEADER + len * blocks);
        }
        let file = &mut self.output.file;
        if self.blocks.is_some() {
            put_bytes(file, &[]);
        } else {
            self.start = file.len();
            put_bytes(file, &self.rows[HEADER..]);
            self.blocks = Some(file.len());
        }
        put_u64(file, self.entry.0.into());
        put_u64(file, columns.rows as u64);
        self.saved += columns.rows;
        columns.put(file);
        Ok(())
    }

    /// Reserves memory for the entries of the first block. A group of them was saved.
    pub(super) fn reserve(&self, block: &mut Gathered<'_>) {
        let rows = self.count.min(ROWS as usize);
        block.columns.reserve(rows / GROUP);
    }

    /// Replaces the blocks by rows, if these are not longer.
    fn finish(self) -> Result {
        let List { output, rows, count, saved, row_len, start, blocks, .. } = self;
        if saved != count {
            return Err(cannot("as many entries as the list"));
        }
        let Some(blocks) = blocks else { return Ok(()) };
        if output.file.len() - blocks < row_len || output.many < MANY as usize {
            output.row_len += rows.len() - HEADER + row_len;
            rows.truncate(HEADER);
            return Ok(());
        }
        let types = &output.types;
        let splits = || Ok(Splits::new(&types.types, &types.takes_bytes));
        put_bytes(&mut output.file, &[]);
        let from = &mut Cursor::new(&output.file, blocks);
        copy_blocks(from, usize::MAX, splits, rows, &mut |_| false)?;
        output.file.truncate(start);
        Ok(())
    }
}
