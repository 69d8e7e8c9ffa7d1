//! Extension types, as they appear in a tree: `{"$ext": type, "$data": bytes}`, where the type is a
//! number from -128 to 127. No object of a program has these names.

use archive_core::Number;

use crate::cursor::{Cursor, Token};

pub(crate) const TYPE: &str = "$ext";
pub(crate) const DATA: &str = "$data";

/// An extension value in the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ext<'a> {
    pub(crate) kind: i8,
    pub(crate) data: &'a [u8],
}

/// A part of an extension that is read as a member, although it is not a separate value in the
/// input.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    Type(i8),
    Data(&'a [u8]),
}

impl<'a> Ext<'a> {
    /// Returns the member with that index, and its name.
    pub(crate) fn part(&self, index: u8) -> Option<(&'static str, Part<'a>)> {
        match index {
            0 => Some((TYPE, Part::Type(self.kind))),
            1 => Some((DATA, Part::Data(self.data))),
            _ => None,
        }
    }
}

/// Replaces the object with two members at the end of the output by an extension, if the object
/// represents one.
#[cold]
pub(crate) fn join(out: &mut Vec<u8>, at: usize) {
    if let Some((kind, data)) = parse(&out[at..]) {
        out.truncate(at);
        write(out, kind, &data);
    }
}

/// Returns whether the object at that offset may represent an extension.
#[inline]
pub(crate) fn begins(out: &[u8], at: usize) -> bool {
    out.get(at + 1..).is_some_and(|rest| rest.starts_with(b"\xa4$ext"))
}

/// Returns the type and the data of an extension that is written as an object.
#[cold]
fn parse(object: &[u8]) -> Option<(i8, Vec<u8>)> {
    let mut cursor = Cursor::new(object);
    let Ok(Token::Map(2)) = cursor.token() else { return None };
    cursor.at = cursor.key_end(TYPE)?;
    let kind = cursor.number().ok()??.to_integer().ok()?;
    cursor.at = cursor.key_end(DATA)?;
    let data = match cursor.token().ok()? {
        Token::Bin(len) => cursor.take(len).ok()?.to_vec(),
        // Formats without bytes write numbers instead.
        Token::Seq(len) => {
            let byte = |number: Option<Number>| number?.to_integer().ok();
            (0..len).map(|_| byte(cursor.number().ok()?)).collect::<Option<_>>()?
        }
        _ => return None,
    };
    Some((kind, data))
}

/// Writes an extension in the smallest form.
fn write(out: &mut Vec<u8>, kind: i8, data: &[u8]) {
    // The data came from one value of the output, so its length fits.
    let written = rmp::encode::write_ext_meta(out, data.len() as u32, kind);
    debug_assert!(written.is_ok(), "a vector takes everything");
    out.extend_from_slice(data);
}
