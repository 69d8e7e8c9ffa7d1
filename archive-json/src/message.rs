//! Error messages: the position of the cursor, the expected text and the found text.

use std::fmt;

use archive_core::__private::empty_input;
use archive_core::{Error, ErrorKind, Found, Position, Result};

use crate::cursor::Cursor;
use crate::escape::BadEscape;
use crate::source::{BYTE_ORDER_MARK, Flaw, Source};

impl<S: Source> Cursor<S> {
    /// Creates an error at this offset.
    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind, message: impl fmt::Display) -> Error {
        Error::new(kind, message).at(self.position())
    }

    /// Creates the error "expected …, found …", for text that is not JSON.
    #[cold]
    pub(crate) fn unexpected(&self, expected: &str) -> Error {
        let rest = self.text().get(self.at..).unwrap_or_default();
        match (rest.chars().next(), self.source.flaw()) {
            (Some('/'), flaw) if self.relaxed && is_open_comment(rest) => {
                let end = self.moved(self.text().len());
                if flaw.is_some() {
                    return end.unexpected("`*/`");
                }
                let message = format_args!(
                    "the comment that begins at {} is never closed, found the end of the input",
                    self.position()
                );
                end.error(ErrorKind::UnexpectedEnd, message)
            }
            (Some(found), _) => {
                let (hint, found) = (self.hint(expected, found), Visible(found));
                let message = format_args!("expected {expected}, found {found}{hint}");
                self.error(ErrorKind::Syntax, message)
            }
            (None, Some(Flaw::Foreign(other))) if self.is_start() => {
                let message = format_args!("this is not JSON: it looks like {other}");
                self.error(ErrorKind::Syntax, message)
            }
            (None, Some(Flaw::Invalid | Flaw::Foreign(_))) => {
                self.error(ErrorKind::Syntax, "a byte that is not UTF-8 text")
            }
            (None, Some(Flaw::Cut)) => {
                self.error(ErrorKind::UnexpectedEnd, "the input ends inside a character")
            }
            (None, Some(Flaw::Failed(failure))) => match failure.take() {
                Some(error) => error,
                None => Error::new(ErrorKind::Io, "the input could not be read completely"),
            },
            (None, None) if self.is_start() => empty_input().at(self.position()),
            (None, None) => {
                let message = format_args!("expected {expected}, found the end of the input");
                self.error(ErrorKind::UnexpectedEnd, message)
            }
        }
    }

    /// Returns whether the cursor is at the start of the input.
    fn is_start(&self) -> bool {
        self.at == 0 && self.source.base() == 0 && self.source.origin() == (0, 0)
    }

    /// Returns a hint for common extensions of JSON. It depends only on the character and its
    /// position: if the input arrives in pieces, the text around it may be gone.
    fn hint(&self, expected: &str, found: char) -> &'static str {
        match (expected, found) {
            _ if self.relaxed => "",
            (_, '/') => " (`Options::relaxed` allows comments)",
            (_, BYTE_ORDER_MARK) if self.position() == line((0, 0)) => {
                " (`Options::relaxed` skips it at the start of the text)"
            }
            ("a value", ']') | ("a member name", '}') => {
                " (`Options::relaxed` allows trailing commas)"
            }
            _ => "",
        }
    }

    /// Creates the error for a character that is not allowed inside a string.
    #[cold]
    pub(crate) fn bad_character(&self) -> Error {
        self.unexpected("`\"` at the end of the text")
    }

    #[cold]
    pub(crate) fn bad_escape(&self, bad: BadEscape) -> Error {
        match bad {
            BadEscape::End => self.moved(self.text().len()).unexpected("a complete escape"),
            BadEscape::Unknown => self.error(ErrorKind::Syntax, "unknown escape in a string"),
            BadEscape::Surrogate => {
                self.error(ErrorKind::Syntax, "an escape for an unpaired surrogate")
            }
        }
    }

    /// Returns the line and the column here.
    #[cold]
    pub(crate) fn position(&self) -> Position {
        let source = &self.source;
        line(source.lines().find(source.text(), source.origin(), self.at))
    }

    /// Returns the line and the column of an offset, even if its text is gone.
    #[cold]
    pub(crate) fn position_of(&self, offset: usize) -> Position {
        if offset < self.source.base() {
            return line(self.source.gone(offset));
        }
        self.seen(offset).position()
    }

    /// Creates the error for a value here that has the wrong type.
    #[cold]
    pub(crate) fn wrong_type(&self, expected: &str) -> Error {
        match self.describe() {
            Ok(found) => Error::wrong_type(expected, found).at(self.position()),
            Err(error) => error,
        }
    }

    /// Describes the value here for messages. Short scalars are shown unchanged.
    ///
    /// # Errors
    /// An error if the text here is not JSON.
    #[cold]
    fn describe(&self) -> Result<String> {
        let mut here = self.view();
        Ok(match here.byte() {
            b'[' => Found::Seq.to_string(),
            b'{' => Found::Object.to_string(),
            b'"' => Found::Text(&here.name()?).to_string(),
            b'n' => here.literal("null").map(|()| Found::Null.to_string())?,
            b't' => here.literal("true").map(|()| Found::Bool(true).to_string())?,
            b'f' => here.literal("false").map(|()| Found::Bool(false).to_string())?,
            b'-' | b'0'..=b'9' => here.decimal()?.shown(),
            _ => return Err(self.unexpected("a value")),
        })
    }
}

/// Returns a position from a line and a column that are counted from 0.
pub(crate) fn line((line, column): (usize, usize)) -> Position {
    Position::Line { line: line + 1, column: column + 1 }
}

/// Displays a character in a message.
struct Visible(char);

impl fmt::Display for Visible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            BYTE_ORDER_MARK => f.write_str("a byte order mark"),
            c if c.is_control() => write!(f, "the control character U+{:04X}", c as u32),
            c => write!(f, "`{c}`"),
        }
    }
}

/// Returns whether a text begins with an unterminated comment.
fn is_open_comment(text: &str) -> bool {
    text.strip_prefix("/*").is_some_and(|comment| !comment.contains("*/"))
}
