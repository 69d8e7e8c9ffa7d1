//! Numbers: reading them, and converting them to the requested type.

use std::str::FromStr;

use archive_core::shape::Primitive;
use archive_core::{Error, Found, Integer, Number, Result};

use super::Decoder;
use super::slot::Slot;
use crate::types::DataType;

impl Decoder<'_> {
    /// The number at the cursor.
    pub(super) fn any_number(&mut self, expected: &str) -> Result<Number> {
        self.one_number()?.ok_or_else(|| self.wrong_type(expected))
    }

    /// The number at the cursor, if it is one.
    pub(super) fn one_number(&self) -> Result<Option<Number>> {
        let Some(found) = self.slot.kind.primitive().filter(|_| self.slot.is_scalar(&self.input))
        else {
            return Ok(None);
        };
        Ok(Some(match found {
            Primitive::U8 => Number::Int(u8::from_le_bytes(self.fixed()?).into()),
            Primitive::U16 => Number::Int(u16::from_le_bytes(self.fixed()?).into()),
            Primitive::U32 => Number::Int(u32::from_le_bytes(self.fixed()?).into()),
            Primitive::U64 => Number::Int(u64::from_le_bytes(self.fixed()?).into()),
            Primitive::I8 => Number::Int(i8::from_le_bytes(self.fixed()?).into()),
            Primitive::I16 => Number::Int(i16::from_le_bytes(self.fixed()?).into()),
            Primitive::I32 => Number::Int(i32::from_le_bytes(self.fixed()?).into()),
            Primitive::I64 => Number::Int(i64::from_le_bytes(self.fixed()?).into()),
            Primitive::I128 => Number::Int(i128::from_le_bytes(self.fixed()?)),
            Primitive::U128 => {
                let value = u128::from_le_bytes(self.fixed()?);
                i128::try_from(value).map_or(Number::UInt(value), Number::Int)
            }
            Primitive::F32 => Number::F32(f32::from_le_bytes(self.fixed()?)),
            Primitive::F64 => Number::F64(f64::from_le_bytes(self.fixed()?)),
            _ => return Ok(None),
        }))
    }

    fn convert<T>(&mut self, asked: Primitive, to: impl FnOnce(Number) -> Result<T>) -> Result<T> {
        let number = self.any_number(asked.name())?;
        let value = to(number).map_err(|error| self.here(error))?;
        self.conversion = number.conversion(asked);
        Ok(value)
    }

    /// Reads an integer of another type. 128-bit integers may be text, as formats without such
    /// integers write them.
    #[cold]
    pub(super) fn integer<T: Integer + FromStr>(&mut self, asked: Primitive) -> Result<T> {
        if matches!(asked, Primitive::U128 | Primitive::I128) && self.slot.is_text() {
            return self.parse(asked, |text| text.parse().ok());
        }
        self.convert(asked, Number::to_integer)
    }

    #[cold]
    pub(super) fn short_float(&mut self) -> Result<f32> {
        if self.slot.is_text() {
            return self.parse(Primitive::F32, non_finite).map(|value| value as f32);
        }
        self.convert(Primitive::F32, Number::to_f32)
    }

    #[cold]
    pub(super) fn float(&mut self) -> Result<f64> {
        if self.slot.is_text() {
            return self.parse(Primitive::F64, non_finite);
        }
        self.convert(Primitive::F64, Number::to_f64)
    }

    pub(super) fn parse<T>(
        &mut self,
        asked: Primitive,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T> {
        let expected = if asked == Primitive::Char { "a character" } else { asked.name() };
        let text = self.text(expected)?;
        if let Some(value) = parse(text) {
            return Ok(value);
        }
        let error = Error::wrong_type(expected, Found::Text(text));
        Err(self.here(error))
    }
}

impl Slot {
    fn is_text(&self) -> bool {
        matches!(self.kind, DataType::Char | DataType::Text)
    }
}

/// Returns the float that a text represents in formats whose numbers cannot express it.
fn non_finite(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "inf" => Some(f64::INFINITY),
        "-inf" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}
