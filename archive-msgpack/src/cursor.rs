//! [`Cursor`]: a place in the bytes, and the tokens of MessagePack. Every read is checked against
//! what remains.

use archive_core::Result;
use rmp::Marker;

/// A place in the input. Copies are places to come back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The byte offset.
    pub(crate) at: usize,
}

/// The head of a value: what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// So many bytes of null, a truth value or a number.
    Fixed(usize),
    /// So many bytes of text.
    Str(usize),
    /// So many bytes.
    Bin(usize),
    /// The type, then so many bytes.
    Ext(usize),
    /// So many items.
    Seq(usize),
    /// So many keys, each with its value.
    Map(usize),
}

impl<'a> Cursor<'a> {
    /// The start of an input.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0 }
    }

    /// Another place in the same input.
    #[inline]
    pub(crate) fn moved(self, at: usize) -> Self {
        Cursor { at, ..self }
    }

    /// The byte here; at the end the one that starts no value.
    #[inline]
    pub(crate) fn byte(&self) -> u8 {
        const RESERVED: u8 = 0xc1;
        self.bytes.get(self.at).copied().unwrap_or(RESERVED)
    }

    /// The byte at another place.
    #[inline]
    pub(crate) fn byte_at(&self, at: usize) -> u8 {
        self.moved(at).byte()
    }

    /// What is left of the input.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// What begins here.
    #[inline]
    pub(crate) fn marker(&self) -> Marker {
        Marker::from_u8(self.byte())
    }

    /// How long the input is.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// How many bytes are left.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// The bytes between two places.
    #[inline]
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// The next `len` bytes.
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

    /// The next `N` bytes.
    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.bytes().ok_or_else(|| self.end())
    }

    /// The next `N` bytes, if there are so many.
    #[inline]
    pub(crate) fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.rest().first_chunk()?;
        self.at += N;
        Some(*bytes)
    }

    /// A length of `N` bytes, at most four.
    #[inline]
    fn length<const N: usize>(&mut self) -> Result<usize> {
        Ok(self.array::<N>()?.iter().fold(0, |length, byte| (length << 8) | usize::from(*byte)))
    }

    /// The length of an array or a map whose items take `bytes` each at least. What is longer than
    /// the rest of the input is cut short.
    #[inline]
    fn count(&self, count: usize, bytes: usize) -> Result<usize> {
        if count > self.left() / bytes { Err(self.too_many(count)) } else { Ok(count) }
    }

    /// Passes over the head of the value here.
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

    /// Reads text; `None` if something else stands here.
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

    /// So many bytes of UTF-8.
    #[inline]
    pub(crate) fn utf8(&mut self, len: usize) -> Result<&'a str> {
        let start = self.at;
        match std::str::from_utf8(self.take(len)?) {
            Ok(text) => Ok(text),
            Err(error) => Err(self.moved(start).bad_text(error)),
        }
    }

    /// Where the key that starts here ends, if it is `name`: one comparison of bytes, as long as its
    /// length is written in the smallest form.
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
