//! Scalars: what stands at the cursor, as the type that wants it.

use std::str::FromStr;

use archive_core::{Error, Found, Integer, Number, Primitive, Result};

use crate::cursor::{Cursor, Token};
use crate::decoder::Decoder;
use crate::ext::Part;
use crate::frame::Frame;

impl<'a> Decoder<'a> {
    /// Reads text; `None` if something else stands here. That of a map's key is without what marks
    /// it as none of the format's own names.
    #[inline]
    pub(crate) fn text(&mut self) -> Result<Option<&'a str>> {
        self.start = self.cursor.at;
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

    /// Reads a number as it is.
    pub(crate) fn any_number(&mut self) -> Result<Number> {
        self.start = self.cursor.at;
        match self.part.take() {
            Some(Part::Type(kind)) => return Ok(Number::Int(kind.into())),
            part => self.part = part,
        }
        self.cursor.number()?.ok_or_else(|| self.wrong_type("a number"))
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
        self.long_integer(primitive)
    }

    /// Reads an integer of more than seven bits, or one that is written as a float.
    fn long_integer<T: Integer>(&mut self, primitive: Primitive) -> Result<T> {
        if let Some(Frame::Bytes(_)) = self.open.last() {
            let [byte] = self.cursor.array()?;
            return Number::Int(byte.into()).to_integer().map_err(|error| self.here(error));
        }
        if let Some(value) = self.cursor.integer()? {
            return match T::try_from(value) {
                Ok(value) => Ok(value),
                Err(_) => Number::Int(value).to_integer().map_err(|error| self.here(error)),
            };
        }
        let number = self.cursor.number()?.ok_or_else(|| self.wrong_type(T::NAME))?;
        let value = number.to_integer().map_err(|error| self.here(error))?;
        self.converted(number, primitive);
        Ok(value)
    }

    /// Reads an integer of sixteen bytes: a number, text, or bytes as `rmp-serde` writes it.
    pub(crate) fn big_integer<T: Integer + FromStr>(
        &mut self,
        primitive: Primitive,
        from_bytes: fn([u8; 16]) -> T,
    ) -> Result<T> {
        if let Some(text) = self.text()? {
            return text.parse().map_err(|_| self.wrong_type(T::NAME));
        }
        let mut behind = self.cursor;
        if let Ok(Token::Bin(16)) = behind.token() {
            let value = from_bytes(behind.array()?);
            self.cursor = behind;
            return Ok(value);
        }
        self.integer(primitive)
    }

    /// Reads a float of four bytes.
    #[inline]
    pub(crate) fn short_float(&mut self) -> Result<f32> {
        self.start = self.cursor.at;
        if self.cursor.byte() == 0xca {
            self.cursor.at += 1;
            return self.cursor.array().map(f32::from_be_bytes);
        }
        let (number, text) = self.other_float("f32")?;
        let value = number.to_f32().map_err(|error| self.here(error))?;
        if !text {
            self.converted(number, Primitive::F32);
        }
        Ok(value)
    }

    /// Reads a float of eight bytes.
    #[inline]
    pub(crate) fn float(&mut self) -> Result<f64> {
        self.start = self.cursor.at;
        if self.cursor.byte() == 0xcb {
            self.cursor.at += 1;
            return self.cursor.array().map(f64::from_be_bytes);
        }
        let (number, text) = self.other_float("f64")?;
        let value = number.to_f64().map_err(|error| self.here(error))?;
        if !text {
            self.converted(number, Primitive::F64);
        }
        Ok(value)
    }

    /// Reads a number of another kind, or the text that formats write which lack the number; the
    /// answer is also whether it was text.
    #[cold]
    fn other_float(&mut self, expected: &str) -> Result<(Number, bool)> {
        let special = match self.text()? {
            Some("NaN") => f64::NAN,
            Some("inf") => f64::INFINITY,
            Some("-inf") => f64::NEG_INFINITY,
            Some(_) => return Err(self.wrong_type(expected)),
            None => {
                let number = self.cursor.number()?.ok_or_else(|| self.wrong_type(expected))?;
                return Ok((number, false));
            }
        };
        Ok((Number::F64(special), true))
    }

    /// Notes that a float was converted. Integers have no width here, so theirs is no matter.
    #[cold]
    fn converted(&mut self, number: Number, to: Primitive) {
        self.conversion = match number {
            Number::F32(_) => Some((Primitive::F32, to)),
            Number::F64(_) => Some((Primitive::F64, to)),
            _ => None,
        };
    }

    /// Reads bytes, or numbers that are bytes.
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
        let mut behind = self.cursor;
        match behind.token()? {
            Token::Bin(len) => {
                out.extend_from_slice(behind.take(len)?);
                self.cursor = behind;
                Ok(())
            }
            Token::Seq(len) => {
                out.reserve(len);
                self.cursor = behind;
                for _ in 0..len {
                    out.push(self.integer(Primitive::U8)?);
                }
                Ok(())
            }
            _ => Err(self.wrong_type("a sequence")),
        }
    }

    /// Where the value that was begun last starts.
    pub(crate) fn started(&self) -> Cursor<'a> {
        self.cursor.moved(self.start)
    }

    /// The error for a value of another type, at the value that was begun last.
    #[cold]
    pub(crate) fn wrong_type(&self, expected: &str) -> Error {
        if self.at_entry() {
            return Error::wrong_type(expected, Found::Seq).at(self.started().position());
        }
        self.started().wrong_type(expected)
    }

    /// An error at the value that was begun last.
    #[cold]
    pub(crate) fn here(&self, error: Error) -> Error {
        error.at(self.started().position())
    }
}
