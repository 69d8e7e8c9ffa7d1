//! Columns of integers: the smallest one, and the differences from it in as many bits as the largest
//! difference needs.

mod group;
mod put;
mod read;

pub(crate) use group::open_group;
pub(crate) use put::{Bounds, bounds, put};
pub(crate) use read::Ints;

use archive_core::shape::Primitive;
use archive_core::{Error, ErrorKind, Result};

use crate::cursor::Cursor;
use crate::varint::{len_u64, put_i64, put_u64, zigzag};
use put::Word;

/// The widths of differences, in bits.
const WIDTHS: [u8; 7] = [1, 2, 4, 8, 16, 32, 64];
/// A row is at most that many times as long as the same values in columns.
pub(crate) const EXPANSION: u64 = 32;
/// The sign bit is flipped, so that signed integers have the order of their bits.
const SIGN: u64 = 1 << 63;

/// How an integer is stored in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Int {
    /// The number of bytes, or 0 for a varint.
    bytes: u8,
    signed: bool,
}

impl Int {
    pub(crate) const VARINT: Int = Int { bytes: 0, signed: false };
    pub(crate) const ZIGZAG: Int = Int { bytes: 0, signed: true };

    pub(crate) const fn unsigned(bytes: u8) -> Int {
        Int { bytes, signed: false }
    }

    pub(crate) const fn signed(bytes: u8) -> Int {
        Int { bytes, signed: true }
    }

    pub(crate) fn is_fixed(self) -> bool {
        self.bytes != 0
    }

    /// Returns whether the integers can be negative.
    pub(crate) fn is_signed(self) -> bool {
        self.signed
    }

    /// Returns the type of such integers of that many bytes.
    pub(crate) fn number(self, bytes: usize) -> Primitive {
        match (self.signed, bytes) {
            (false, 1) => Primitive::U8,
            (false, 2) => Primitive::U16,
            (false, 4) => Primitive::U32,
            (false, _) => Primitive::U64,
            (true, 1) => Primitive::I8,
            (true, 2) => Primitive::I16,
            (true, 4) => Primitive::I32,
            (true, _) => Primitive::I64,
        }
    }

    /// Reads an integer of a row. The results have the order of the integers.
    #[inline]
    pub(crate) fn read(self, row: &mut Cursor<'_>) -> Result<u64> {
        if self.signed {
            let value = match self.bytes {
                0 => row.i64()?,
                1 => i8::from_le_bytes(row.array()?).into(),
                2 => i16::from_le_bytes(row.array()?).into(),
                4 => i32::from_le_bytes(row.array()?).into(),
                _ => i64::from_le_bytes(row.array()?),
            };
            return Ok(value.cast_unsigned() ^ SIGN);
        }
        Ok(match self.bytes {
            0 => row.u64()?,
            1 => row.byte()?.into(),
            2 => u16::from_le_bytes(row.array()?).into(),
            4 => u32::from_le_bytes(row.array()?).into(),
            _ => u64::from_le_bytes(row.array()?),
        })
    }

    /// Appends an integer to a row. Returns whether it fits.
    #[inline]
    fn write(self, value: u64, row: &mut Vec<u8>) -> bool {
        if self.signed {
            let value = (value ^ SIGN).cast_signed();
            match self.bytes {
                0 => put_i64(row, value),
                1 => row.push(value as u8),
                2 => row.extend_from_slice(&(value as i16).to_le_bytes()),
                4 => row.extend_from_slice(&(value as i32).to_le_bytes()),
                _ => row.extend_from_slice(&value.to_le_bytes()),
            }
            let unused = 64 - 8 * u32::from(self.bytes).max(1);
            return matches!(self.bytes, 0 | 8) || value << unused >> unused == value;
        }
        match self.bytes {
            0 => put_u64(row, value),
            1 => row.push(value as u8),
            2 => row.extend_from_slice(&(value as u16).to_le_bytes()),
            4 => row.extend_from_slice(&(value as u32).to_le_bytes()),
            _ => row.extend_from_slice(&value.to_le_bytes()),
        }
        matches!(self.bytes, 0 | 8) || value >> (8 * self.bytes) == 0
    }

    /// Returns an integer as an unsigned one of 64 bits with the same order. `word` is the integer, with
    /// its sign bit flipped if it is signed.
    #[inline(always)]
    fn ordered<T: Word>(self, word: T) -> u64 {
        word.into().wrapping_add(self.offset::<T>())
    }

    /// The difference between an integer of 64 bits and one of fewer bits with the same order.
    #[inline(always)]
    fn offset<T: Word>(self) -> u64 {
        if self.signed { SIGN - (1 << (T::BITS - 1)) } else { 0 }
    }

    /// Whether all integers between two that have the same number of bytes in a row also have it.
    fn have_one_len(self, least: u64, most: u64) -> bool {
        self.bytes > 0 || !self.signed || (least < SIGN) == (most < SIGN)
    }

    /// The number of bytes of an integer in a row.
    fn len(self, value: u64) -> u64 {
        match self.bytes {
            0 if self.signed => len_u64(zigzag((value ^ SIGN).cast_signed())),
            0 => len_u64(value),
            len => len.into(),
        }
    }

    /// Whether differences from `least` may have that width. They may not if a row could be too long.
    fn allows(self, width: u8, least: u64) -> bool {
        let longest = self.len(least).max(self.len(least.saturating_add(mask(width))));
        8 * longest <= EXPANSION * u64::from(width)
    }
}

/// The largest difference of a width.
fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - width)
}

/// Creates the error for a block whose columns are too short.
#[cold]
pub(crate) fn too_few() -> Error {
    Error::new(ErrorKind::Syntax, "a block has fewer values than its entries")
}

#[cold]
fn too_large() -> Error {
    Error::new(ErrorKind::Syntax, "a column has a number that is too large")
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Int; 10] = [
        Int::VARINT,
        Int::ZIGZAG,
        Int::unsigned(1),
        Int::unsigned(2),
        Int::unsigned(4),
        Int::unsigned(8),
        Int::signed(1),
        Int::signed(2),
        Int::signed(4),
        Int::signed(8),
    ];

    /// The ordered form of an integer of a kind whose bits are those of a number.
    fn of(int: Int, number: u64) -> u64 {
        let mut row = Vec::new();
        let shift = 64 - 8 * u32::from(int.bytes);
        let number = match int {
            Int { bytes: 0, .. } => number,
            Int { signed: true, .. } => (number.cast_signed() << shift >> shift).cast_unsigned(),
            _ => number << shift >> shift,
        };
        let ordered = if int.signed { number ^ SIGN } else { number };
        assert!(int.write(ordered, &mut row));
        assert_eq!(int.len(ordered), row.len() as u64);
        assert_eq!(int.read(&mut Cursor::new(&row, 0)).unwrap(), ordered);
        ordered
    }

    /// Around every power of two, with every distance to the next number.
    #[test]
    fn columns_are_their_rows() {
        for int in KINDS {
            for (base, distance) in (0..64).flat_map(|base| (0..64).map(move |to| (base, to))) {
                let base = (1_u64 << base).wrapping_sub(1);
                let values: Vec<u64> = (0..19)
                    .map(|at| {
                        of(int, base.wrapping_add(((1 << distance) >> (at % 7)) & (u64::MAX - at)))
                    })
                    .collect();
                let (mut column, mut expected, mut row) = (Vec::new(), Vec::new(), Vec::new());
                let values_of = || values.iter().copied();
                put(int, bounds(int, values_of()).unwrap(), values_of(), &mut column);
                values.iter().for_each(|value| assert!(int.write(*value, &mut expected)));
                let mut ints = Ints::open(int, 19, &mut Cursor::new(&column, 0)).unwrap();
                values.iter().for_each(|value| assert_eq!(ints.copy(&mut row).unwrap(), *value));
                assert_eq!(row, expected);
                assert!(row.len() as u64 <= EXPANSION * column.len() as u64);
            }
        }
    }

    /// A number of a fixed size that does not fit, and one of more than 64 bits.
    #[test]
    fn numbers_that_are_too_large() {
        for (int, column) in [
            (Int::unsigned(1), &[8, 200, 100][..]),
            (Int::signed(2), &[16, 0xff, 0x7f, 1, 0]),
            (Int::VARINT, &[8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1]),
        ] {
            let mut ints = Ints::open(int, 1, &mut Cursor::new(column, 0)).unwrap();
            let error = ints.copy(&mut Vec::new()).unwrap_err();
            assert!(error.message().contains("too large"), "{error}");
        }
    }
}
