//! Names: bytes that end with NUL, so a NUL inside one is written in two bytes.

use std::borrow::Cow;

use archive_core::{Error, Result};

use crate::cursor::syntax;

/// What stands for a NUL inside a name, as in Java's "modified UTF-8": no other text has these bytes.
const NUL: [u8; 2] = [0xc0, 0x80];

/// Names that stand before what the format itself has to say. Members cannot have them: a name
/// that begins with `$` is refused, and a map key that does gets another `$`.
pub(crate) const ARRAY: &str = "$array:";
/// The mark of an object whose only member has the empty name, where it might be taken for a value.
pub(crate) const OBJECT: &str = "$object";
/// The blob after a single root that has the empty name, where it might be taken for the one value.
pub(crate) const ROOTS: &str = "$roots";

/// A name as the file has it, without the NUL at its end.
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

/// The name that the file has at `at`.
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
    while let Some((first, behind)) = rest.split_first() {
        if rest.starts_with(&NUL) {
            out.push(0);
            rest = &rest[NUL.len()..];
        } else {
            out.push(*first);
            rest = behind;
        }
    }
    let bad = |error: std::string::FromUtf8Error| -> Error {
        syntax(format_args!("a name is not UTF-8: {}", error.utf8_error()), at)
    };
    String::from_utf8(out).map(Cow::Owned).map_err(bad)
}
