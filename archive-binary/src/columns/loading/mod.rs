//! [`Scattering`]: loads the entries of a list from blocks.

mod visit;

use std::ops::Range;

use archive_core::columns::{Taken, Takes};
use archive_core::{Error, ErrorKind, Options, Result, Serialize, Session, Visitor};

use super::changed::Missing;
use super::input::Input;
use super::opened::Opened;
use super::place::{FOLLOWING, Place};
use crate::columnar::ints::too_few;
use crate::columnar::{Form, Layout};
use crate::cursor::{Cursor, offset};
use crate::fast_path::{Loading, more_items};

/// Loads the entries of a list from blocks. How deep values nest was checked with their types.
pub(super) struct Scattering<'s, 'a, 'r> {
    columns: Opened<'s, 'r>,
    /// The next column.
    at: usize,
    place: Place,
    /// The number of entries of the block that are left.
    left: u64,
    /// The offset of the block.
    block: usize,
    input: &'s mut Input<'r>,
    /// Numbers as they are in memory.
    numbers: Vec<u8>,
    /// The archive that loads the rows around the list. It counts items.
    rows: &'s mut Loading<'a, 'r>,
}

impl<'s, 'a, 'r> Scattering<'s, 'a, 'r> {
    /// Loads the list that was begun.
    pub(super) fn new(
        layout: &'s Layout,
        input: &'s mut Input<'r>,
        rows: &'s mut Loading<'a, 'r>,
    ) -> Self {
        let (columns, place, numbers) = (input.columns(layout), Place::new(), Vec::new());
        Scattering { columns, at: 0, place, left: 0, block: 0, input, numbers, rows }
    }

    /// Checks that all entries were loaded.
    pub(super) fn finish(self) -> Result {
        if self.rows.items.left() > 0 {
            return Err(more_items(self.block));
        }
        self.check_block()?;
        self.input.keep(self.columns);
        Ok(())
    }

    fn check_block(&self) -> Result {
        if self.left > 0 || !self.columns.is_done() {
            let message = "a block has more values than its entries";
            return Err(Error::new(ErrorKind::Syntax, message).at(offset(self.block)));
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn next_block(&mut self, left: u64) -> Result {
        self.check_block()?;
        (self.block, self.left) = self.input.open_block(left, &mut self.columns)?;
        Ok(())
    }

    /// Goes back to the start of the list, where `start` is, to load its entries one by one. Errors then
    /// have paths.
    fn again<T>(&mut self, start: (Range<usize>, u64), into: &mut Vec<T>) -> Result<bool> {
        into.clear();
        self.rows.items.put_back(start.1);
        self.input.restore(start.0);
        self.left = 0;
        self.columns.clear();
        Ok(false)
    }

    /// Moves to the next column, and returns the one before.
    #[inline(always)]
    fn next(&mut self) -> Result<&mut Taken<'r>> {
        match self.columns.get(self.at) {
            Some(column) => {
                self.at += 1;
                Ok(column)
            }
            None => Err(too_few()),
        }
    }

    #[inline(always)]
    fn int(&mut self) -> Result<u64> {
        self.next()?.ints.take().ok_or_else(too_few)
    }

    #[inline(always)]
    fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.next()?.array().ok_or_else(too_few)
    }

    /// Takes the next integer of 128 bits.
    #[inline(never)]
    fn wide<T>(
        &mut self,
        whole: impl FnOnce([u8; 16]) -> T,
        varint: impl FnOnce(&mut Cursor<'r>) -> Result<T>,
    ) -> Result<T> {
        let form = self.columns.form(self.at);
        let column = self.next()?;
        if matches!(form, Some(Form::Fixed(_))) {
            return column.array().map(whole).ok_or_else(too_few);
        }
        let row = column.ints.take().and_then(|len| column.take(len as usize));
        let mut row = Cursor::new(row.ok_or_else(too_few)?, 0);
        let value = varint(&mut row)?;
        if row.left() > 0 { Err(too_few()) } else { Ok(value) }
    }

    fn bytes(&mut self, out: &mut Vec<u8>) -> Result {
        let column = self.next()?;
        let bytes = column.ints.take().and_then(|len| column.take(len as usize));
        let bytes = bytes.ok_or_else(too_few)?;
        let (session, options) = self.parts_mut();
        session.count_bytes(bytes, options)?;
        out.clear();
        out.extend_from_slice(bytes);
        Ok(())
    }

    /// Opens a list or a map.
    #[inline(always)]
    fn open(&mut self) -> Result {
        let len = self.int()?;
        if self.columns.end_of(self.at - 1) == self.at {
            // The items take no bytes.
            self.rows.decoder.get().count_empty(len, self.block)?;
        }
        self.open_items(self.at, len);
        Ok(())
    }

    #[inline(always)]
    fn open_items(&mut self, first: usize, len: u64) {
        let outer = self.rows.begin_items(len).items;
        self.place.enter(first, outer, false);
    }

    /// Closes a sequence, and moves to the column after it.
    #[inline(always)]
    fn close(&mut self) -> Result {
        if self.rows.items.left() > 0 {
            return Err(more_items(self.block));
        }
        self.rows.items.end(self.place.items.outer);
        let first = self.place.leave();
        if first != FOLLOWING {
            self.at = self.columns.end_of(first - 1);
        }
        Ok(())
    }

    #[cold]
    fn located(&self, error: Error) -> Error {
        error.at(offset(self.block))
    }
}

/// Takes that many values from columns. If one is not valid, its column has failed. Returns `false` if the
/// type has no function that takes values.
pub(super) fn take_rows<T: Serialize>(
    into: &mut Vec<T>,
    rows: usize,
    (columns, missing): (&mut [Taken<'_>], Missing<'_>),
    session: &mut Session,
    options: &Options<'_>,
) -> bool {
    let Some((mut one, _)) = T::taker(Takes::new(columns, missing)) else { return false };
    let mut left = rows;
    while left > 0 {
        let room = session.reserve(left, size_of::<T>(), options);
        // Without room, the list grows as its values are loaded.
        let count = if room > 0 { room } else { left.min(into.len().max(1)) };
        into.extend((0..count).map(|_| one()));
        session.filled(room, count, size_of::<T>());
        left -= count;
    }
    true
}
