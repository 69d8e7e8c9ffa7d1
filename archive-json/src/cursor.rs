//! [`Cursor`]: a place in the text, and the tokens of JSON.

use std::borrow::Cow;

use archive_core::{Error, Result};

use crate::escape;

/// A place in the text. Copies are places to come back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    /// The input, as far as it is UTF-8.
    pub(crate) text: &'a str,
    /// What is wrong behind the end of `text`.
    pub(crate) flaw: Option<Flaw>,
    /// The byte offset.
    pub(crate) at: usize,
    /// Whether comments and trailing commas are accepted.
    pub(crate) relaxed: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Flaw {
    /// A character is cut short by the end of the input.
    Cut,
    /// A byte that is no UTF-8.
    Invalid,
}

impl<'a> Cursor<'a> {
    /// The start of an input. It is checked to be UTF-8 once and as a whole, which is faster than
    /// string by string; what follows the first flaw is never looked at.
    pub(crate) fn new(input: &'a [u8]) -> Self {
        let (text, flaw) = match str::from_utf8(input) {
            Ok(text) => (text, None),
            Err(error) => {
                let valid = &input[..error.valid_up_to()];
                let flaw = if error.error_len().is_none() { Flaw::Cut } else { Flaw::Invalid };
                (str::from_utf8(valid).unwrap_or_default(), Some(flaw))
            }
        };
        Cursor { text, flaw, at: 0, relaxed: false }
    }

    /// The start of a text.
    pub(crate) fn from_text(text: &'a str) -> Self {
        Cursor { text, flaw: None, at: 0, relaxed: false }
    }

    /// Another place in the same text.
    #[inline]
    pub(crate) fn moved(self, at: usize) -> Self {
        Cursor { at, ..self }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// The byte here; 0, which starts nothing in JSON, at the end.
    #[inline]
    pub(crate) fn byte(&self) -> u8 {
        self.byte_at(self.at)
    }

    #[inline]
    pub(crate) fn byte_at(&self, at: usize) -> u8 {
        self.bytes().get(at).copied().unwrap_or(0)
    }

    /// The text from an earlier place to here.
    #[inline]
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Whether this is the end of the input, and nothing is wrong behind it.
    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.text.len() && self.flaw.is_none()
    }

    /// Passes over white space.
    #[inline]
    pub(crate) fn space(&mut self) {
        if self.byte().wrapping_sub(1) < b' ' || self.byte() == b'/' {
            self.long_space();
        }
    }

    /// Whether the comma in front of this place is the last one of what `close` closes.
    #[inline]
    pub(crate) fn is_trailing(&self, close: u8) -> bool {
        self.byte() == close && self.relaxed
    }

    #[inline(never)]
    fn long_space(&mut self) {
        const SPACES: [u8; 16] = [b' '; 16];
        let bytes = self.bytes();
        loop {
            match self.byte() {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                b'/' if self.relaxed => match self.comment() {
                    Some(len) => self.at += len,
                    None => return,
                },
                _ => return,
            }
            // An indentation.
            while bytes.get(self.at..).and_then(<[u8]>::first_chunk) == Some(&SPACES) {
                self.at += SPACES.len();
            }
            if let Some(indent) = bytes.get(self.at..).and_then(<[u8]>::first_chunk) {
                let other = u64::from_le_bytes(*indent) ^ u64::from_le_bytes([b' '; 8]);
                self.at += other.trailing_zeros() as usize / 8;
            }
        }
    }

    /// How long the comment is that begins here. One without an end is none, and so is in the way.
    #[cold]
    fn comment(&self) -> Option<usize> {
        let text = &self.bytes()[self.at..];
        match text.get(1)? {
            b'/' => Some(memchr::memchr(b'\n', text).unwrap_or(text.len())),
            b'*' => memchr::memmem::find(&text[2..], b"*/").map(|end| end + 4),
            _ => None,
        }
    }

    /// Passes over the colon behind a key and the space around it.
    #[inline]
    pub(crate) fn colon(&mut self) -> Result {
        if self.byte() == b':' {
            let blank = usize::from(self.byte_at(self.at + 1) == b' ');
            let next = self.byte_at(self.at + 1 + blank);
            if next > b' ' && next != b'/' {
                self.at += 1 + blank;
                return Ok(());
            }
        }
        self.colon_apart()
    }

    #[inline(never)]
    fn colon_apart(&mut self) -> Result {
        self.space();
        if self.byte() != b':' {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    /// Passes over `null`, `true` or `false`.
    #[inline(always)]
    pub(crate) fn literal(&mut self, literal: &str) -> Result {
        if !self.bytes()[self.at..].starts_with(literal.as_bytes()) {
            return Err(self.bad_literal(literal));
        }
        self.at += literal.len();
        Ok(())
    }

    /// Passes over a truth value, if eight bytes are left. Which of the two it is is no branch, since
    /// nobody could foretell that.
    #[inline]
    pub(crate) fn truth(&mut self) -> Option<bool> {
        const TEXTS: [u64; 2] =
            [u64::from_le_bytes(*b"false\0\0\0"), u64::from_le_bytes(*b"true\0\0\0\0")];
        const MASKS: [u64; 2] = [u64::MAX >> 24, u64::MAX >> 32];
        let word = u64::from_le_bytes(*self.bytes().get(self.at..)?.first_chunk()?);
        let value = usize::from(word as u8 == b't');
        if (word ^ TEXTS[value]) & MASKS[value] != 0 {
            return None;
        }
        self.at += 5 - value;
        Some(value == 1)
    }

    #[cold]
    fn bad_literal(&self, literal: &str) -> Error {
        let rest = &self.bytes()[self.at..];
        let common = rest.iter().zip(literal.as_bytes()).take_while(|(a, b)| a == b).count();
        self.moved(self.at + common).unexpected(&format!("`{literal}`"))
    }

    /// Reads a string without escapes. If it has some the answer is `None`, and the cursor stays.
    #[inline]
    pub(crate) fn plain_string(&mut self) -> Result<Option<&'a str>> {
        if self.byte() != b'"' {
            return Err(self.unexpected("text"));
        }
        let start = self.at + 1;
        let end = start + escape::plain_len(&self.bytes()[start..]);
        match self.byte_at(end) {
            b'"' => {
                self.at = end + 1;
                Ok(Some(&self.text[start..end]))
            }
            b'\\' => Ok(None),
            _ => Err(self.moved(end).bad_character()),
        }
    }

    /// Reads any string, telling its pieces to `piece`.
    #[cold]
    pub(crate) fn string_pieces(&mut self, mut piece: impl FnMut(&str)) -> Result {
        self.at += 1;
        loop {
            let start = self.at;
            self.at += escape::plain_len(&self.bytes()[start..]);
            piece(self.since(start));
            match self.byte() {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    let escaped = escape::unescape(&self.bytes()[self.at + 1..]);
                    let (c, len) = escaped.map_err(|bad| self.bad_escape(bad))?;
                    piece(c.encode_utf8(&mut [0; 4]));
                    self.at += 1 + len;
                }
                _ => return Err(self.bad_character()),
            }
        }
    }

    /// Reads a string.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>> {
        if let Some(text) = self.plain_string()? {
            return Ok(Cow::Borrowed(text));
        }
        let mut text = String::new();
        self.string_pieces(|piece| text.push_str(piece))?;
        Ok(Cow::Owned(text))
    }

    /// Passes over a string.
    #[inline]
    pub(crate) fn skip_string(&mut self) -> Result {
        if self.byte() != b'"' {
            return Err(self.unexpected("text"));
        }
        let start = self.at + 1;
        let end = start + escape::plain_len(&self.bytes()[start..]);
        if self.byte_at(end) == b'"' {
            self.at = end + 1;
            return Ok(());
        }
        self.string_pieces(|_| {})
    }

    /// Where the key that starts here ends, if it is `name`. As long as neither has escapes this
    /// is one comparison of bytes.
    #[inline]
    pub(crate) fn key_end(&self, name: &str) -> Option<usize> {
        let key = self.bytes().get(self.at + 1..)?;
        if key.get(name.len()) == Some(&b'"')
            && key.starts_with(name.as_bytes())
            && escape::plain_len(key) == name.len()
        {
            return Some(self.at + name.len() + 2);
        }
        let first = key.first();
        if first == Some(&b'\\') || first == name.as_bytes().first() {
            return self.escaped_key_end(key, name);
        }
        None
    }

    /// As [`key_end`](Cursor::key_end), for a key that may have escapes. An escape takes at most
    /// six bytes for one of the name, so a long key costs no more than a short one.
    #[cold]
    fn escaped_key_end(&self, key: &[u8], name: &str) -> Option<usize> {
        let window = &key[..key.len().min(6 * name.len())];
        let special = memchr::memchr2(b'"', b'\\', window)?;
        if window[special] != b'\\' {
            return None;
        }
        let mut after = *self;
        (after.string().ok()? == name).then_some(after.at)
    }
}
