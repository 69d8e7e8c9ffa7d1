//! [`Found`]: a value of the input, as messages show it.

use std::fmt;

use crate::model::number::Number;

/// A value of the input as messages show it: "expected u32, found …". Formats use this type so that
/// all of them show the same wrong value in the same way.
///
/// ```
/// use archive::Error;
/// use archive::error::Found;
///
/// let error = Error::wrong_type("u32", Found::Text("seven"));
/// assert_eq!(error.message(), "expected u32, found \"seven\"");
/// assert_eq!(Found::Bytes(3).to_string(), "3 bytes");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Found<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// The number itself.
    Number(Number),
    /// The text in quotes, cut short if it is long.
    Text(&'a str),
    /// A number of bytes: "3 bytes".
    Bytes(usize),
    /// "a sequence".
    Seq,
    /// "an object".
    Object,
    /// "a pointer".
    Pointer,
}

/// The number of characters of a text or a name that are shown.
const MAX_CHARS: usize = 40;

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Null => f.write_str("null"),
            Found::Bool(value) => value.fmt(f),
            Found::Number(number) => number.fmt(f),
            Found::Text(text) => match cut(text) {
                Some(start) => write!(f, "{start:?} and more"),
                None => write!(f, "{text:?}"),
            },
            Found::Bytes(1) => f.write_str("1 byte"),
            Found::Bytes(count) => write!(f, "{count} bytes"),
            Found::Seq => f.write_str("a sequence"),
            Found::Object => f.write_str("an object"),
            Found::Pointer => f.write_str("a pointer"),
        }
    }
}

/// Returns the start of a text that is too long to show, or `None` if it is short enough.
fn cut(text: &str) -> Option<&str> {
    text.char_indices().nth(MAX_CHARS).map(|(end, _)| &text[..end])
}

/// A name from a file as messages quote it: `` `hp` ``, cut short if it is long.
pub(crate) struct Name<'a>(pub(crate) &'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match cut(self.0) {
            Some(start) => write!(f, "`{}…`", start.escape_debug()),
            None => write!(f, "`{}`", self.0.escape_debug()),
        }
    }
}
