//! Text for strings that need not be Unicode: file names and C strings. Unicode is kept unchanged.
//! Anything else, and NUL itself, is marked by a NUL, since no file name and no C string contains
//! one:
//!
//! | text | represents |
//! |---|---|
//! | NUL NUL | one NUL |
//! | NUL `x` and two hexadecimal digits | a byte that is not part of UTF-8 |
//! | NUL `u` and four hexadecimal digits | a unit of 16 bits that is not part of UTF-16 |
// Why: docs/decisions/types.md#text-that-is-not-unicode-is-escaped-by-nul

use std::fmt::Write;

use crate::model::error::{Error, ErrorKind, Found, Result};

/// The meaning of a piece of text.
pub(super) enum Piece<'a> {
    /// The text itself.
    Text(&'a str),
    /// A byte.
    Byte(u8),
    /// A unit of 16 bits.
    Unit(u16),
}

/// Returns the text for bytes.
pub(super) fn from_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|c| push(&mut out, c));
        for byte in chunk.invalid() {
            // Writing to a `String` cannot fail.
            let _ = write!(out, "\0x{byte:02x}");
        }
    }
    out
}

/// Returns the text for units of 16 bits.
#[cfg_attr(not(windows), allow(dead_code))] // tested everywhere
pub(super) fn from_units(units: impl Iterator<Item = u16>) -> String {
    let mut out = String::new();
    for c in char::decode_utf16(units) {
        match c {
            Ok(c) => push(&mut out, c),
            Err(unpaired) => {
                let _ = write!(out, "\0u{:04x}", unpaired.unpaired_surrogate());
            }
        }
    }
    out
}

fn push(out: &mut String, c: char) {
    out.push_str(if c == '\0' { "\0" } else { "" });
    out.push(c);
}

/// Calls `take` with the meaning of each piece of text.
pub(super) fn pieces(text: &str, mut take: impl FnMut(Piece<'_>) -> Result) -> Result {
    let mut rest = text;
    while let Some((plain, marked)) = rest.split_once('\0') {
        take(Piece::Text(plain))?;
        let digits = |len: usize| {
            let digits = marked.get(1..=len)?;
            let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            u16::from_str_radix(digits, 16).ok().filter(|_| plain)
        };
        let (piece, len) = match marked.as_bytes().first() {
            Some(0) => (Piece::Byte(0), 1),
            Some(b'x') => (Piece::Byte(digits(2).ok_or_else(|| malformed(text))? as u8), 3),
            Some(b'u') => (Piece::Unit(digits(4).ok_or_else(|| malformed(text))?), 5),
            _ => return Err(malformed(text)),
        };
        take(piece)?;
        rest = &marked[len..];
    }
    take(Piece::Text(rest))
}

/// Returns the bytes that a text represents.
pub(super) fn to_bytes(text: &str) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    pieces(text, |piece| {
        match piece {
            Piece::Text(text) => out.extend_from_slice(text.as_bytes()),
            Piece::Byte(byte) => out.push(byte),
            Piece::Unit(unit) => {
                return Err(foreign(format_args!("{unit:#06x} is not a character"), "Windows"));
            }
        }
        Ok(())
    })?;
    Ok(out)
}

/// Returns the units of 16 bits that a text represents.
#[cfg_attr(not(windows), allow(dead_code))] // tested everywhere
pub(super) fn to_units(text: &str) -> Result<Vec<u16>> {
    let mut out = Vec::with_capacity(text.len());
    pieces(text, |piece| {
        match piece {
            Piece::Text(text) => out.extend(text.encode_utf16()),
            Piece::Byte(0) => out.push(0),
            Piece::Byte(byte) => {
                return Err(foreign(format_args!("the byte {byte:#04x} is not UTF-8"), "Unix"));
            }
            Piece::Unit(unit) => out.push(unit),
        }
        Ok(())
    })?;
    Ok(out)
}

#[cold]
fn malformed(text: &str) -> Error {
    let expected = "NUL, `x` with two hexadecimal digits or `u` with four after each NUL";
    Error::wrong_type(expected, Found::Text(text))
}

/// Returns the error for text that has no form on this platform.
#[cold]
pub(super) fn foreign(what: impl std::fmt::Display, family: &str) -> Error {
    let message =
        format_args!("{what}: such text was saved on {family} and can only be loaded there");
    Error::new(ErrorKind::Unsupported, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for bytes in
            [&b""[..], b"plain", b"\0", b"a\0\0b", b"\xff\xfe", b"caf\xc3\xa9 \xc3", b"\0x41"]
        {
            let text = from_bytes(bytes);
            assert_eq!(to_bytes(&text).unwrap(), bytes, "{text:?}");
        }
        assert_eq!(from_bytes(b"a\xff\0b"), "a\0xff\0\0b");
    }

    #[test]
    fn units_come_back() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
        for units in [
            units("plain 🦀 é"),
            vec![0, 0x41, 0],
            vec![0xd800],
            vec![0xdc00, 0xd800, 0x41, 0xdfff, 0xd83e],
        ] {
            let text = from_units(units.iter().copied());
            assert_eq!(to_units(&text).unwrap(), units, "{text:?}");
        }
        assert_eq!(from_units([0xd800, 0x41].into_iter()), "\0ud800A");
    }

    #[test]
    fn the_other_family_and_what_is_malformed() {
        let error = to_bytes("a\0ud800").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains("Windows"), "{error}");
        let error = to_units("a\0xff").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains("Unix"), "{error}");
        for text in
            ["\0", "a\0", "\0x", "\0x4", "\0x+1", "\0xé", "\0ud80", "\0u+d80", "\0y00", "\0\0\0"]
        {
            assert_eq!(to_bytes(text).unwrap_err().kind(), ErrorKind::WrongType, "{text:?}");
            assert_eq!(to_units(text).unwrap_err().kind(), ErrorKind::WrongType, "{text:?}");
        }
    }
}
