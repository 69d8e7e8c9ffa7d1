//! Scalars: what stands at the cursor, as the type that wants it.

use std::borrow::Cow;
use std::str::FromStr;

use archive_core::{Error, Integer, Number, Primitive, Result};

use crate::decoder::Decoder;
use crate::number::Decimal;

impl<'a> Decoder<'a> {
    /// Reads text.
    #[inline]
    pub(crate) fn text(&mut self, expected: &str) -> Result<Cow<'a, str>> {
        self.begin_text(expected)?;
        self.cursor.string()
    }

    /// Checks that text comes next.
    #[inline]
    pub(crate) fn begin_text(&mut self, expected: &str) -> Result {
        self.start = self.cursor.at;
        if self.cursor.byte() == b'"' { Ok(()) } else { Err(self.wrong_type(expected)) }
    }

    /// Reads a number as it is.
    pub(crate) fn any_number(&mut self) -> Result<Number> {
        let decimal = self.decimal("a number")?;
        decimal.to_number().map_err(|error| self.here(error))
    }

    /// Reads an integer.
    #[inline]
    pub(crate) fn integer<T: Integer>(&mut self, primitive: Primitive) -> Result<T> {
        self.start = self.cursor.at;
        if let Some((negative, value)) = self.cursor.short_integer() {
            let value = i128::from(value);
            let value = if negative { T::try_from(-value) } else { T::try_from(value) };
            if let Ok(value) = value {
                return Ok(value);
            }
        }
        self.cursor.at = self.start;
        self.long_integer(primitive)
    }

    /// Reads an integer of any length, or one that is written as a float.
    #[cold]
    fn long_integer<T: Integer>(&mut self, primitive: Primitive) -> Result<T> {
        let decimal = self.decimal(T::NAME)?;
        let number = decimal.to_number().map_err(|error| self.here(error))?;
        let value = number.to_integer().map_err(|error| self.here(error))?;
        self.conversion = number.conversion(primitive);
        Ok(value)
    }

    /// Reads an integer of sixteen bytes, also from text, where other programs keep them.
    #[inline]
    pub(crate) fn big_integer<T: Integer + FromStr>(&mut self, primitive: Primitive) -> Result<T> {
        if self.cursor.byte() != b'"' {
            return self.integer(primitive);
        }
        let text = self.text(T::NAME)?;
        text.parse().map_err(|_| self.wrong_type(T::NAME))
    }

    /// Reads a float of four bytes.
    #[inline]
    pub(crate) fn short_float(&mut self) -> Result<f32> {
        self.start = self.cursor.at;
        if let Some(value) = self.cursor.short_decimal().and_then(|decimal| decimal.to_f32()) {
            return Ok(value);
        }
        self.cursor.at = self.start;
        self.any_short_float()
    }

    #[inline(never)]
    fn any_short_float(&mut self) -> Result<f32> {
        if self.cursor.byte() == b'"' {
            return self.non_finite("f32").map(|value| value as f32);
        }
        self.decimal("f32")?.to_f32().map_err(|error| self.here(error))
    }

    /// Reads a float of eight bytes.
    #[inline]
    pub(crate) fn float(&mut self) -> Result<f64> {
        self.start = self.cursor.at;
        if let Some(value) = self.cursor.short_decimal().and_then(|decimal| decimal.to_f64()) {
            return Ok(value);
        }
        self.cursor.at = self.start;
        self.any_float()
    }

    #[inline(never)]
    fn any_float(&mut self) -> Result<f64> {
        if self.cursor.byte() == b'"' {
            return self.non_finite("f64");
        }
        self.decimal("f64")?.to_f64().map_err(|error| self.here(error))
    }

    /// Reads a float that JSON's numbers cannot express.
    #[cold]
    fn non_finite(&mut self, expected: &str) -> Result<f64> {
        match &*self.text(expected)? {
            "NaN" => Ok(f64::NAN),
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            _ => Err(self.wrong_type(expected)),
        }
    }

    #[inline(always)]
    fn decimal(&mut self, expected: &str) -> Result<Decimal<'a>> {
        self.start = self.cursor.at;
        match self.cursor.byte() {
            b'-' | b'0'..=b'9' => self.cursor.decimal(),
            _ => Err(self.wrong_type(expected)),
        }
    }

    /// The error for a value of another type, at the value that was begun last.
    #[cold]
    pub(crate) fn wrong_type(&self, expected: &str) -> Error {
        self.cursor.moved(self.start).wrong_type(expected)
    }

    /// An error at the value that was begun last.
    #[cold]
    pub(crate) fn here(&self, error: Error) -> Error {
        error.at(self.cursor.moved(self.start).position())
    }
}
