//! Error messages: where the cursor is, what was expected there and what was found.

use std::fmt;

use archive_core::__private::looks_like;
use archive_core::{Error, ErrorKind, Found, Position, Result};
use rmp::Marker;

use crate::cursor::{Cursor, Token};

impl Cursor<'_> {
    /// The byte offset, as a position.
    pub(crate) fn position(&self) -> Position {
        Position::Offset(self.at as u64)
    }

    /// Creates an error at this offset.
    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind, message: impl fmt::Display) -> Error {
        Error::new(kind, message).at(self.position())
    }

    /// Creates the error for an input that ends where more must follow.
    #[cold]
    pub(crate) fn end(&self) -> Error {
        let message = "the input ends in the middle of a value";
        self.moved(self.len()).error(ErrorKind::UnexpectedEnd, message)
    }

    /// Creates the error "expected …, found …", where no value begins.
    #[cold]
    pub(crate) fn unexpected(&self, expected: &str) -> Error {
        if self.left() == 0 {
            let message = format_args!("expected {expected}, found the end of the input");
            return self.error(ErrorKind::UnexpectedEnd, message);
        }
        let message = format_args!("expected {expected}, found the byte 0xc1, which starts none");
        self.error(ErrorKind::Syntax, message)
    }

    /// Creates the error for a number of items that the rest of the input cannot hold.
    #[cold]
    pub(crate) fn too_many(&self, count: usize) -> Error {
        Error::cut_short(count as u64, self.left()).at(self.position())
    }

    #[cold]
    pub(crate) fn bad_text(&self, error: std::str::Utf8Error) -> Error {
        let here = self.moved(self.at + error.valid_up_to());
        here.error(ErrorKind::Syntax, "a byte that is no UTF-8 text")
    }

    /// Creates the error for a value here that has another type.
    #[cold]
    pub(crate) fn wrong_type(&self, expected: &str) -> Error {
        match self.describe() {
            Ok(found) => match self.looks_like() {
                Some(other) => {
                    let found = format_args!("{found}: the input looks like {other}");
                    Error::wrong_type(expected, found).at(self.position())
                }
                None => Error::wrong_type(expected, found).at(self.position()),
            },
            Err(error) => error,
        }
    }

    /// Returns what the input looks like, if it is wrong from its first byte on.
    fn looks_like(&self) -> Option<&'static str> {
        if self.at == 0 { looks_like(self.rest()) } else { None }
    }

    /// Describes the value here for messages; short scalars are shown as they are.
    ///
    /// # Errors
    /// If there is no MessagePack value here.
    #[cold]
    pub(crate) fn describe(mut self) -> Result<String> {
        let marker = self.marker();
        if let Some(number) = self.number()? {
            return Ok(number.to_string());
        }
        Ok(match self.token()? {
            Token::Str(len) => Found::Text(self.utf8(len)?).to_string(),
            Token::Bin(len) => Found::Bytes(len).to_string(),
            Token::Ext(_) => format!("an extension of type {}", self.byte() as i8),
            Token::Seq(_) => Found::Seq.to_string(),
            Token::Map(_) => Found::Object.to_string(),
            Token::Fixed(_) => match marker {
                Marker::True => Found::Bool(true).to_string(),
                Marker::False => Found::Bool(false).to_string(),
                _ => Found::Null.to_string(),
            },
        })
    }
}
