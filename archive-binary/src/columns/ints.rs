//! Columns of integers: the smallest one, and the differences from it in as many bits as the largest
//! difference needs.

use archive_core::{Error, ErrorKind, Result};

use crate::cursor::{Cursor, syntax};
use crate::varint::{len_u64, put_i64, put_u64, zigzag};

/// The widths of differences, in bits.
const WIDTHS: [u8; 7] = [1, 2, 4, 8, 16, 32, 64];
/// A row is at most that many times as long as the same values in columns.
pub(super) const EXPANSION: u64 = 32;
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
    pub(super) const VARINT: Int = Int { bytes: 0, signed: false };
    pub(super) const ZIGZAG: Int = Int { bytes: 0, signed: true };

    pub(super) const fn unsigned(bytes: u8) -> Int {
        Int { bytes, signed: false }
    }

    pub(super) const fn signed(bytes: u8) -> Int {
        Int { bytes, signed: true }
    }

    pub(super) fn is_fixed(self) -> bool {
        self.bytes != 0
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

/// Appends a column. A column without values takes no bytes.
pub(super) fn put(int: Int, values: &[u64], out: &mut Vec<u8>) {
    let Some(first) = values.first() else { return };
    let bounds = |(least, most): (u64, u64), value: &u64| (least.min(*value), most.max(*value));
    let (least, most) = values.iter().fold((*first, *first), bounds);
    let is_enough = |width: &u8| mask(*width) >= most - least && int.allows(*width, least);
    let width = WIDTHS.into_iter().find(is_enough).unwrap_or(64);
    out.push(width);
    int.write(least, out);
    let differences = values.iter().map(|value| value.wrapping_sub(least));
    match width {
        1 => out.extend(values.chunks(8).map(|values| packed(values, least, 1))),
        2 => out.extend(values.chunks(4).map(|values| packed(values, least, 2))),
        4 => out.extend(values.chunks(2).map(|values| packed(values, least, 4))),
        8 => out.extend(differences.map(|value| value as u8)),
        16 => out.extend(differences.flat_map(|value| (value as u16).to_le_bytes())),
        32 => out.extend(differences.flat_map(|value| (value as u32).to_le_bytes())),
        _ => out.extend(differences.flat_map(u64::to_le_bytes)),
    }
}

/// Returns the byte with the differences of some values from the least one.
#[inline(always)]
fn packed(values: &[u64], least: u64, width: usize) -> u8 {
    let shifted = values.iter().zip((0..8).step_by(width));
    shifted.fold(0, |byte, (value, shift)| byte | (value.wrapping_sub(least) as u8) << shift)
}

/// A column that is read.
#[derive(Clone, Copy)]
pub(super) struct Ints<'a> {
    int: Int,
    width: u8,
    least: u64,
    bytes: &'a [u8],
    /// The index of the next value.
    next: usize,
}

impl<'a> Ints<'a> {
    /// A column without values.
    pub(super) const EMPTY: Self =
        Ints { int: Int::VARINT, width: 1, least: 0, bytes: &[], next: 0 };

    /// Reads the column at the cursor, which has at least a value.
    pub(super) fn open(int: Int, rows: u64, from: &mut Cursor<'a>) -> Result<Self> {
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
    pub(super) fn next(&mut self) -> Result<u64> {
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
    pub(super) fn copy(&mut self, row: &mut Vec<u8>) -> Result<u64> {
        let value = self.next()?;
        if self.int.write(value, row) { Ok(value) } else { Err(too_large()) }
    }
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
                put(int, &values, &mut column);
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
