//! Scalars: what stands at the cursor, as the type that wants it.

use std::str::FromStr;

use archive_core::{Error, Integer, Number, Primitive, Result};

use crate::cursor::Text;
use crate::decoder::Decoder;
use crate::number::Decimal;
use crate::source::Source;

impl<S: Source> Decoder<'_, S> {
    /// Reads text.
    #[inline]
    pub(crate) fn text(&mut self, expected: &str) -> Result<Text> {
        self.begin_text(expected)?;
        self.cursor.string()
    }

    /// Checks that text comes next.
    #[inline]
    pub(crate) fn begin_text(&mut self, expected: &str) -> Result {
        self.cursor.begin();
        if self.cursor.byte() == b'"' { Ok(()) } else { Err(self.wrong_type(expected)) }
    }

    /// Reads a number as it is.
    pub(crate) fn any_number(&mut self) -> Result<Number> {
        let mut lost = false;
        let number = self.decimal("a number", |decimal| {
            let number = decimal.to_number()?;
            lost = number == Number::F64(0.0) && !decimal.is_zero();
            Ok(number)
        })?;
        self.note_zero(lost, Primitive::F64);
        Ok(number)
    }

    /// Notes a number that is not zero and became it.
    fn note_zero(&mut self, lost: bool, to: Primitive) {
        if lost {
            self.conversion = Some((Primitive::F64, to));
        }
    }

    /// Reads an integer.
    #[inline]
    pub(crate) fn integer<T: Integer>(&mut self, primitive: Primitive) -> Result<T> {
        self.cursor.begin();
        if let Some((negative, value)) = self.cursor.short_integer() {
            let value = i128::from(value);
            let value = if negative { T::try_from(-value) } else { T::try_from(value) };
            if let Ok(value) = value {
                return Ok(value);
            }
        }
        self.cursor.go(self.cursor.start);
        self.long_integer(primitive)
    }

    /// Reads an integer of any length, or one that is written as a float.
    #[cold]
    fn long_integer<T: Integer>(&mut self, primitive: Primitive) -> Result<T> {
        let number = self.decimal(T::NAME, |decimal| decimal.to_number())?;
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
        self.cursor.spelled(text).parse().map_err(|_| self.wrong_type(T::NAME))
    }

    /// Reads a float of four bytes.
    #[inline]
    pub(crate) fn short_float(&mut self) -> Result<f32> {
        self.cursor.begin();
        if let Some(value) = self.cursor.short_decimal().and_then(|decimal| decimal.to_f32()) {
            return Ok(value);
        }
        self.cursor.go(self.cursor.start);
        self.any_short_float()
    }

    #[inline(never)]
    fn any_short_float(&mut self) -> Result<f32> {
        if self.cursor.byte() == b'"' {
            return self.non_finite("f32").map(|value| value as f32);
        }
        let mut lost = false;
        let value = self.decimal("f32", |decimal| {
            let value = decimal.to_f32()?;
            lost = value == 0.0 && !decimal.is_zero();
            Ok(value)
        })?;
        self.note_zero(lost, Primitive::F32);
        Ok(value)
    }

    /// Reads a float of eight bytes.
    #[inline]
    pub(crate) fn float(&mut self) -> Result<f64> {
        self.cursor.begin();
        if let Some(value) = self.cursor.short_decimal().and_then(|decimal| decimal.to_f64()) {
            return Ok(value);
        }
        self.cursor.go(self.cursor.start);
        self.any_float()
    }

    #[inline(never)]
    fn any_float(&mut self) -> Result<f64> {
        if self.cursor.byte() == b'"' {
            return self.non_finite("f64");
        }
        let mut lost = false;
        let value = self.decimal("f64", |decimal| {
            let value = decimal.to_f64()?;
            lost = value == 0.0 && !decimal.is_zero();
            Ok(value)
        })?;
        self.note_zero(lost, Primitive::F64);
        Ok(value)
    }

    /// Reads a float that JSON's numbers cannot express.
    #[cold]
    fn non_finite(&mut self, expected: &str) -> Result<f64> {
        let text = self.text(expected)?;
        match &*self.cursor.spelled(text) {
            "NaN" => Ok(f64::NAN),
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            _ => Err(self.wrong_type(expected)),
        }
    }

    /// Reads a number of any form.
    #[inline(always)]
    fn decimal<T>(
        &mut self,
        expected: &str,
        convert: impl FnOnce(Decimal<'_>) -> Result<T>,
    ) -> Result<T> {
        self.cursor.begin();
        if !matches!(self.cursor.byte(), b'-' | b'0'..=b'9') {
            return Err(self.wrong_type(expected));
        }
        let mut here = self.cursor.view();
        let value = convert(here.decimal()?);
        self.cursor.at = here.at;
        value.map_err(|error| self.here(error))
    }

    /// The error for a value of another type, at the value that was begun last.
    #[cold]
    pub(crate) fn wrong_type(&self, expected: &str) -> Error {
        self.cursor.seen(self.cursor.start).wrong_type(expected)
    }

    /// An error at the value that was begun last.
    #[cold]
    pub(crate) fn here(&self, error: Error) -> Error {
        error.at(self.cursor.position_of(self.cursor.start))
    }
}
