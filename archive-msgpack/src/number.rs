//! Numbers as they stand in the input.

use archive_core::{Number, Result};
use rmp::Marker;

use crate::cursor::Cursor;

impl Cursor<'_> {
    /// Reads an integer; `None` if something else stands here.
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

    /// Reads a number; `None` if something else stands here.
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
