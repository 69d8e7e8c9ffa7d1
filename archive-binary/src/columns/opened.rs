//! [`Opened`]: the values of a block while they are loaded.

use std::ops::Range;

use archive_core::Result;
use archive_core::columns::Taken;
use archive_core::shape::Primitive;

use crate::columnar::ints::{Int, open_group};
use crate::columnar::{Form, Layout, each_payload};
use crate::cursor::{Cursor, bad_text, syntax, too_many};

/// The columns of a block. They were checked: each value is valid, and the columns have as many values
/// as the entries need.
pub(super) struct Opened<'l, 'r> {
    pub(super) columns: Vec<Taken<'r>>,
    pub(super) layout: &'l Layout,
    /// The columns of the block.
    read: Vec<usize>,
}

impl<'l, 'r> Opened<'l, 'r> {
    /// Creates columns without values in the memory of other ones, whose values were taken.
    pub(super) fn new(layout: &'l Layout, mut columns: Vec<Taken<'r>>) -> Self {
        columns.resize_with(layout.len().max(columns.len()), Taken::default);
        Opened { columns, layout, read: Vec::new() }
    }

    /// Returns the memory of the columns.
    pub(super) fn into_memory(self) -> Vec<Taken<'r>> {
        self.columns
    }

    /// Returns a column.
    #[inline(always)]
    pub(super) fn get(&mut self, at: usize) -> Option<&mut Taken<'r>> {
        self.columns.get_mut(at)
    }

    /// Returns what a column is for.
    #[inline(always)]
    pub(super) fn form(&self, at: usize) -> Option<&'l Form> {
        self.layout.get(at).map(|column| &column.form)
    }

    /// Returns the index after a column and those inside of it.
    #[inline(always)]
    pub(super) fn end_of(&self, at: usize) -> usize {
        self.layout.get(at).map_or(at, |column| column.next)
    }

    /// Whether all values were taken.
    pub(super) fn is_done(&self) -> bool {
        self.read.iter().all(|at| self.columns[*at].is_done())
    }

    /// Leaves out all values.
    pub(super) fn clear(&mut self) {
        self.read.drain(..).for_each(|at| self.columns[at].clear());
    }

    /// Reads the columns at the cursor for that many entries.
    pub(super) fn read(&mut self, rows: u64, from: &mut Cursor<'r>) -> Result {
        self.clear();
        self.read_all(0..self.layout.len(), rows, from)
    }

    fn read_all(&mut self, range: Range<usize>, rows: u64, from: &mut Cursor<'r>) -> Result {
        let mut at = range.start;
        while at < range.end && rows > 0 {
            let start = from.at();
            self.read.push(at);
            let (values, column) = (&mut self.columns[at], &self.layout[at]);
            read(values, &column.form, rows, from)?;
            let inner = at + 1..column.next;
            match &column.form {
                Form::Option | Form::List if !inner.is_empty() => {
                    let count = from.u64()?;
                    if values.ints.sum() != count {
                        return Err(syntax("a block does not have the values of its lists", start));
                    }
                    self.read_all(inner, count, from)?;
                }
                Form::Array(len) => {
                    let count = rows.checked_mul(*len);
                    let Some(count) = count else { return Err(too_many(*len, from.left(), start)) };
                    self.read_all(inner, count, from)?;
                }
                Form::Enum(payloads) => self.read_payloads(at, payloads, from)?,
                _ => {}
            }
            at = column.next;
        }
        Ok(())
    }

    fn read_payloads(&mut self, at: usize, payloads: &[u32], from: &mut Cursor<'r>) -> Result {
        let start = from.at();
        let end = self.layout[at].next;
        let mut counts = vec![0_u64; payloads.len()];
        self.columns[at].ints.clone().each(|variant| counts[variant as usize] += 1);
        let mut left = from.u64()?;
        for (variant, first, end) in each_payload(payloads, end) {
            let count = counts[variant];
            if count == 0 {
                continue;
            }
            if left == 0 || from.u64()? != variant as u64 || from.u64()? != count {
                return Err(syntax("the payloads of an enum are not those of its variants", start));
            }
            left -= 1;
            self.read_all(first..end, count, from)?;
        }
        if left > 0 {
            return Err(syntax("the payloads of an enum are not those of its variants", start));
        }
        Ok(())
    }

    /// Takes numbers of that size as they are in memory, and appends them if they are not in the file in
    /// that form. Returns `None` if the column has other values.
    pub(super) fn numbers<'b>(
        &mut self,
        at: usize,
        (count, size): (usize, usize),
        room: &'b mut Vec<u8>,
    ) -> Option<&'b [u8]>
    where
        'r: 'b,
    {
        let (form, values) = (self.form(at)?, self.columns.get_mut(at)?);
        let number = match form {
            // All values of that size are in the column in the same form.
            Form::Fixed(len) if *len == size => return values.take(count.checked_mul(size)?),
            Form::Bool if size == 1 => Primitive::Bool,
            Form::Int(int, len) if *len == size => int.number(size),
            _ => return None,
        };
        values.numbers(count, number, room)
    }
}

/// Reads a column, without those inside of it.
fn read<'r>(values: &mut Taken<'r>, form: &Form, rows: u64, from: &mut Cursor<'r>) -> Result {
    let at = from.at();
    let (int, size, most) = match form {
        Form::Int(int, size) => (*int, *size, u64::MAX),
        Form::Bool => (Int::unsigned(1), 1, 1),
        Form::Option => (Int::VARINT, 8, 1),
        Form::Enum(payloads) => (Int::VARINT, 8, payloads.len() as u64 - 1),
        Form::Fixed(len) => {
            values.bytes = from.take(rows.saturating_mul(*len as u64))?;
            return Ok(());
        }
        Form::Array(_) => return Ok(()),
        Form::Text(_) | Form::Wide | Form::List => (Int::VARINT, 8, u64::MAX),
    };
    values.ints = open_group(int, rows, size, most, from)?;
    let (Form::Text(_) | Form::Wide) = form else { return Ok(()) };
    let bytes = from.bytes()?;
    if values.ints.sum() != bytes.len() as u64 {
        return Err(syntax("a block does not have the bytes of its texts", at));
    }
    match form {
        Form::Text(true) => match std::str::from_utf8(bytes) {
            Ok(text) => values.text = text,
            Err(error) => return Err(bad_text(error, from.at() - bytes.len())),
        },
        _ => values.bytes = bytes,
    }
    Ok(())
}
