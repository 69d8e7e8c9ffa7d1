//! [`Ints`]: reads a column of integers one by one, and writes them to rows.

use archive_core::Result;

use super::{Int, WIDTHS, too_large};
use crate::cursor::{Cursor, syntax};

/// A column that is read.
#[derive(Clone, Copy)]
pub(crate) struct Ints<'a> {
    int: Int,
    pub(super) width: u8,
    pub(super) least: u64,
    pub(super) bytes: &'a [u8],
    /// The index of the next value.
    next: usize,
}

impl<'a> Ints<'a> {
    /// A column without values.
    pub(crate) const EMPTY: Self =
        Ints { int: Int::VARINT, width: 1, least: 0, bytes: &[], next: 0 };

    /// Reads the column at the cursor, which has at least a value.
    pub(crate) fn open(int: Int, rows: u64, from: &mut Cursor<'a>) -> Result<Self> {
        let at = from.at();
        let width = from.byte()?;
        let least = int.read(from)?;
        if !WIDTHS.contains(&width) || !int.allows(width, least) {
            return Err(syntax(format_args!("a column cannot have {width} bits from there"), at));
        }
        let len = u128::from(rows) * u128::from(width);
        let bytes = from.take(u64::try_from(len.div_ceil(8)).unwrap_or(u64::MAX))?;
        Ok(Ints { int, width, least, bytes, next: 0 })
    }

    /// Returns the next value.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<u64> {
        match self.difference().and_then(|difference| self.least.checked_add(difference)) {
            Some(value) => {
                self.next += 1;
                Ok(value)
            }
            None => Err(too_large()),
        }
    }

    #[inline]
    fn difference(&self) -> Option<u64> {
        let (bytes, at) = (self.bytes, self.next);
        let bits = |each: usize| {
            let byte = u64::from(*bytes.get(at / each)?);
            Some(byte >> (at % each * (8 / each)) & ((1 << (8 / each)) - 1))
        };
        match self.width {
            1 => bits(8),
            2 => bits(4),
            4 => bits(2),
            8 => bytes.get(at).map(|byte| (*byte).into()),
            16 => bytes.as_chunks().0.get(at).map(|word| u16::from_le_bytes(*word).into()),
            32 => bytes.as_chunks().0.get(at).map(|word| u32::from_le_bytes(*word).into()),
            _ => bytes.as_chunks().0.get(at).map(|word| u64::from_le_bytes(*word)),
        }
    }

    /// Copies the next value to a row, and returns it.
    #[inline]
    pub(crate) fn copy(&mut self, row: &mut Vec<u8>) -> Result<u64> {
        let value = self.next()?;
        if self.int.write(value, row) { Ok(value) } else { Err(too_large()) }
    }
}
