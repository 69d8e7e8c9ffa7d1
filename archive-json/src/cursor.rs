//! [`Cursor`]: an offset in the text, and the tokens of JSON.
// Why: docs/decisions/json-and-messagepack.md#json-branches-on-lengths-that-repeat
// Why: docs/decisions/json-and-messagepack.md#comments-are-white-space

use std::borrow::Cow;
use std::ops::Range;

use archive_core::shape::Token;
use archive_core::{Error, Result};

use crate::escape;
use crate::source::{Part, Source};

/// An offset in the text, from which tokens are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<S> {
    pub(crate) source: S,
    /// The offset in the text in memory.
    pub(crate) at: usize,
    /// The offset at which the value begins that is being read. Errors are reported there.
    pub(crate) start: usize,
    /// Whether comments and trailing commas are accepted.
    pub(crate) relaxed: bool,
}

/// A cursor that only reads ahead: moving it changes nothing in the source.
pub(crate) type View<'v> = Cursor<Part<'v>>;

/// The text of a string: if it has no escapes, its range in the text in memory, otherwise a copy.
pub(crate) enum Text {
    Plain(Range<usize>),
    Escaped(String),
}

impl<S: Source> Cursor<S> {
    /// Creates a cursor at the start of an input.
    pub(crate) fn new(source: S) -> Self {
        Cursor { source, at: 0, start: 0, relaxed: false }
    }

    /// Returns a view at another offset of the text in memory.
    #[inline]
    pub(crate) fn moved(&self, at: usize) -> View<'_> {
        let source = Part::of(&self.source);
        Cursor { source, at, start: self.start, relaxed: self.relaxed }
    }

    /// Returns a view at this offset.
    #[inline]
    pub(crate) fn view(&self) -> View<'_> {
        self.moved(self.at)
    }

    /// Returns a view at an offset.
    #[inline]
    pub(crate) fn seen(&self, offset: usize) -> View<'_> {
        self.moved(offset.saturating_sub(self.source.base()))
    }

    /// Returns the offset of the cursor.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        self.source.base() + self.at
    }

    /// Moves to an offset.
    #[inline]
    pub(crate) fn go(&mut self, offset: usize) {
        self.at = offset.saturating_sub(self.source.base());
    }

    /// Marks the value that begins here as the one that errors are about.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.start = self.offset();
    }

    #[inline]
    pub(crate) fn text(&self) -> &str {
        self.source.text()
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        self.source.text().as_bytes()
    }

    /// Returns the byte here, or 0 at the end; no token of JSON starts with 0.
    #[inline]
    pub(crate) fn byte(&self) -> u8 {
        self.byte_at(self.at)
    }

    #[inline]
    pub(crate) fn byte_at(&self, at: usize) -> u8 {
        self.bytes().get(at).copied().unwrap_or(0)
    }

    /// Returns the text from an earlier offset to here.
    #[inline]
    pub(crate) fn since(&self, start: usize) -> &str {
        self.text().get(start..self.at).unwrap_or_default()
    }

    /// Returns whether this is the end of the input, and there is no flaw after it.
    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.text().len() && self.source.flaw().is_none()
    }

    /// Skips white space.
    #[inline]
    pub(crate) fn space(&mut self) {
        if self.byte() <= b' ' || self.byte() == b'/' {
            self.long_space();
        }
    }

    /// Returns whether the comma before this offset is a permitted trailing comma: `close` comes
    /// next.
    #[inline]
    pub(crate) fn is_trailing(&self, close: u8) -> bool {
        self.byte() == close && self.relaxed
    }

    /// Skips white space of any kind. The fast path is a line break with an indentation, because
    /// most white space is that.
    #[inline(never)]
    fn long_space(&mut self) {
        if matches!(self.byte(), b'\n' | b' ') {
            self.at += 1;
        }
        self.at = indent_end(self.bytes(), self.at);
        if self.byte() <= b' ' || self.byte() == b'/' {
            self.any_space();
        }
    }

    #[inline(never)]
    fn any_space(&mut self) {
        loop {
            match self.byte() {
                0 if S::DROPS_TEXT && self.at == self.text().len() => {
                    match self.source.more(self.at, self.start) {
                        Some(at) => self.at = at,
                        None => return,
                    }
                }
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                b'/' if self.relaxed => match self.comment() {
                    Some(len) => self.at += len,
                    None => return,
                },
                _ => return,
            }
            self.at = indent_end(self.bytes(), self.at);
        }
    }

    /// Returns the length of the comment that begins here. An unterminated comment has no length.
    /// The cursor is then left at it, and the next error is [about it](Cursor::unexpected).
    #[cold]
    fn comment(&self) -> Option<usize> {
        let text = &self.bytes()[self.at..];
        match text.get(1)? {
            b'/' => Some(memchr::memchr(b'\n', text).unwrap_or(text.len())),
            b'*' => memchr::memmem::find(&text[2..], b"*/").map(|end| end + 4),
            _ => None,
        }
    }

    /// Skips the colon after a key and the space around it.
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
        self.colon_slow()
    }

    #[inline(never)]
    fn colon_slow(&mut self) -> Result {
        self.space();
        if self.byte() != b':' {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    /// Skips `null`, `true` or `false`.
    #[inline(always)]
    pub(crate) fn literal(&mut self, literal: &str) -> Result {
        if !self.bytes()[self.at..].starts_with(literal.as_bytes()) {
            return Err(self.bad_literal(literal));
        }
        self.at += literal.len();
        Ok(())
    }

    /// Reads a truth value if eight bytes are left. The choice between the two values does not
    /// branch, because such a branch is unpredictable.
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

    /// Reads a string without escapes and returns its range. If the string has escapes, returns
    /// `None` and does not move the cursor.
    #[inline]
    pub(crate) fn plain_string(&mut self) -> Result<Option<Range<usize>>> {
        if self.byte() != b'"' {
            return Err(self.unexpected("text"));
        }
        let start = self.at + 1;
        let end = start + escape::plain_len(&self.bytes()[start..]);
        match self.byte_at(end) {
            b'"' => {
                self.at = end + 1;
                Ok(Some(start..end))
            }
            b'\\' => Ok(None),
            _ => Err(self.moved(end).bad_character()),
        }
    }

    /// Reads any string and passes its decoded pieces to `piece`.
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
    pub(crate) fn string(&mut self) -> Result<Text> {
        if let Some(range) = self.plain_string()? {
            return Ok(Text::Plain(range));
        }
        let mut text = String::new();
        self.string_pieces(|piece| text.push_str(piece))?;
        Ok(Text::Escaped(text))
    }

    /// Returns a string that was read. If it is a range, it must still be in the text in memory.
    #[inline]
    pub(crate) fn spelled(&self, text: Text) -> Cow<'_, str> {
        match text {
            Text::Plain(range) => Cow::Borrowed(&self.text()[range]),
            Text::Escaped(text) => Cow::Owned(text),
        }
    }

    /// Skips a string.
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

    /// Returns the offset after the key that starts here if the key is `name`. Without escapes this
    /// takes one comparison of bytes.
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

    /// Returns the offset of a value, if the text from here to it is the token.
    #[inline]
    pub(crate) fn token_end(&self, token: &Token, first: bool) -> Option<usize> {
        let text = self.bytes().get(self.at..)?;
        let end = token.begins(text, first)?;
        // There may be white space or a comment in front of the value.
        let is_value = text.get(end).is_some_and(|next| *next > b' ' && *next != b'/');
        if is_value { Some(self.at + end) } else { None }
    }

    /// Like [`key_end`](Cursor::key_end), for a key that may have escapes. It compares at most six
    /// bytes, the length of the longest escape, for each byte of the name, so a long key costs no
    /// more than a short one.
    #[cold]
    fn escaped_key_end(&self, key: &[u8], name: &str) -> Option<usize> {
        let window = &key[..key.len().min(6 * name.len())];
        let special = memchr::memchr2(b'"', b'\\', window)?;
        if window[special] != b'\\' {
            return None;
        }
        let mut after = self.view();
        (after.name().ok()? == name).then_some(after.at)
    }
}

/// Returns the offset at which the indentation from `at` ends, rounded down to two spaces. Branches
/// on the length instead of computing it, so that the processor can run the code after it without
/// waiting for the result.
#[inline]
pub(crate) fn indent_end(bytes: &[u8], mut at: usize) -> usize {
    at = blanks_end::<16>(bytes, at);
    at = blanks_end::<8>(bytes, at);
    at = blanks_end::<4>(bytes, at);
    blanks_end::<2>(bytes, at)
}

/// Returns the offset after the groups of `N` spaces from `at` on.
#[inline]
fn blanks_end<const N: usize>(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at..).and_then(<[u8]>::first_chunk) == Some(&[b' '; N]) {
        at += N;
    }
    at
}

impl<'v> View<'v> {
    /// Reads a string.
    pub(crate) fn name(&mut self) -> Result<Cow<'v, str>> {
        Ok(match self.string()? {
            Text::Plain(range) => Cow::Borrowed(&self.source.text[range]),
            Text::Escaped(text) => Cow::Owned(text),
        })
    }
}
