//! [`Opened`]: the values of a block while they are loaded.

use std::ops::Range;

use archive_core::{Error, ErrorKind, Result};

use crate::columnar::ints::{Group, Int, too_few};
use crate::columnar::{Column, Form, Layout, each_payload};
use crate::cursor::{Cursor, bad_text, syntax, too_many};

/// The columns of a block. They were checked: each value is valid, and the columns have as many values
/// as the entries need.
pub(super) struct Opened<'l, 'r> {
    columns: Vec<Values<'l, 'r>>,
}

/// The values of a column.
pub(super) struct Values<'l, 'r> {
    pub(super) column: &'l Column,
    /// The integers, lengths, variants or flags.
    pub(super) ints: Group<'r>,
    /// The bytes and texts that are left.
    bytes: &'r [u8],
    text: &'r str,
}

impl<'l, 'r> Opened<'l, 'r> {
    /// Creates columns without values.
    pub(super) fn new(layout: &'l Layout) -> Self {
        let of = |column| Values { column, ints: Group::default(), bytes: &[], text: "" };
        Opened { columns: layout.iter().map(of).collect() }
    }

    /// Returns a column.
    #[inline(always)]
    pub(super) fn get(&mut self, at: usize) -> Option<&mut Values<'l, 'r>> {
        self.columns.get_mut(at)
    }

    /// Returns the index after a column and those inside of it.
    #[inline(always)]
    pub(super) fn end_of(&self, at: usize) -> usize {
        self.columns.get(at).map_or(at, |values| values.column.next)
    }

    /// Whether all values were taken.
    pub(super) fn is_done(&self) -> bool {
        let is_done = |values: &Values<'_, '_>| {
            values.ints.is_done() && values.bytes.is_empty() && values.text.is_empty()
        };
        self.columns.iter().all(is_done)
    }

    /// Reads the columns at the cursor for that many entries.
    pub(super) fn read(&mut self, rows: u64, from: &mut Cursor<'r>) -> Result {
        self.columns.iter_mut().for_each(|values| values.ints = Group::default());
        self.read_all(0..self.columns.len(), rows, from)
    }

    fn read_all(&mut self, range: Range<usize>, rows: u64, from: &mut Cursor<'r>) -> Result {
        let mut at = range.start;
        while at < range.end && rows > 0 {
            let start = from.at();
            let values = &mut self.columns[at];
            let column = values.column;
            values.read(rows, from)?;
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
        let values = &mut self.columns[at];
        let end = values.column.next;
        let mut counts = vec![0_u64; payloads.len()];
        values.ints.clone().each(|variant| counts[variant as usize] += 1);
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
}

impl<'r> Values<'_, 'r> {
    /// Reads the column at the cursor, without those inside of it.
    fn read(&mut self, rows: u64, from: &mut Cursor<'r>) -> Result {
        let at = from.at();
        let (int, size, most) = match &self.column.form {
            Form::Int(int, size) => (*int, *size, u64::MAX),
            Form::Bool => (Int::unsigned(1), 1, 1),
            Form::Option => (Int::VARINT, 8, 1),
            Form::Enum(payloads) => (Int::VARINT, 8, payloads.len() as u64 - 1),
            Form::Fixed(len) => {
                self.bytes = from.take(rows.saturating_mul(*len as u64))?;
                return Ok(());
            }
            Form::Array(_) => return Ok(()),
            Form::Text(_) | Form::Wide | Form::List => (Int::VARINT, 8, u64::MAX),
        };
        self.ints = Group::open(int, rows, size, most, from)?;
        let (Form::Text(_) | Form::Wide) = self.column.form else { return Ok(()) };
        let bytes = from.bytes()?;
        if self.ints.sum() != bytes.len() as u64 {
            return Err(syntax("a block does not have the bytes of its texts", at));
        }
        match self.column.form {
            Form::Text(true) => match std::str::from_utf8(bytes) {
                Ok(text) => self.text = text,
                Err(error) => return Err(bad_text(error, from.at() - bytes.len())),
            },
            _ => self.bytes = bytes,
        }
        Ok(())
    }

    /// Takes the next bytes.
    #[inline(always)]
    pub(super) fn take(&mut self, len: usize) -> Result<&'r [u8]> {
        let Some((taken, rest)) = self.bytes.split_at_checked(len) else { return Err(too_few()) };
        self.bytes = rest;
        Ok(taken)
    }

    /// Takes bytes of that number.
    #[inline(always)]
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some((taken, rest)) = self.bytes.split_first_chunk() else { return Err(too_few()) };
        self.bytes = rest;
        Ok(*taken)
    }

    /// Takes the next text.
    #[inline(always)]
    pub(super) fn text(&mut self) -> Result<&'r str> {
        let len = self.ints.next()? as usize;
        match self.text.split_at_checked(len) {
            Some((taken, rest)) => {
                self.text = rest;
                Ok(taken)
            }
            None if len < self.text.len() => {
                Err(Error::new(ErrorKind::Syntax, "a text ends inside a character"))
            }
            None => Err(too_few()),
        }
    }
}
