//! Scalars: the value at the cursor, converted to the requested type.

use std::str::FromStr;

use archive_core::{Error, Integer, Number, Primitive, Result};

use crate::cursor::Text;
use crate::decoder::Decoder;
use crate::encoder::{Float, is_saved_as};
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

    /// Reads a number without converting it to a certain type.
    pub(crate) fn any_number(&mut self) -> Result<Number> {
        self.cursor.begin();
        if let Some((false, value @ 1..)) = self.cursor.short_integer() {
            return Ok(Number::Int(value.into()));
        }
        self.cursor.go(self.cursor.start);
        self.decimal("a number", |decimal| decimal.to_number())
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
        let (value, number) = self.decimal(T::NAME, |decimal| decimal.to_integer())?;
        self.conversion = number.conversion(primitive);
        Ok(value)
    }

    /// Reads a 128-bit integer. It may be text, as other programs store such integers.
    #[inline]
    pub(crate) fn big_integer<T: Integer + FromStr>(&mut self, primitive: Primitive) -> Result<T> {
        if self.cursor.byte() != b'"' {
            return self.integer(primitive);
        }
        let text = self.text(T::NAME)?;
        self.cursor.spelled(text).parse().map_err(|_| self.wrong_type(T::NAME))
    }

    /// Reads an `f32`.
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
        self.decimal("f32", |decimal| decimal.to_f32())
    }

    /// Reads an `f64`.
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
        self.decimal("f64", |decimal| decimal.to_f64())
    }

    /// Returns the conversion of the value that was read last, if it was read as a float. Parses
    /// the text again, so that only callers of this function pay for it.
    #[cold]
    pub(crate) fn float_conversion(&self, to: Primitive) -> Option<(Primitive, Primitive)> {
        let text = self.cursor.since(self.cursor.seen(self.cursor.start).at);
        let spells = match to {
            Primitive::F32 => text.parse().is_ok_and(|it: f32| spells(text, it, it.into())),
            Primitive::F64 => text.parse().is_ok_and(|it: f64| spells(text, it, it)),
            _ => return None,
        };
        if spells || text.starts_with('"') {
            return None;
        }
        let number = self.cursor.seen(self.cursor.start).decimal().and_then(|it| it.to_number());
        let from = number.ok().and_then(|number| number.conversion_in_text(to));
        Some(from.unwrap_or((Primitive::F64, to)))
    }

    /// Reads one of the texts for floats that are not finite.
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

    /// Creates the error for a value of the wrong type, at the value that was begun last.
    #[cold]
    pub(crate) fn wrong_type(&self, expected: &str) -> Error {
        self.cursor.seen(self.cursor.start).wrong_type(expected)
    }

    /// Adds the position of the value that was begun last to an error.
    #[cold]
    pub(crate) fn here(&self, error: Error) -> Error {
        error.at(self.cursor.position_of(self.cursor.start))
    }
}

/// Returns whether a text [spells](Number::spells) a float. Most files have the text that the encoder
/// writes, which is found out in less time.
fn spells(text: &str, short: impl Float, value: f64) -> bool {
    is_saved_as(text, short) || Number::spells(text, value)
}
