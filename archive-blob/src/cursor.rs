//! [`Input`]: the bytes of a file, and what stands at a place of it. Everything is checked against
//! the end of what it stands in.

use archive_core::__private::looks_like;
use archive_core::{Error, ErrorKind, Found, Position, Result};
use byteorder::{ByteOrder, LittleEndian};

use crate::types::DataType;

/// A field as the format has it.
#[inline]
pub(crate) fn word(value: i32) -> [u8; 4] {
    let mut bytes = [0; 4];
    LittleEndian::write_i32(&mut bytes, value);
    bytes
}

/// The bytes of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

/// The length of what stands between the name of a datum and its data.
pub(crate) const HEADER: usize = 12;
/// The least length of a datum with its name, and of a blob in a list with its name.
pub(crate) const LEAST_DATUM: usize = 4 + 1 + HEADER;
pub(crate) const LEAST_BLOB: usize = 4 + 1 + 4 + 4;

/// What stands between the name of a datum and its data, and where the data stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) kind: DataType,
    pub(crate) count: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl<'a> Input<'a> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The bytes from `at` on, of which there must be `len` before `end`.
    #[inline]
    pub(crate) fn take(&self, at: usize, len: usize, end: usize) -> Result<&'a [u8]> {
        match at.checked_add(len) {
            Some(to) if to <= end && to <= self.len() => Ok(&self.0[at..to]),
            _ => Err(self.cut(at, len, end)),
        }
    }

    #[inline]
    fn i32(&self, at: usize, end: usize) -> Result<i32> {
        Ok(LittleEndian::read_i32(self.take(at, 4, end)?))
    }

    /// A length or a count.
    #[inline]
    pub(crate) fn length(&self, at: usize, end: usize, what: &str) -> Result<usize> {
        let value = self.i32(at, end)?;
        usize::try_from(value).map_err(|_| syntax(format_args!("{what} of {value}"), at))
    }

    /// A number of entries that take `least` bytes each.
    #[inline]
    pub(crate) fn count(&self, at: usize, end: usize, least: usize, what: &str) -> Result<usize> {
        let count = self.length(at, end, what)?;
        let left = end - at - 4; // `length` has checked that
        if count > left / least {
            return Err(self.too_many(what, count, left, end).at(offset(at)));
        }
        Ok(count)
    }

    /// A name without its NUL, and where it ends.
    #[inline]
    pub(crate) fn name(&self, at: usize, end: usize) -> Result<(&'a [u8], usize)> {
        let len = self.length(at, end, "a name length")?;
        let bytes = self.take(at + 4, len, end)?;
        match bytes.split_last() {
            Some((0, name)) if !name.contains(&0) => Ok((name, at + 4 + len)),
            _ => Err(bad_name(at, bytes)),
        }
    }

    /// The header of a datum, whose data ends before `end`.
    #[inline]
    pub(crate) fn header(&self, at: usize, end: usize) -> Result<Header> {
        let kind = DataType::new(self.i32(at, end)?);
        let size = self.length(at + 4, end, "an element size")?;
        let count = self.length(at + 8, end, "an element count")?;
        if let Some(expected) = kind.element_size()
            && expected != size
        {
            return Err(bad_size(kind, expected, size, at));
        }
        let start = at + HEADER;
        let len = usize::try_from(size as u64 * count as u64).unwrap_or(usize::MAX);
        self.take(start, len, end)?;
        Ok(Header { kind, count, start, end: start + len })
    }

    /// What it means that something goes past `end`.
    fn bound(&self, end: usize) -> ErrorKind {
        if end >= self.len() { ErrorKind::UnexpectedEnd } else { ErrorKind::Syntax }
    }

    /// A count that what it stands in cannot hold.
    #[cold]
    fn too_many(&self, what: &str, count: usize, left: usize, end: usize) -> Error {
        let kind = self.bound(end);
        let remain = if left == 1 { "remains" } else { "remain" };
        let why = match kind {
            ErrorKind::UnexpectedEnd => ": the input is cut short or damaged",
            _ => "",
        };
        let left = Found::Bytes(left);
        Error::new(kind, format_args!("{what} of {count} where {left} {remain}{why}"))
    }

    /// The error for an input that does not begin as a list of blobs, whose beginning may tell what it
    /// is instead.
    #[cold]
    pub(crate) fn other_format(&self, error: Error) -> Error {
        match looks_like(self.0) {
            Some(other) => {
                let message = format_args!("this is no list of blobs: it looks like {other}");
                Error::new(ErrorKind::Syntax, message).at(offset(0))
            }
            None => error,
        }
    }

    #[cold]
    fn cut(&self, at: usize, len: usize, end: usize) -> Error {
        let left = end.min(self.len()).saturating_sub(at);
        let kind = self.bound(end);
        let place = match kind {
            ErrorKind::UnexpectedEnd => "the input has",
            _ => "what it stands in has",
        };
        let len = Found::Bytes(len);
        Error::new(kind, format_args!("expected {len}, but {place} only {left} more"))
            .at(offset(at))
    }
}

/// An offset as a position.
pub(crate) fn offset(at: usize) -> Position {
    Position::Offset(at as u64)
}

/// The input does not follow the format.
#[cold]
pub(crate) fn syntax(message: impl std::fmt::Display, at: usize) -> Error {
    Error::new(ErrorKind::Syntax, message).at(offset(at))
}

/// Something stands after the last entry.
#[cold]
pub(crate) fn trailing(what: &str, at: usize) -> Error {
    Error::new(ErrorKind::TrailingData, format_args!("something stands after {what}"))
        .at(offset(at))
}

#[cold]
fn bad_name(at: usize, name: &[u8]) -> Error {
    match name.last() {
        Some(0) => syntax("a NUL inside of a name", at),
        _ => syntax("a name that does not end with NUL", at),
    }
}

#[cold]
fn bad_size(kind: DataType, expected: usize, found: usize, at: usize) -> Error {
    syntax(format_args!("an element of {kind} takes {expected} bytes, not {found}"), at + 4)
}
