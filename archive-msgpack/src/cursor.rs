//! [`Cursor`]: an offset in the input, and the tokens of MessagePack. Every read is checked against
//! the length of the input.

use archive_core::Result;
use rmp::Marker;

/// An offset in the input. A copy can be used to return to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The byte offset.
    pub(crate) at: usize,
}

/// The header of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A null, a truth value or a number with this number of bytes.
    Fixed(usize),
    /// Text with this number of bytes.
    Str(usize),
    /// Bytes, of this length.
    Bin(usize),
    /// An extension: a type, then this number of bytes.
    Ext(usize),
    /// An array with this number of items.
    Seq(usize),
    /// A map with this number of entries, each a key and a value.
    Map(usize),
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the start of an input.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0 }
    }

    /// Returns a cursor at another offset of the same input.
    #[inline]
    pub(crate) fn moved(self, at: usize) -> Self {
        Cursor { at, ..self }
    }

    /// Returns the byte here, or at the end of the input a byte that starts no value.
    #[inline]
    pub(crate) fn byte(&self) -> u8 {
        const RESERVED: u8 = 0xc1;
        self.bytes.get(self.at).copied().unwrap_or(RESERVED)
    }

    /// Returns the byte at another offset.
    #[inline]
    pub(crate) fn byte_at(&self, at: usize) -> u8 {
        self.moved(at).byte()
    }

    /// Returns the rest of the input.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Returns the marker here.
    #[inline]
    pub(crate) fn marker(&self) -> Marker {
        Marker::from_u8(self.byte())
    }

    /// Returns the length of the input.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the number of bytes that are left.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Returns the bytes between two offsets.
    #[inline]
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Reads `len` bytes.
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(len);
        match end.and_then(|end| self.bytes.get(self.at..end)) {
            Some(bytes) => {
                self.at += len;
                Ok(bytes)
            }
            None => Err(self.end()),
        }
    }

    /// Reads `N` bytes.
    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.bytes().ok_or_else(|| self.end())
    }

    /// Reads `N` bytes, if that many are left.
    #[inline]
    pub(crate) fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.rest().first_chunk()?;
        self.at += N;
        Some(*bytes)
    }

    /// Reads a length of `N` bytes, at most four.
    #[inline]
    fn length<const N: usize>(&mut self) -> Result<usize> {
        Ok(self.array::<N>()?.iter().fold(0, |length, byte| (length << 8) | usize::from(*byte)))
    }

    /// Checks the length of an array or a map whose items take at least `bytes` bytes each. A
    /// length that exceeds the rest of the input is an error.
    #[inline]
    fn count(&self, count: usize, bytes: usize) -> Result<usize> {
        if count > self.left() / bytes { Err(self.too_many(count)) } else { Ok(count) }
    }

    /// Reads the header of the value here.
    #[inline]
    pub(crate) fn token(&mut self) -> Result<Token> {
        let marker = self.marker();
        if marker == Marker::Reserved {
            return Err(self.unexpected("a value"));
        }
        self.at += 1;
        Ok(match marker {
            Marker::FixPos(_) | Marker::FixNeg(_) => Token::Fixed(0),
            Marker::Null | Marker::True | Marker::False | Marker::Reserved => Token::Fixed(0),
            Marker::U8 | Marker::I8 => Token::Fixed(1),
            Marker::U16 | Marker::I16 => Token::Fixed(2),
            Marker::U32 | Marker::I32 | Marker::F32 => Token::Fixed(4),
            Marker::U64 | Marker::I64 | Marker::F64 => Token::Fixed(8),
            Marker::FixStr(len) => Token::Str(len.into()),
            Marker::Str8 => Token::Str(self.length::<1>()?),
            Marker::Str16 => Token::Str(self.length::<2>()?),
            Marker::Str32 => Token::Str(self.length::<4>()?),
            Marker::Bin8 => Token::Bin(self.length::<1>()?),
            Marker::Bin16 => Token::Bin(self.length::<2>()?),
            Marker::Bin32 => Token::Bin(self.length::<4>()?),
            Marker::FixExt1 => Token::Ext(1),
            Marker::FixExt2 => Token::Ext(2),
            Marker::FixExt4 => Token::Ext(4),
            Marker::FixExt8 => Token::Ext(8),
            Marker::FixExt16 => Token::Ext(16),
            Marker::Ext8 => Token::Ext(self.length::<1>()?),
            Marker::Ext16 => Token::Ext(self.length::<2>()?),
            Marker::Ext32 => Token::Ext(self.length::<4>()?),
            Marker::FixArray(len) => Token::Seq(self.count(len.into(), 1)?),
            Marker::Array16 => {
                let len = self.length::<2>()?;
                Token::Seq(self.count(len, 1)?)
            }
            Marker::Array32 => {
                let len = self.length::<4>()?;
                Token::Seq(self.count(len, 1)?)
            }
            Marker::FixMap(len) => Token::Map(self.count(len.into(), 2)?),
            Marker::Map16 => {
                let len = self.length::<2>()?;
                Token::Map(self.count(len, 2)?)
            }
            Marker::Map32 => {
                let len = self.length::<4>()?;
                Token::Map(self.count(len, 2)?)
            }
        })
    }

    /// Reads text. Returns `None` if the value is not text.
    #[inline]
    pub(crate) fn text(&mut self) -> Result<Option<&'a str>> {
        let len = match self.byte() {
            byte @ 0xa0..=0xbf => {
                self.at += 1;
                usize::from(byte & 0x1f)
            }
            0xd9..=0xdb => match self.token()? {
                Token::Str(len) => len,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.utf8(len).map(Some)
    }

    /// Reads `len` bytes of UTF-8.
    #[inline]
    pub(crate) fn utf8(&mut self, len: usize) -> Result<&'a str> {
        let start = self.at;
        match std::str::from_utf8(self.take(len)?) {
            Ok(text) => Ok(text),
            Err(error) => Err(self.moved(start).bad_text(error)),
        }
    }

    /// Returns the offset after the key that starts here if the key is `name`. Takes one comparison
    /// of bytes if the length is stored in the smallest form.
    #[inline]
    pub(crate) fn key_end(&self, name: &str) -> Option<usize> {
        let key = self.bytes.get(self.at..)?;
        let (first, rest) = key.split_first()?;
        if name.len() < 32 && *first == (0xa0 | name.len() as u8) {
            return rest.starts_with(name.as_bytes()).then_some(self.at + 1 + name.len());
        }
        if matches!(first, 0xd9..=0xdb) { self.long_key_end(name) } else { None }
    }

    fn long_key_end(mut self, name: &str) -> Option<usize> {
        match self.token() {
            Ok(Token::Str(len)) if len == name.len() => {
                (self.take(len).ok()? == name.as_bytes()).then_some(self.at)
            }
            _ => None,
        }
    }
}
