//! Reads scalars: converts the value at the cursor to the requested type.

use std::str::FromStr;

use super::ValueDecoder;
use super::layout::Content;
use crate::format::decoder::Decoder;
use crate::model::error::{Error, Found, Result};
use crate::model::number::{Integer, Number};
use crate::model::shape::Primitive;

impl<'a> ValueDecoder<'a> {
    /// Returns the value at the cursor, unless it is a single one of several bytes.
    pub(super) fn content(&self) -> Option<&Content<'a>> {
        if self.byte.is_none() { Some(&self.nodes[self.at].content) } else { None }
    }

    #[cold]
    pub(super) fn wrong(&self, expected: &str) -> Error {
        let found = match (&self.nodes[self.at].content, self.byte) {
            (Content::Bytes(bytes), Some(at)) => {
                Found::Number(Number::Int(bytes.get(at).copied().unwrap_or_default().into()))
            }
            (content, _) => content.found(),
        };
        Error::wrong_type(expected, found).at(self.position())
    }

    /// Reads an integer, and notes a conversion from a float.
    pub(super) fn integer<T: Integer>(&mut self, to: Primitive) -> Result<T> {
        let number = self.expect_number(T::NAME)?;
        let value = number.to_integer().map_err(|error| error.at(self.position()))?;
        self.conversion = number.conversion(to);
        Ok(value)
    }

    /// Notes the conversion of a number to a float, if there was one.
    pub(super) fn converted(&mut self, number: Number, to: Primitive) {
        let is_text = self.text_floats;
        self.conversion =
            if is_text { number.conversion_in_text(to) } else { number.conversion(to) };
    }

    /// Reads an integer of sixteen bytes, which may be text: formats without such integers store it
    /// as text.
    pub(super) fn big_integer<T: Integer + FromStr>(&mut self, to: Primitive) -> Result<T> {
        let Some(Content::Str(text)) = self.content() else { return self.integer(to) };
        let wrong = || Error::wrong_type(T::NAME, Found::Text(text)).at(self.position());
        text.parse().map_err(|_| wrong())
    }

    pub(super) fn expect_number(&self, expected: &str) -> Result<Number> {
        match (&self.nodes[self.at].content, self.byte) {
            (Content::Number(number), None) => Ok(*number),
            (Content::Bytes(bytes), Some(at)) if at < bytes.len() => {
                Ok(Number::Int(bytes[at].into()))
            }
            _ => Err(self.wrong(expected)),
        }
    }
}
