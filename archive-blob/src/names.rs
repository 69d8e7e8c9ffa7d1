//! Names: they end with NUL, so a NUL inside a name is written as two bytes.

use std::borrow::Cow;

use archive_core::{Error, Result};

use crate::cursor::syntax;

/// The bytes of a NUL inside a name, as in Java's "modified UTF-8": no valid text contains them.
const NUL: [u8; 2] = [0xc0, 0x80];

/// The mark of an array with one element; the name of the array follows.
///
/// Members cannot have the names of marks: a member name that begins with `$` is refused, and a map
/// key that begins with `$` gets another `$`.
pub(crate) const ARRAY: &str = "$array:";
/// The mark of an object whose only member has the empty name, which could be mistaken for a
/// wrapped value.
pub(crate) const OBJECT: &str = "$object";
/// The blob after a single root with the empty name, which could be mistaken for the one value of a
/// file.
pub(crate) const ROOTS: &str = "$roots";

/// Returns the bytes of a name in a file, without the NUL at its end.
#[inline]
pub(crate) fn raw(name: &str) -> Cow<'_, [u8]> {
    if name.as_bytes().contains(&0) { Cow::Owned(escape(name)) } else { name.as_bytes().into() }
}

#[cold]
fn escape(name: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len() + 1);
    for byte in name.bytes() {
        if byte == 0 { out.extend_from_slice(&NUL) } else { out.push(byte) }
    }
    out
}

/// Returns the name with these bytes; `at` is its offset, for errors.
///
/// # Errors
/// If it is not UTF-8.
pub(crate) fn text(raw: &[u8], at: usize) -> Result<Cow<'_, str>> {
    match str::from_utf8(raw) {
        Ok(name) => Ok(Cow::Borrowed(name)),
        Err(_) => escaped(raw, at),
    }
}

#[cold]
fn escaped(raw: &[u8], at: usize) -> Result<Cow<'_, str>> {
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((first, tail)) = rest.split_first() {
        if rest.starts_with(&NUL) {
            out.push(0);
            rest = &rest[NUL.len()..];
        } else {
            out.push(*first);
            rest = tail;
        }
    }
    let bad = |error: std::string::FromUtf8Error| -> Error {
        syntax(format_args!("a name is not UTF-8: {}", error.utf8_error()), at)
    };
    String::from_utf8(out).map(Cow::Owned).map_err(bad)
}
