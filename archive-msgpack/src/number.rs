//! Reads numbers.

use archive_core::{Integer, Number, Result};
use rmp::Marker;

use crate::cursor::Cursor;

/// The markers of integers are consecutive: unsigned ones of 8, 16, 32 and 64 bits, then signed
/// ones.
const U8: u8 = 0xcc;
const I8: u8 = 0xd0;
const I64: u8 = 0xd3;

impl Cursor<'_> {
    /// Reads an integer of more than seven bits that is not at the end of the input. All widths are
    /// read as the widest one and shifted, because a branch on the width is unpredictable.
    #[inline(always)]
    pub(crate) fn long_integer<T: Integer>(&mut self) -> Option<T> {
        let [marker, rest @ ..] = self.rest() else { return None };
        let kind = marker.wrapping_sub(U8);
        if kind > I64 - U8 {
            let value = (*marker >= 0xe0).then_some(i128::from(*marker as i8))?;
            let value = T::try_from(value).ok()?;
            self.at += 1;
            return Some(value);
        }
        let (bytes, bits) = (1 << (kind & 3), 8 << (kind & 3));
        let wide = u64::from_be_bytes(*rest.first_chunk()?);
        let value = if kind < I8 - U8 {
            T::try_from(i128::from(wide >> (64 - bits)))
        } else {
            T::try_from(i128::from(wide as i64 >> (64 - bits)))
        };
        let value = value.ok()?;
        self.at += 1 + bytes;
        Some(value)
    }

    /// Reads an integer. Returns `None` if the value is not an integer.
    #[inline]
    pub(crate) fn integer(&mut self) -> Result<Option<i128>> {
        let marker = self.marker();
        let start = self.at;
        self.at += 1;
        Ok(Some(match marker {
            Marker::FixPos(value) => value.into(),
            Marker::FixNeg(value) => value.into(),
            Marker::U8 => u8::from_be_bytes(self.array()?).into(),
            Marker::U16 => u16::from_be_bytes(self.array()?).into(),
            Marker::U32 => u32::from_be_bytes(self.array()?).into(),
            Marker::U64 => u64::from_be_bytes(self.array()?).into(),
            Marker::I8 => i8::from_be_bytes(self.array()?).into(),
            Marker::I16 => i16::from_be_bytes(self.array()?).into(),
            Marker::I32 => i32::from_be_bytes(self.array()?).into(),
            Marker::I64 => i64::from_be_bytes(self.array()?).into(),
            _ => {
                self.at = start;
                return Ok(None);
            }
        }))
    }

    /// Reads a number. Returns `None` if the value is not a number.
    pub(crate) fn number(&mut self) -> Result<Option<Number>> {
        let marker = self.marker();
        if !matches!(marker, Marker::F32 | Marker::F64) {
            return Ok(self.integer()?.map(Number::Int));
        }
        self.at += 1;
        Ok(Some(if marker == Marker::F32 {
            Number::F32(f32::from_be_bytes(self.array()?))
        } else {
            Number::F64(f64::from_be_bytes(self.array()?))
        }))
    }
}
