//! [`Position`]: a position in the input.

use std::fmt;

/// A position in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Position {
    /// A position in text: line and column, both from 1. The column counts characters.
    Line {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
    },
    /// An offset in bytes, from 0.
    Offset(u64),
    /// Unknown: the error is in a tree, or inside a name.
    Unknown,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Line { line, column } => write!(f, "line {line} column {column}"),
            Position::Offset(offset) => write!(f, "byte {offset}"),
            Position::Unknown => f.write_str("an unknown position"),
        }
    }
}
