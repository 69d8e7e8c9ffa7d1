//! What errors say: where the cursor is, what was expected there and what stands there.

use std::fmt;

use archive_core::{Error, ErrorKind, Found, Position, Result};

use crate::cursor::{Cursor, Flaw};
use crate::escape::BadEscape;

impl Cursor<'_> {
    /// An error at this place.
    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind, message: impl fmt::Display) -> Error {
        Error::new(kind, message).at(self.position())
    }

    /// "expected …, found …", for text that is no JSON.
    #[cold]
    pub(crate) fn unexpected(&self, expected: &str) -> Error {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        match (found, self.flaw) {
            (Some(found), _) => {
                let message = format_args!("expected {expected}, found {}", Visible(found));
                self.error(ErrorKind::Syntax, message)
            }
            (None, Some(Flaw::Invalid)) => {
                self.error(ErrorKind::Syntax, "a byte that is no UTF-8 text")
            }
            (None, Some(Flaw::Cut)) => {
                self.error(ErrorKind::UnexpectedEnd, "the input ends inside of a character")
            }
            (None, None) => {
                let message = format_args!("expected {expected}, found the end of the input");
                self.error(ErrorKind::UnexpectedEnd, message)
            }
        }
    }

    /// What stands in a string where nothing like it may.
    #[cold]
    pub(crate) fn bad_character(&self) -> Error {
        self.unexpected("`\"` at the end of the text")
    }

    #[cold]
    pub(crate) fn bad_escape(&self, bad: BadEscape) -> Error {
        match bad {
            BadEscape::End => self.moved(self.text.len()).unexpected("the rest of an escape"),
            BadEscape::Unknown => self.error(ErrorKind::Syntax, "no such escape in text"),
            BadEscape::Surrogate => {
                self.error(ErrorKind::Syntax, "an escape for half of a surrogate pair")
            }
        }
    }

    /// The line and the column here.
    #[cold]
    pub(crate) fn position(&self) -> Position {
        let before = &self.bytes()[..self.at.min(self.text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        let is_first_byte = |byte: &&u8| (**byte as i8) >= -0x40;
        Position::Line {
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            column: before[line_start..].iter().filter(is_first_byte).count() + 1,
        }
    }

    /// The error for a value here that is of another type.
    #[cold]
    pub(crate) fn wrong_type(&self, expected: &str) -> Error {
        match self.describe() {
            Ok(found) => Error::wrong_type(expected, found).at(self.position()),
            Err(error) => error,
        }
    }

    /// What stands here, for messages: short scalars as they are.
    ///
    /// # Errors
    /// If what stands here is no JSON.
    #[cold]
    fn describe(mut self) -> Result<String> {
        Ok(match self.byte() {
            b'[' => Found::Seq.to_string(),
            b'{' => Found::Object.to_string(),
            b'"' => Found::Text(&self.string()?).to_string(),
            b'n' => self.literal("null").map(|()| Found::Null.to_string())?,
            b't' => self.literal("true").map(|()| Found::Bool(true).to_string())?,
            b'f' => self.literal("false").map(|()| Found::Bool(false).to_string())?,
            b'-' | b'0'..=b'9' => self.decimal()?.shown(),
            _ => return Err(self.unexpected("a value")),
        })
    }
}

/// A character as it can be shown in a message.
struct Visible(char);

impl fmt::Display for Visible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            '\u{feff}' => f.write_str("a byte order mark"),
            c if c.is_control() => write!(f, "the control character U+{:04X}", c as u32),
            c => write!(f, "`{c}`"),
        }
    }
}
