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
        Cursor { text, flaw, at: 0 }
    }

    /// The start of a text.
    pub(crate) fn from_text(text: &'a str) -> Self {
        Cursor { text, flaw: None, at: 0 }
    }

    /// Another place in the same text.
    pub(crate) fn moved(self, at: usize) -> Self {
        Cursor { at, ..self }
    }

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
        if self.byte().wrapping_sub(1) < b' ' {
            self.long_space();
        }
    }

    #[inline(never)]
    fn long_space(&mut self) {
        const SPACES: u64 = u64::from_le_bytes([b' '; 8]);
        loop {
            self.at += match (self.byte(), self.bytes()[self.at..].first_chunk()) {
                (b' ', Some(indent)) => {
                    let other = u64::from_le_bytes(*indent) ^ SPACES;
                    other.trailing_zeros() as usize / 8
                }
                (b' ' | b'\n' | b'\r' | b'\t', _) => 1,
                _ => return,
            }
        }
    }

    /// Passes over the colon behind a key and the space around it.
    #[inline]
    pub(crate) fn colon(&mut self) -> Result {
        if self.byte() != b':' {
            self.space();
            if self.byte() != b':' {
                return Err(self.unexpected("`:`"));
            }
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    /// Passes over `null`, `true` or `false`.
    #[inline]
    pub(crate) fn literal(&mut self, literal: &str) -> Result {
        if !self.bytes()[self.at..].starts_with(literal.as_bytes()) {
            return Err(self.bad_literal(literal));
        }
        self.at += literal.len();
        Ok(())
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
