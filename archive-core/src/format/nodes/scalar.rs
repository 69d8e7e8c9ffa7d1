//! Scalars: the content of the node at the cursor, converted to the requested type.

use std::str::FromStr;

use super::{Content, NodeDecoder, Nodes};
use crate::format::decoder::Kind;
use crate::model::error::{Error, ErrorKind, Found, Result};
use crate::model::number::{Integer, Number};
use crate::model::shape::Primitive;

impl<T: Nodes> NodeDecoder<T> {
    pub(super) fn content(&self) -> Result<Content<'_>> {
        self.tree.content(self.at)
    }

    /// Adds the position of the cursor to an error.
    #[cold]
    pub(super) fn here(&self, error: Error) -> Error {
        error.at(self.tree.position(self.at))
    }

    /// Creates the error for a value of another type.
    #[cold]
    pub(super) fn wrong(&self, expected: &str) -> Error {
        if let Some(found) = self.tree.unknown(self.at) {
            return self.here(Error::wrong_type(expected, found));
        }
        let content = match self.tree.kind(self.at) {
            Ok(Kind::Seq) => Ok(Content::Seq),
            _ => self.content(),
        };
        match content {
            Ok(content) => self.here(Error::wrong_type(expected, content.describe())),
            Err(error) => error,
        }
    }

    pub(super) fn expect_number(&self, expected: &str) -> Result<Number> {
        match self.content()? {
            Content::Number(number) => Ok(number),
            _ => Err(self.wrong(expected)),
        }
    }

    pub(super) fn text(&mut self, expected: &str) -> Result<&str> {
        match self.tree.content(self.at)? {
            Content::Str(text) => Ok(text),
            Content::Char(char) => Ok(char.encode_utf8(&mut self.scratch)),
            _ => Err(self.wrong(expected)),
        }
    }

    /// Returns the bytes of a scalar that is stored with exactly that type.
    #[inline]
    pub(super) fn exact<const N: usize>(&self, primitive: Primitive) -> Option<[u8; N]> {
        self.tree.exact(self.at, primitive)?.first_chunk().copied()
    }

    fn convert<N>(
        &mut self,
        to: Primitive,
        convert: impl FnOnce(Number) -> Result<N>,
    ) -> Result<N> {
        let number = self.expect_number(to.name())?;
        let value = convert(number).map_err(|error| self.here(error))?;
        self.conversion = self.tree.conversion(number, to);
        Ok(value)
    }

    fn parse<N>(&mut self, to: Primitive, parse: impl FnOnce(&str) -> Option<N>) -> Result<N> {
        let text = self.text(to.name())?;
        match parse(text) {
            Some(value) => Ok(value),
            None => {
                let error = Error::wrong_type(to.name(), Found::Text(text));
                Err(self.here(error))
            }
        }
    }

    fn is_text(&self) -> bool {
        matches!(self.content(), Ok(Content::Str(_)))
    }

    /// Reads an integer that is stored with another type. 128-bit integers may be text, as formats
    /// without such integers write them.
    #[cold]
    pub(super) fn integer<N: Integer + FromStr>(&mut self, to: Primitive) -> Result<N> {
        if matches!(to, Primitive::U128 | Primitive::I128) && self.is_text() {
            return self.parse(to, |text| text.parse().ok());
        }
        let convert = if T::WAS_TEXT { Number::to_written_integer } else { Number::to_integer };
        self.convert(to, convert)
    }

    /// Reads a float that is stored with another type. A float that is not finite may be text.
    #[cold]
    pub(super) fn float<N: From<f32>>(
        &mut self,
        to: Primitive,
        convert: impl FnOnce(Number) -> Result<N>,
    ) -> Result<N> {
        if !self.is_text() {
            return self.convert(to, convert);
        }
        self.parse(to, |text| match text {
            "NaN" => Some(f32::NAN.into()),
            "inf" => Some(f32::INFINITY.into()),
            "-inf" => Some(f32::NEG_INFINITY.into()),
            _ => None,
        })
    }

    /// Reads a character, or text of one character.
    pub(super) fn character(&self) -> Result<char> {
        match self.content()? {
            Content::Char(char) => return Ok(char),
            Content::Str(text) => {
                let mut chars = text.chars();
                if let (Some(only), None) = (chars.next(), chars.next()) {
                    return Ok(only);
                }
            }
            _ => {}
        }
        Err(self.wrong("a character"))
    }
}

/// Returns the number of that type with these bytes. The number of bytes must be the size of the
/// type.
#[inline]
fn number(primitive: Primitive, bytes: &[u8]) -> Option<Number> {
    macro_rules! number {
        ($($primitive:ident $ty:ty => $make:expr;)*) => {
            match primitive {
                $(Primitive::$primitive => {
                    let make: fn($ty) -> Number = $make;
                    bytes.try_into().ok().map(|bytes| make(<$ty>::from_le_bytes(bytes)))
                })*
                _ => None,
            }
        };
    }
    number! {
        U8 u8 => |v| Number::Int(v.into());
        U16 u16 => |v| Number::Int(v.into());
        U32 u32 => |v| Number::Int(v.into());
        U64 u64 => |v| Number::Int(v.into());
        U128 u128 => |v| i128::try_from(v).map_or(Number::UInt(v), Number::Int);
        I8 i8 => |v| Number::Int(v.into());
        I16 i16 => |v| Number::Int(v.into());
        I32 i32 => |v| Number::Int(v.into());
        I64 i64 => |v| Number::Int(v.into());
        I128 i128 => Number::Int;
        F32 f32 => Number::F32;
        F64 f64 => Number::F64;
    }
}

/// Returns the scalar of that type with these little-endian bytes. Text and bytes are returned
/// unchanged.
///
/// # Errors
/// [`ErrorKind::Syntax`], without a position, if no value has these bytes.
#[inline]
pub fn stored(primitive: Primitive, bytes: &[u8]) -> Result<Content<'_>> {
    let found = match (primitive, bytes) {
        (Primitive::Unit, _) => Some(Content::Null),
        (Primitive::Bool, [byte @ (0 | 1)]) => Some(Content::Bool(*byte == 1)),
        (Primitive::Bytes, _) => Some(Content::Bytes(bytes)),
        (Primitive::Str, _) => {
            return str::from_utf8(bytes)
                .map(Content::Str)
                .map_err(|error| syntax(format_args!("text is not UTF-8: {error}")));
        }
        (Primitive::Char, _) => {
            let code = bytes.try_into().map(u32::from_le_bytes).ok();
            code.and_then(char::from_u32).map(Content::Char)
        }
        _ => number(primitive, bytes).map(Content::Number),
    };
    found.ok_or_else(|| match (primitive, bytes) {
        (Primitive::Bool, [byte]) => syntax(format_args!("expected bool (0 or 1), found {byte}")),
        (Primitive::Char, [a, b, c, d]) => {
            let number = u32::from_le_bytes([*a, *b, *c, *d]);
            syntax(format_args!("{number} is not a Unicode scalar value"))
        }
        _ => syntax(format_args!("{} cannot have {} bytes", primitive.name(), bytes.len())),
    })
}

#[cold]
fn syntax(message: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Syntax, message)
}
