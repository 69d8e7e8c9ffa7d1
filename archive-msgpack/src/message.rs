//! Error messages: the position of the cursor, the expected value and the found value.

use std::fmt;

use archive_core::__private::{empty_input, looks_like};
use archive_core::{Error, ErrorKind, Found, Position, Result};
use rmp::Marker;

use crate::cursor::{Cursor, Token};
use crate::spans::{Passing, Spans};
use crate::walk::Walker;

/// Checks that the input is not a file of `archive::binary` and not a save file. The first bytes of a binary file
/// are also the start of a map, so the input counts as one only if it is not a whole MessagePack value.
///
/// # Errors
/// [`ErrorKind::Syntax`] if it is one of these.
pub(crate) fn check_format(input: &[u8]) -> Result {
    if matches!(input.first(), Some(0x8b | 0xc1)) && looks_like(input).is_some() {
        return refuse_other(input);
    }
    Ok(())
}

#[cold]
fn refuse_other(input: &[u8]) -> Result {
    let mut cursor = Cursor::new(input);
    let walked = Walker::default().walk(
        &mut cursor,
        input.len(),
        &mut Passing::new(&mut Spans::default(), false),
    );
    match looks_like(input) {
        Some(other) if walked.is_err() || cursor.left() > 0 => {
            let message = format_args!("this is not MessagePack: it looks like {other}");
            Err(cursor.moved(0).error(ErrorKind::Syntax, message))
        }
        _ => Ok(()),
    }
}

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

    /// Creates the error for an input that ends too early.
    #[cold]
    pub(crate) fn end(&self) -> Error {
        if self.len() == 0 {
            return empty_input().at(self.position());
        }
        let message = "the input ends in the middle of a value";
        self.moved(self.len()).error(ErrorKind::UnexpectedEnd, message)
    }

    /// Creates the error "expected …, found …", if no value begins here.
    #[cold]
    pub(crate) fn unexpected(&self, expected: &str) -> Error {
        if self.len() == 0 {
            return empty_input().at(self.position());
        }
        if self.left() == 0 {
            let message = format_args!("expected {expected}, found the end of the input");
            return self.error(ErrorKind::UnexpectedEnd, message);
        }
        let message =
            format_args!("expected {expected}, found the byte 0xc1, which no value begins with");
        self.error(ErrorKind::Syntax, message)
    }

    /// Creates the error for data after the value.
    #[cold]
    pub(crate) fn trailing(&self) -> Error {
        let left = Found::Bytes(self.left());
        match looks_like(self.moved(0).rest()) {
            Some(other) => {
                let message = format_args!("{left} after the value: the input looks like {other}");
                self.error(ErrorKind::TrailingData, message)
            }
            None => self.error(ErrorKind::TrailingData, format_args!("{left} after the value")),
        }
    }

    /// Creates the error for a number of items that the rest of the input cannot hold.
    #[cold]
    pub(crate) fn too_many(&self, count: usize) -> Error {
        Error::cut_short(count as u64, self.left()).at(self.position())
    }

    #[cold]
    pub(crate) fn bad_text(&self, error: std::str::Utf8Error) -> Error {
        let here = self.moved(self.at + error.valid_up_to());
        here.error(ErrorKind::Syntax, "a byte that is not UTF-8 text")
    }

    /// Creates the error for a value here that has the wrong type.
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

    /// Returns the format that the input looks like, if it is wrong from its first byte on.
    fn looks_like(&self) -> Option<&'static str> {
        if self.at == 0 { looks_like(self.rest()) } else { None }
    }

    /// Describes the value here for messages. Short scalars are shown unchanged.
    ///
    /// # Errors
    /// An error if there is no MessagePack value here.
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
