//! [`Gathered`]: the values of a block while they are saved.

use std::cell::Cell;

use archive_core::Result;
use archive_core::columns::{Column, Columns};
use archive_core::shape::Primitive;

use crate::columnar::ints::{self, Bounds, Int};
use crate::columnar::{self, Form, Layout, ROWS, each_payload};
use crate::fast_path::cannot;
use crate::varint::{put_bytes, put_u64};

/// The largest number of bytes of memory that a thread keeps for the columns of its next save.
const KEPT: usize = 4 << 20;

thread_local! {
    /// Columns without values. Programs that save often allocate their memory once.
    static COLUMNS: Cell<Vec<Column>> = const { Cell::new(Vec::new()) };
}

/// The columns of a block while they are saved.
pub(super) struct Gathered<'l> {
    pub(super) columns: Columns,
    pub(super) layout: &'l Layout,
    /// What each column has, once it was measured.
    measures: Vec<Measure>,
    /// The number of entries.
    pub(super) rows: usize,
}

/// The number of values of a column, and the bounds of their integers.
#[derive(Clone, Copy, Default)]
struct Measure {
    rows: usize,
    bounds: Option<Bounds>,
}

/// A column, and what it is for.
#[derive(Clone, Copy)]
struct Values<'v> {
    values: &'v Column,
    column: &'v columnar::Column,
    measure: Measure,
}

impl<'l> Gathered<'l> {
    pub(super) fn new(layout: &'l Layout) -> Self {
        let mut list = COLUMNS.try_with(Cell::take).unwrap_or_default();
        list.resize_with(layout.len(), Column::default);
        list.iter_mut().zip(layout).for_each(|(values, column)| values.next = column.next);
        let columns = Columns { list, ..Columns::default() };
        Gathered { columns, layout, measures: vec![Measure::default(); layout.len()], rows: 0 }
    }

    /// Keeps the memory of the columns, which are empty.
    pub(super) fn keep(self) {
        let list = self.columns.list;
        let bytes = list.iter().map(|column| column.ints.capacity() + column.bytes.capacity());
        if bytes.sum::<usize>() <= KEPT {
            let _ = COLUMNS.try_with(|kept| kept.set(list));
        }
    }

    /// Returns whether the block has no room for another entry.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.rows as u64 >= ROWS
    }

    /// Returns what the next column is for.
    #[inline(always)]
    pub(super) fn form(&self) -> Option<&'l Form> {
        self.layout.get(self.columns.at).map(|column| &column.form)
    }

    /// Adds one to the last length of a column.
    #[cold]
    pub(super) fn lengthen(&mut self, at: usize) {
        let Some(column) = self.columns.list.get_mut(at) else { return };
        let (len, size) = match column.is_long {
            true => (column.ints.last_chunk().map(|len| u64::from_le_bytes(*len)), 8),
            false => (column.ints.last_chunk().map(|len| u32::from_le_bytes(*len).into()), 4),
        };
        column.ints.truncate(column.ints.len().saturating_sub(size));
        column.push_len(len.map_or(0, |len| len as usize + 1));
    }

    /// Adds numbers of that size as they are in memory. Returns `false` if the column, which is that of
    /// items, is not one of such numbers.
    pub(super) fn put_block(&mut self, at: usize, block: &[u8], size: usize) -> bool {
        let (Some(column), Some(values)) = (self.layout.get(at), self.columns.list.get_mut(at))
        else {
            return false;
        };
        if self.layout[at - 1].next != at + 1 {
            return false;
        }
        let number = match &column.form {
            Form::Fixed(len) if *len == size => {
                values.bytes.extend_from_slice(block);
                return true;
            }
            Form::Bool if size == 1 => Primitive::Bool,
            Form::Int(int, len) if *len == size => int.number(size),
            _ => return false,
        };
        let start = values.ints.len();
        values.ints.extend_from_slice(block);
        values.flip(start, number);
        true
    }

    fn get(&self, at: usize) -> Values<'_> {
        let (values, column) = (&self.columns.list[at], &self.layout[at]);
        Values { values, column, measure: self.measures[at] }
    }

    /// Measures all columns. Returns the number of bytes that the entries take in rows.
    ///
    /// # Errors
    /// An error if an entry has more or fewer parts than its shape.
    pub(super) fn measure(&mut self) -> Result<u64> {
        self.measure_all(0, self.layout.len(), self.rows)
    }

    /// Measures the columns from `at` to `end`, all with `rows` values.
    fn measure_all(&mut self, mut at: usize, end: usize, rows: usize) -> Result<u64> {
        let mut len = 0;
        while at < end {
            let (measure, row_len) = self.get(at).measure(rows)?;
            self.measures[at] = measure;
            len += row_len;
            let values = self.get(at);
            let column = &self.layout[at];
            let inner = match &column.form {
                Form::Option | Form::List => values.sum(),
                Form::Array(count) => (*count as usize).saturating_mul(rows),
                Form::Enum(payloads) => {
                    let counts = values.counts(payloads.len())?;
                    for (variant, first, end) in each_payload(payloads, column.next) {
                        len += self.measure_all(first, end, counts[variant])?;
                    }
                    0
                }
                _ => 0,
            };
            if !matches!(column.form, Form::Enum(_)) {
                len += self.measure_all(at + 1, column.next, inner)?;
            }
            at = column.next;
        }
        Ok(len)
    }

    /// Appends the columns, which were measured, and empties them.
    pub(super) fn put(&mut self, out: &mut Vec<u8>) {
        self.put_all(0, self.layout.len(), out);
        self.rows = 0;
        for values in &mut self.columns.list {
            values.ints.clear();
            values.bytes.clear();
            values.is_long = false;
        }
    }

    fn put_all(&self, mut at: usize, end: usize, out: &mut Vec<u8>) {
        while at < end {
            let values = self.get(at);
            let column = &self.layout[at];
            if values.measure.rows > 0 {
                values.put(out);
                match &column.form {
                    Form::Enum(payloads) => self.put_payloads(payloads, column.next, out),
                    Form::Option | Form::List if at + 1 < column.next => {
                        put_u64(out, self.measures[at + 1].rows as u64);
                        self.put_all(at + 1, column.next, out);
                    }
                    _ => self.put_all(at + 1, column.next, out),
                }
            }
            at = column.next;
        }
    }

    /// Appends the payloads of an enum that occur.
    fn put_payloads(&self, payloads: &[u32], end: usize, out: &mut Vec<u8>) {
        let rows = |first: usize| self.measures[first].rows as u64;
        let occur = each_payload(payloads, end).filter(|(_, first, _)| rows(*first) > 0);
        put_u64(out, occur.clone().count() as u64);
        for (variant, first, end) in occur {
            put_u64(out, variant as u64);
            put_u64(out, rows(first));
            self.put_all(first, end, out);
        }
    }
}

impl<'v> Values<'v> {
    /// Returns how the integers are stored in rows, and the number of bytes that each has here.
    fn ints(self) -> (Int, usize) {
        match &self.column.form {
            Form::Int(int, size) => (*int, *size),
            Form::Bool => (Int::unsigned(1), 1),
            Form::Option => (Int::VARINT, 1),
            _ => (Int::VARINT, if self.values.is_long { 8 } else { 4 }),
        }
    }

    /// Measures the column. Also returns the number of bytes that the values take in rows, without those
    /// inside of them.
    fn measure(self, rows: usize) -> Result<(Measure, u64)> {
        let (int, size) = self.ints();
        let bounds = match size {
            1 => ints::bounds(int, self.words().map(u8::from_le_bytes)),
            2 => ints::bounds(int, self.words().map(u16::from_le_bytes)),
            4 => ints::bounds(int, self.words().map(u32::from_le_bytes)),
            _ => ints::bounds(int, self.words().map(u64::from_le_bytes)),
        };
        let (count, bytes) = match &self.column.form {
            Form::Fixed(len) => (0, len.saturating_mul(rows)),
            Form::Array(_) => (0, 0),
            Form::Text(_) | Form::Wide => (rows, self.values.bytes.len()),
            _ => (rows, 0),
        };
        if self.values.ints.len() != count.saturating_mul(size) || self.values.bytes.len() != bytes
        {
            return Err(cannot("as many parts as the value"));
        }
        let is_in_row = !matches!(self.column.form, Form::Wide);
        let ints = bounds.filter(|_| is_in_row).map_or(0, |bounds| bounds.row_len);
        Ok((Measure { rows, bounds }, ints + bytes as u64))
    }

    fn words<const N: usize>(self) -> impl ExactSizeIterator<Item = [u8; N]> + Clone + 'v {
        self.values.ints.as_chunks().0.iter().copied()
    }

    /// Returns the sum of lengths or flags.
    fn sum(self) -> usize {
        match self.ints().1 {
            1 => self.values.ints.iter().map(|flag| usize::from(*flag)).sum(),
            4 => self.words().map(|len| u32::from_le_bytes(len) as usize).sum(),
            _ => self.words().map(|len| u64::from_le_bytes(len) as usize).sum(),
        }
    }

    /// Returns how often each variant occurs.
    fn counts(self, variants: usize) -> Result<Vec<usize>> {
        let mut counts = vec![0; variants];
        for variant in self.words().map(u32::from_le_bytes) {
            match counts.get_mut(variant as usize) {
                Some(count) => *count += 1,
                None => return Err(cannot("that variant")),
            }
        }
        Ok(counts)
    }

    /// Appends the column, without those inside of it.
    fn put(self, out: &mut Vec<u8>) {
        let (int, size) = self.ints();
        if let Some(bounds) = self.measure.bounds {
            match size {
                1 => ints::put(int, bounds, self.words().map(u8::from_le_bytes), out),
                2 => ints::put(int, bounds, self.words().map(u16::from_le_bytes), out),
                4 => ints::put(int, bounds, self.words().map(u32::from_le_bytes), out),
                _ => ints::put(int, bounds, self.words().map(u64::from_le_bytes), out),
            }
        }
        match self.column.form {
            Form::Fixed(_) => out.extend_from_slice(&self.values.bytes),
            Form::Text(_) | Form::Wide => put_bytes(out, &self.values.bytes),
            _ => {}
        }
    }
}
