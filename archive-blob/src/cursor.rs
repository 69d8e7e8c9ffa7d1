//! [`Input`]: the bytes of a file, and reading fields at an offset. Every read is checked against
//! the end of the container.

use archive_core::__private::{empty_input, looks_like};
use archive_core::{Error, ErrorKind, Found, Position, Result};
use byteorder::{ByteOrder, LittleEndian};

use crate::types::DataType;

/// Returns the bytes of a field.
#[inline]
pub(crate) fn word(value: i32) -> [u8; 4] {
    let mut bytes = [0; 4];
    LittleEndian::write_i32(&mut bytes, value);
    bytes
}

/// The bytes of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

/// The length of the header of a datum, between its name and its data.
pub(crate) const HEADER: usize = 12;
/// The minimum length of a datum with its name, and of a blob with its name.
pub(crate) const LEAST_DATUM: usize = 4 + 1 + HEADER;
pub(crate) const LEAST_BLOB: usize = 4 + 1 + 4 + 4;

/// The header of a datum, with the range of the data.
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

    /// Returns `len` bytes from `at` on, which must end before `end`.
    #[inline]
    pub(crate) fn take(&self, at: usize, len: usize, end: usize) -> Result<&'a [u8]> {
        match at.checked_add(len) {
            Some(to) if to <= end && to <= self.len() => Ok(&self.0[at..to]),
            _ => Err(self.cut(at, len as u64, end)),
        }
    }

    #[inline]
    fn i32(&self, at: usize, end: usize) -> Result<i32> {
        Ok(LittleEndian::read_i32(self.take(at, 4, end)?))
    }

    /// Reads a length or a count.
    #[inline]
    pub(crate) fn length(&self, at: usize, end: usize, what: &str) -> Result<usize> {
        let value = self.i32(at, end)?;
        usize::try_from(value).map_err(|_| syntax(format_args!("{what} of {value}"), at))
    }

    /// Reads a number of entries that take at least `least` bytes each.
    #[inline]
    pub(crate) fn count(&self, at: usize, end: usize, least: usize, what: &str) -> Result<usize> {
        let count = self.length(at, end, what)?;
        let left = end - at - 4; // `length` has checked that
        if count > left / least {
            return Err(self.too_many(what, count, left, end).at(offset(at)));
        }
        Ok(count)
    }

    /// Reads a name. Returns it without its NUL, with the offset after it.
    #[inline]
    pub(crate) fn name(&self, at: usize, end: usize) -> Result<(&'a [u8], usize)> {
        let len = self.length(at, end, "a name length")?;
        let bytes = self.take(at + 4, len, end)?;
        match bytes.split_last() {
            Some((0, name)) if !name.contains(&0) => Ok((name, at + 4 + len)),
            _ => Err(bad_name(at, bytes)),
        }
    }

    /// Reads the header of a datum, whose data must end before `end`.
    #[inline(always)]
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
        let len = size as u64 * count as u64;
        let Ok(len) = usize::try_from(len) else { return Err(self.cut(start, len, end)) };
        self.take(start, len, end)?;
        Ok(Header { kind, count, start, end: start + len })
    }

    /// Returns the kind of error for data that extends past `end`.
    fn bound(&self, end: usize) -> ErrorKind {
        if end >= self.len() { ErrorKind::UnexpectedEnd } else { ErrorKind::Syntax }
    }

    /// Creates the error for a count that its container cannot hold.
    #[cold]
    fn too_many(&self, what: &str, count: usize, left: usize, end: usize) -> Error {
        let kind = self.bound(end);
        let remain = if left == 1 { "remains" } else { "remain" };
        let why = match kind {
            ErrorKind::UnexpectedEnd => ": the input is cut short or damaged",
            _ => "",
        };
        let left = Found::Bytes(left);
        Error::new(kind, format_args!("{what} of {count}, but only {left} {remain}{why}"))
    }

    /// Creates the error for an input that does not begin as a list of blobs. The message names the
    /// format that the input looks like, if any.
    #[cold]
    pub(crate) fn other_format(&self, error: Error) -> Error {
        if self.len() == 0 {
            return empty_input().at(offset(0));
        }
        match looks_like(self.0) {
            Some(other) => {
                let message = format_args!("this is not a list of blobs: it looks like {other}");
                Error::new(ErrorKind::Syntax, message).at(offset(0))
            }
            None => error,
        }
    }

    #[cold]
    fn cut(&self, at: usize, len: u64, end: usize) -> Error {
        let left = end.min(self.len()).saturating_sub(at);
        let kind = self.bound(end);
        let place = match kind {
            ErrorKind::UnexpectedEnd => "the input has",
            _ => "its parent has",
        };
        let bytes = if len == 1 { "byte" } else { "bytes" };
        Error::new(kind, format_args!("expected {len} {bytes}, but {place} only {left} more"))
            .at(offset(at))
    }
}

/// An offset as a position.
pub(crate) fn offset(at: usize) -> Position {
    Position::Offset(at as u64)
}

/// Creates the error for input that does not follow the format.
#[cold]
pub(crate) fn syntax(message: impl std::fmt::Display, at: usize) -> Error {
    Error::new(ErrorKind::Syntax, message).at(offset(at))
}

/// Creates the error for data after the last entry.
#[cold]
pub(crate) fn trailing(what: &str, at: usize) -> Error {
    Error::new(ErrorKind::TrailingData, format_args!("trailing data after {what}")).at(offset(at))
}

#[cold]
fn bad_name(at: usize, name: &[u8]) -> Error {
    match name.last() {
        Some(0) => syntax("a name contains NUL", at),
        _ => syntax("a name must end with NUL", at),
    }
}

#[cold]
fn bad_size(kind: DataType, expected: usize, found: usize, at: usize) -> Error {
    syntax(format_args!("an element of {kind} takes {expected} bytes, not {found}"), at + 4)
}
