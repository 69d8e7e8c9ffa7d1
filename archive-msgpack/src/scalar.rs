//! Scalars: the value at the cursor, converted to the requested type.

use std::str::FromStr;

use archive_core::{Error, Found, Integer, Number, Primitive, Result, put};

use crate::cursor::{Cursor, Token};
use crate::decoder::Decoder;
use crate::ext::Part;

impl<'a> Decoder<'a> {
    /// Reads text. Returns `None` if the value is not text. Removes the escape from the text of a
    /// map's key that begins with `$`.
    #[inline]
    pub(crate) fn text(&mut self) -> Result<Option<&'a str>> {
        self.start = self.cursor.at;
        if self.in_bytes {
            return Ok(None);
        }
        let text = self.cursor.text()?;
        if self.key == self.start
            && let Some(text) = text
            && text.starts_with("$$")
        {
            return Ok(Some(&text[1..]));
        }
        Ok(text)
    }

    /// Reads text.
    #[inline]
    pub(crate) fn expect_text(&mut self, expected: &str) -> Result<&'a str> {
        match self.text()? {
            Some(text) => Ok(text),
            None => Err(self.wrong_type(expected)),
        }
    }

    /// Reads text into a string.
    #[inline]
    pub(crate) fn string_into(&mut self, out: &mut String) -> Result {
        put::replace(out, self.expect_text("text")?);
        Ok(())
    }

    /// Reads a number without converting it to a certain type.
    pub(crate) fn any_number(&mut self) -> Result<Number> {
        self.start = self.cursor.at;
        match self.part.take() {
            Some(Part::Type(kind)) => return Ok(Number::Int(kind.into())),
            part => self.part = part,
        }
        if self.in_bytes {
            return self.byte();
        }
        self.cursor.number()?.ok_or_else(|| self.wrong_type("a number"))
    }

    /// Reads an item of bytes that are read as a sequence.
    fn byte(&mut self) -> Result<Number> {
        let [byte] = self.cursor.array()?;
        Ok(Number::Int(byte.into()))
    }

    /// Reads an integer.
    #[inline]
    pub(crate) fn integer<T: Integer>(&mut self, primitive: Primitive) -> Result<T> {
        self.start = self.cursor.at;
        let byte = self.cursor.byte();
        if byte < 0x80
            && let Ok(value) = T::try_from(i128::from(byte))
        {
            self.cursor.at += 1;
            return Ok(value);
        }
        if !self.in_bytes
            && let Some(value) = self.cursor.long_integer()
        {
            return Ok(value);
        }
        self.other_integer(primitive)
    }

    /// Reads an integer near the end of the input, an item of bytes, or an integer that is written
    /// as a float.
    #[inline(never)]
    fn other_integer<T: Integer>(&mut self, primitive: Primitive) -> Result<T> {
        if self.in_bytes {
            return self.byte()?.to_integer().map_err(|error| self.here(error));
        }
        if let Some(value) = self.cursor.integer()? {
            return match T::try_from(value) {
                Ok(value) => Ok(value),
                Err(_) => Number::Int(value).to_integer().map_err(|error| self.here(error)),
            };
        }
        let number = self.cursor.number()?.ok_or_else(|| self.wrong_type(T::NAME))?;
        let value = number.to_integer().map_err(|error| self.here(error))?;
        self.conversion = number.conversion(primitive);
        Ok(value)
    }

    /// Reads a 128-bit integer: a number, text, or bytes as `rmp-serde` writes it.
    pub(crate) fn big_integer<T: Integer + FromStr>(
        &mut self,
        primitive: Primitive,
        from_bytes: fn([u8; 16]) -> T,
    ) -> Result<T> {
        if self.in_bytes {
            return self.integer(primitive);
        }
        if let Some(text) = self.text()? {
            return text.parse().map_err(|_| self.wrong_type(T::NAME));
        }
        let mut cursor = self.cursor;
        if let Ok(Token::Bin(16)) = cursor.token() {
            let value = from_bytes(cursor.array()?);
            self.cursor = cursor;
            return Ok(value);
        }
        self.integer(primitive)
    }

    /// Reads an `f32`.
    #[inline]
    pub(crate) fn short_float(&mut self) -> Result<f32> {
        self.start = self.cursor.at;
        if let Some([0xca, bytes @ ..]) = self.cursor.rest().first_chunk::<5>()
            && !self.in_bytes
        {
            self.cursor.at += 5;
            return Ok(f32::from_be_bytes(*bytes));
        }
        let number = self.other_float("f32")?;
        let value = number.to_f32().map_err(|error| self.here(error))?;
        self.conversion = number.conversion(Primitive::F32);
        Ok(value)
    }

    /// Reads an `f64`.
    #[inline]
    pub(crate) fn float(&mut self) -> Result<f64> {
        self.start = self.cursor.at;
        if let Some([0xcb, bytes @ ..]) = self.cursor.rest().first_chunk::<9>()
            && !self.in_bytes
        {
            self.cursor.at += 9;
            return Ok(f64::from_be_bytes(*bytes));
        }
        let number = self.other_float("f64")?;
        let value = number.to_f64().map_err(|error| self.here(error))?;
        self.conversion = number.conversion(Primitive::F64);
        Ok(value)
    }

    /// Reads a number of another kind, or text as formats without such numbers write it.
    #[cold]
    fn other_float(&mut self, expected: &str) -> Result<Number> {
        if self.in_bytes {
            return self.byte();
        }
        match self.text()? {
            Some("NaN") => Ok(Number::F64(f64::NAN)),
            Some("inf") => Ok(Number::F64(f64::INFINITY)),
            Some("-inf") => Ok(Number::F64(f64::NEG_INFINITY)),
            Some(_) => Err(self.wrong_type(expected)),
            None => self.cursor.number()?.ok_or_else(|| self.wrong_type(expected)),
        }
    }

    /// Reads bytes, or a sequence of numbers that fit bytes.
    pub(crate) fn any_bytes(&mut self, out: &mut Vec<u8>) -> Result {
        out.clear();
        self.start = self.cursor.at;
        match self.part.take() {
            Some(Part::Data(data)) => {
                out.extend_from_slice(data);
                return Ok(());
            }
            part => self.part = part,
        }
        if self.in_bytes {
            return Err(self.wrong_type("bytes"));
        }
        let mut cursor = self.cursor;
        match cursor.token()? {
            Token::Bin(len) => {
                out.extend_from_slice(cursor.take(len)?);
                self.cursor = cursor;
                Ok(())
            }
            Token::Seq(len) => {
                out.reserve(len);
                self.cursor = cursor;
                for _ in 0..len {
                    out.push(self.integer(Primitive::U8)?);
                }
                Ok(())
            }
            _ => Err(self.wrong_type("a sequence")),
        }
    }

    /// Returns a cursor at the start of the value that was begun last.
    pub(crate) fn started(&self) -> Cursor<'a> {
        self.cursor.moved(self.start)
    }

    /// Creates the error for a value of the wrong type, at the value that was begun last.
    #[cold]
    pub(crate) fn wrong_type(&self, expected: &str) -> Error {
        if self.at_entry() {
            return Error::wrong_type(expected, Found::Seq).at(self.started().position());
        }
        if self.in_bytes {
            return Error::wrong_type(expected, "a byte").at(self.started().position());
        }
        self.started().wrong_type(expected)
    }

    /// Adds the position of the value that was begun last to an error.
    #[cold]
    pub(crate) fn here(&self, error: Error) -> Error {
        error.at(self.started().position())
    }
}
