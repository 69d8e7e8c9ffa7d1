//! [`Gathering`]: collects the entries of a list in columns.

mod visit;

use archive_core::columns::{Column, Columns, GROUP};
use archive_core::{Options, Result, Save, Session};

use super::gathered::Gathered;
use super::output::List;
use super::place::{FOLLOWING, Place};
use crate::Encoder;
use crate::columnar::{Form, Layout, has_hollow_lists};

/// Collects the entries of a list in columns. How deep values nest was checked with their types.
pub(super) struct Gathering<'a, 'w> {
    block: Gathered<'a>,
    place: Place,
    list: List<'a>,
    /// Counts items that take no bytes.
    encoder: &'a mut Encoder<'w>,
    /// Whether several entries can be saved at once.
    in_groups: bool,
    session: &'a mut Session,
    options: &'a Options<'a>,
}

impl<'a, 'w> Gathering<'a, 'w> {
    pub(super) fn new(
        layout: &'a Layout,
        list: List<'a>,
        encoder: &'a mut Encoder<'w>,
        (session, options): (&'a mut Session, &'a Options<'a>),
    ) -> Self {
        let (block, place) = (Gathered::new(layout), Place::new());
        let in_groups = !has_hollow_lists(layout);
        Gathering { block, place, list, encoder, in_groups, session, options }
    }

    /// Writes the last block.
    pub(super) fn finish(mut self) -> Result<List<'a>> {
        self.list.put_block(&mut self.block)?;
        self.block.keep();
        Ok(self.list)
    }

    /// Saves a part of an entry in the columns from `at` on. Returns all columns, and the end of those of the
    /// part.
    pub(super) fn save_at<T: Save>(mut self, at: usize, part: &T) -> Result<(Vec<Column>, usize)> {
        self.block.columns.at = at;
        T::save_group(&[part], &mut self)?;
        let Columns { list, at } = self.block.columns;
        Ok((list, at))
    }

    /// Moves to the next column, and returns the one before.
    #[inline(always)]
    fn next(&mut self) -> Option<&mut Column> {
        self.block.columns.take()
    }

    /// Adds an integer. Blocks are checked as a whole when they are full.
    #[inline(always)]
    fn put<const N: usize>(&mut self, word: [u8; N]) {
        if let Some(column) = self.next() {
            column.push(word);
        }
    }

    /// Adds a value of a fixed size.
    #[inline(always)]
    fn put_fixed<const N: usize>(&mut self, bytes: [u8; N]) {
        if let Some(column) = self.next() {
            column.bytes.extend_from_slice(&bytes);
        }
    }

    /// Adds an integer of 128 bits.
    #[inline(never)]
    fn put_wide<const N: usize>(&mut self, bytes: [u8; N], row: impl FnOnce(&mut Vec<u8>)) {
        let form = self.block.form();
        let Some(column) = self.next() else { return };
        if matches!(form, Some(Form::Fixed(_))) {
            return column.bytes.extend_from_slice(&bytes);
        }
        let start = column.bytes.len();
        row(&mut column.bytes);
        column.push_len(column.bytes.len() - start);
    }

    #[inline(always)]
    fn put_bytes(&mut self, bytes: &[u8]) {
        if let Some(column) = self.next() {
            column.push_bytes(bytes);
        }
    }

    fn put_counted(&mut self, bytes: &[u8]) -> Result {
        self.session.count_bytes(bytes, self.options)?;
        self.put_bytes(bytes);
        Ok(())
    }

    /// Opens a list or a map: adds its length.
    #[inline(always)]
    fn open(&mut self, len: usize, counts: bool) {
        if let Some(column) = self.next() {
            column.push_len(len);
        }
        self.place.enter(self.block.columns.at, 0, counts);
    }

    /// Closes a sequence, and moves to the column after it.
    #[inline(always)]
    fn close(&mut self) {
        let first = self.place.leave();
        if first != FOLLOWING {
            self.block.columns.at = self.block.columns.end_of(first - 1);
        }
    }

    /// Begins items or entries.
    #[inline(always)]
    fn begin(&mut self, count: usize) -> Result {
        let first = self.place.items.first;
        if first == FOLLOWING {
            return Ok(());
        }
        self.block.columns.at = first;
        if first == 0 {
            if self.block.is_full() {
                self.list.put_block(&mut self.block)?;
            }
            self.block.rows += count;
        } else if self.place.items.counts {
            self.session.count(self.options)?;
            if self.block.columns.end_of(first - 1) == first {
                self.encoder.count_empty_item()?;
            }
            self.block.lengthen(first - 1);
        }
        Ok(())
    }

    /// Saves items in groups.
    fn save_groups<T: Save>(&mut self, items: &[T]) -> Result {
        let is_list = self.place.items.first == 0;
        for (index, items) in items.chunks(GROUP).enumerate() {
            self.begin(items.len())?;
            if is_list && index == 1 {
                self.list.reserve(&mut self.block);
            }
            let first = &items[0];
            let mut group = [first; GROUP];
            group.iter_mut().zip(items).for_each(|(to, item)| *to = item);
            T::save_group(&group[..items.len()], self)?;
        }
        Ok(())
    }
}
