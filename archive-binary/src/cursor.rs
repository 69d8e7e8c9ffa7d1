//! [`Cursor`]: the bytes being read, and the current offset. Every read is checked against the
//! length of the bytes.

use archive_core::__private::empty_input;
use archive_core::{Error, ErrorKind, Integer, Number, Position, Result, put};

use crate::text::text;
use crate::varint::{decode_u64, unzigzag, unzigzag_wide};

/// The bytes being read, and the current offset.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor that reads `bytes` from `at` on. Offsets count from the start of `bytes`.
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Cursor { bytes, at }
    }

    /// The offset of the next byte.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Moves to an offset. An offset past the end is an error at the next read.
    #[inline]
    pub(crate) fn goto(&mut self, at: usize) {
        self.at = at;
    }

    /// Returns the bytes from an offset up to the next byte.
    pub(crate) fn since(&self, start: usize) -> &'a [u8] {
        self.between(start, self.at)
    }

    /// Returns the bytes between two offsets.
    pub(crate) fn between(&self, start: usize, end: usize) -> &'a [u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Returns the number of all bytes, including those already read.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the number of bytes that are left.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Returns the next byte without consuming it.
    #[inline]
    pub(crate) fn peek(&self) -> Result<u8> {
        match self.bytes.get(self.at) {
            Some(byte) => Ok(*byte),
            None => Err(self.end()),
        }
    }

    /// Reads the next byte.
    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Ok(byte)
    }

    /// Reads `len` bytes.
    #[inline]
    pub(crate) fn take(&mut self, len: u64) -> Result<&'a [u8]> {
        let end = usize::try_from(len).ok().and_then(|len| self.at.checked_add(len));
        match end.and_then(|end| self.bytes.get(self.at..end)) {
            Some(bytes) => {
                self.at += bytes.len();
                Ok(bytes)
            }
            None => Err(self.end()),
        }
    }

    /// Reads `N` bytes.
    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.bytes.get(self.at..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => {
                self.at += N;
                Ok(*bytes)
            }
            None => Err(self.end()),
        }
    }

    /// Reads an unsigned integer of up to 64 bits.
    #[inline]
    pub(crate) fn u64(&mut self) -> Result<u64> {
        let first = self.byte()?;
        if first < 0x80 { Ok(first.into()) } else { self.u64_long(first) }
    }

    fn u64_long(&mut self, first: u8) -> Result<u64> {
        if let Some(word) = self.bytes.get(self.at - 1..).and_then(|rest| rest.first_chunk())
            && let Some((value, len)) = decode_u64(u64::from_le_bytes(*word))
        {
            self.at += len - 1;
            return Ok(value);
        }
        let mut value = u64::from(first & 0x7f);
        let start = self.at;
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        self.at = start;
        Err(self.too_long(64))
    }

    /// Reads an unsigned integer of 128 bits.
    pub(crate) fn u128(&mut self) -> Result<u128> {
        let mut value = 0;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            if shift == 126 && byte > 3 {
                break;
            }
            value |= u128::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.too_long(128))
    }

    /// Reads a signed integer of up to 64 bits.
    #[inline]
    pub(crate) fn i64(&mut self) -> Result<i64> {
        self.u64().map(unzigzag)
    }

    /// Reads a signed integer of 128 bits.
    pub(crate) fn i128(&mut self) -> Result<i128> {
        self.u128().map(unzigzag_wide)
    }

    /// Reads a flag: a truth value, or any other choice of two.
    #[inline]
    pub(crate) fn flag(&mut self, what: &str) -> Result<bool> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.bad_flag(what, other)),
        }
    }

    /// Reads a character, stored as its code point.
    pub(crate) fn char(&mut self) -> Result<char> {
        let at = self.at;
        let number = self.u64()?;
        u32::try_from(number)
            .ok()
            .and_then(char::from_u32)
            .ok_or_else(|| syntax(format_args!("{number} is not a Unicode scalar value"), at))
    }

    /// Reads a length and that many bytes.
    #[inline]
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8]> {
        let len = self.u64()?;
        self.take(len)
    }

    /// Reads a length and that many bytes of UTF-8 into a string, whose memory is reused.
    #[inline]
    pub(crate) fn string(&mut self, out: &mut String) -> Result {
        put::replace(out, self.str()?);
        Ok(())
    }

    /// Reads a length and that many bytes of UTF-8.
    #[inline]
    pub(crate) fn str(&mut self) -> Result<&'a str> {
        let len = self.u64()?;
        self.text(len)
    }

    /// Reads `len` bytes of UTF-8.
    #[inline]
    pub(crate) fn text(&mut self, len: u64) -> Result<&'a str> {
        let at = self.at;
        match text(self.take(len)?) {
            Ok(text) => Ok(text),
            Err(error) => Err(bad_text(error, at)),
        }
    }

    /// Returns the number of items of the list here, and their bytes, without consuming them: if
    /// there are less than 128, each of `size` bytes.
    #[inline]
    pub(crate) fn peek_short_list(&self, size: usize) -> Option<(usize, &'a [u8])> {
        let (&count, rest) = self.bytes.get(self.at..)?.split_first()?;
        let count = usize::from(count);
        if count >= 0x80 {
            return None;
        }
        Some((count, rest.get(..count.checked_mul(size)?)?))
    }

    /// Reads the number of entries of a list whose entries take at least a byte each.
    pub(crate) fn count(&mut self) -> Result<usize> {
        let at = self.at;
        let count = self.u64()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.left() => Ok(count),
            _ => Err(too_many(count, self.left(), at)),
        }
    }

    #[cold]
    fn end(&self) -> Error {
        if self.bytes.is_empty() {
            return empty_input().at(offset(0));
        }
        let message = "the input ends in the middle of a value";
        Error::new(ErrorKind::UnexpectedEnd, message).at(offset(self.bytes.len()))
    }

    #[cold]
    fn too_long(&self, bits: u32) -> Error {
        syntax(format_args!("an integer of more than {bits} bits"), self.at)
    }

    #[cold]
    fn bad_flag(&self, what: &str, found: u8) -> Error {
        syntax(format_args!("expected {what} (0 or 1), found {found}"), self.at - 1)
    }
}

/// An offset as a position.
pub(crate) fn offset(at: usize) -> Position {
    Position::Offset(at as u64)
}

/// Creates the error for input that violates the format.
#[cold]
pub(crate) fn syntax(message: impl std::fmt::Display, at: usize) -> Error {
    Error::new(ErrorKind::Syntax, message).at(offset(at))
}

/// Creates the error for a count that the rest of the input cannot hold.
#[cold]
pub(crate) fn too_many(count: u64, left: usize, at: usize) -> Error {
    Error::cut_short(count, left).at(offset(at))
}

#[cold]
pub(crate) fn bad_text(error: std::str::Utf8Error, at: usize) -> Error {
    syntax(format_args!("text is not UTF-8: {error}"), at)
}

/// Creates the error for a variant index that the enum of the file does not have.
#[cold]
pub(crate) fn no_variant(index: u64, at: usize) -> Error {
    syntax(format_args!("there is no variant {index}"), at)
}

/// Reads an integer of a wide type that must fit a narrower one.
#[inline]
pub(crate) fn narrow<'a, W, N>(
    data: &mut Cursor<'a>,
    read: impl FnOnce(&mut Cursor<'a>) -> Result<W>,
) -> Result<N>
where
    W: Copy + std::fmt::Display,
    N: Integer + TryFrom<W>,
{
    let at = data.at();
    let wide = read(data)?;
    N::try_from(wide).map_err(|_| {
        let message = format_args!("{wide} does not fit {}", N::NAME);
        Error::new(ErrorKind::OutOfRange, message).at(offset(at))
    })
}

/// Converts an integer of 128 bits to a [`Number`].
pub(crate) fn unsigned(value: u128) -> Number {
    i128::try_from(value).map_or(Number::UInt(value), Number::Int)
}
