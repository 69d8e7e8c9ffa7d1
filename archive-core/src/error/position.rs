//! [`Position`]: where in the input.

use std::fmt;

/// Where in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Position {
    /// In text: line and column, both from 1; the column counts characters.
    Line {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
    },
    /// In bytes, from 0.
    Offset(u64),
    /// Not known, or not to be had: in a tree, or inside a name.
    Unknown,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Line { line, column } => write!(f, "line {line} column {column}"),
            Position::Offset(offset) => write!(f, "byte {offset}"),
            Position::Unknown => f.write_str("an unknown place"),
        }
    }
}
