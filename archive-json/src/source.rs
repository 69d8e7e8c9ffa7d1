//! [`Source`]: the text of a decoder. A [`Slice`] has the whole text in memory; a
//! [`Window`](crate::Window) has only the part that is needed. A [`Part`] is a read-only view of
//! the text in memory of either of them.

use std::cell::RefCell;

use archive_core::__private::looks_like;
use archive_core::Error;

use crate::lines::Lines;

/// The text of a decoder.
///
/// An *offset* is an offset in the whole input; the decoder stores only these. The cursor's own
/// `at` is an index in the text in memory, which begins at the offset [`base`](Source::base).
pub trait Source {
    /// Whether text before the cursor may be dropped from memory.
    const DROPS_TEXT: bool;

    /// Returns the text in memory.
    fn text(&self) -> &str;

    /// Returns the flaw after the end of the text, if there is one.
    fn flaw(&self) -> Option<Flaw<'_>>;

    /// Returns the offset at which the text in memory begins.
    #[inline]
    fn base(&self) -> usize {
        0
    }

    /// Returns the line and the column at which the text in memory begins, counted from 0.
    #[inline]
    fn origin(&self) -> (usize, usize) {
        (0, 0)
    }

    /// Returns the line index of the text in memory.
    fn lines(&self) -> &Lines;

    /// Returns the line and the column, counted from 0, of an offset whose text is gone.
    fn gone(&self, offset: usize) -> (usize, usize) {
        let _ = offset;
        self.origin()
    }

    /// Reads more text when the cursor is at the end of the text in memory, and may drop text
    /// before the cursor. Returns the new offset of the cursor, or `None` at the end of the input.
    /// `start` is an offset whose line and column may be requested later.
    #[inline]
    fn more(&mut self, at: usize, start: usize) -> Option<usize> {
        let _ = (at, start);
        None
    }

    /// Keeps the text from an offset on in memory. Returns the offset from which text was kept
    /// until now.
    #[inline]
    fn retain(&mut self, offset: usize) -> usize {
        let _ = offset;
        usize::MAX
    }

    /// Returns whether the text from an offset on is kept in memory.
    #[inline]
    fn retains(&self, offset: usize) -> bool {
        let _ = offset;
        true
    }

    /// Keeps the text from this offset on, and no longer the text before it.
    #[inline]
    fn release(&mut self, offset: usize) {
        let _ = offset;
    }

    /// Keeps all text from here to the end of the load, because the decoder may return to it.
    #[inline]
    fn retain_all(&mut self) {}

    /// Reads the rest of the input.
    #[inline]
    fn all(&mut self) {}

    /// Accepts comments from the start of the text in memory on. Only white space was skipped so
    /// far.
    #[inline]
    fn allow_comments(&mut self) {}

    /// Removes the byte order mark at the start of the text. Must be called before any offset is
    /// stored.
    fn drop_mark(&mut self) {}

    /// Returns the line and the column, counted from 0, of an offset in the text in memory. Offsets
    /// must be passed in ascending order.
    fn locate(&mut self, offset: usize) -> (usize, usize) {
        let _ = offset;
        self.origin()
    }
}

/// The flaw after the end of a text.
#[derive(Clone, Copy, Debug)]
pub enum Flaw<'a> {
    /// The input ends in the middle of a character.
    Cut,
    /// A byte is not valid UTF-8.
    Invalid,
    /// A byte is not valid UTF-8, and the input from there looks like a file in another format.
    Foreign(&'static str),
    /// Reading failed before the end of the input.
    Failed(&'a Failure),
}

/// The error that ended the input, until it is reported.
pub(crate) type Failure = RefCell<Option<Error>>;

/// The byte order mark that some editors put before a text to mark it as UTF-8.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns the part of the input that is UTF-8, and the flaw after it.
pub(crate) fn valid(input: &[u8]) -> (&str, Option<Flaw<'static>>) {
    match simdutf8::basic::from_utf8(input) {
        Ok(text) => (text, None),
        Err(_) => valid_part(input),
    }
}

#[cold]
fn valid_part(input: &[u8]) -> (&str, Option<Flaw<'static>>) {
    match str::from_utf8(input) {
        Ok(text) => (text, None),
        Err(error) => {
            let valid = &input[..error.valid_up_to()];
            let flaw = match looks_like(&input[valid.len()..]) {
                _ if error.error_len().is_none() => Flaw::Cut,
                Some(other) => Flaw::Foreign(other),
                None => Flaw::Invalid,
            };
            (str::from_utf8(valid).unwrap_or_default(), Some(flaw))
        }
    }
}

/// A text in memory.
#[derive(Debug)]
pub struct Slice<'a> {
    /// The input up to the first byte that is not UTF-8.
    text: &'a str,
    flaw: Option<Flaw<'a>>,
    lines: Lines,
}

impl<'a> Slice<'a> {
    /// Creates a source from an input. It validates UTF-8 once for the whole input, which is faster
    /// than string by string. Bytes after the first invalid one are never read.
    pub(crate) fn new(input: &'a [u8]) -> Self {
        let (text, flaw) = valid(input);
        Slice { text, flaw, lines: Lines::default() }
    }

    pub(crate) fn of_text(text: &'a str) -> Self {
        Slice { text, flaw: None, lines: Lines::default() }
    }
}

impl Source for Slice<'_> {
    const DROPS_TEXT: bool = false;

    #[inline]
    fn text(&self) -> &str {
        self.text
    }

    #[inline]
    fn flaw(&self) -> Option<Flaw<'_>> {
        self.flaw
    }

    #[inline]
    fn lines(&self) -> &Lines {
        &self.lines
    }

    fn drop_mark(&mut self) {
        self.text = self.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(self.text);
    }
}

/// A read-only view of the text in memory of another source.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    pub(crate) text: &'a str,
    flaw: Option<Flaw<'a>>,
    origin: (usize, usize),
    lines: &'a Lines,
}

impl<'a> Part<'a> {
    #[inline]
    pub(crate) fn of(source: &'a impl Source) -> Self {
        Part {
            text: source.text(),
            flaw: source.flaw(),
            origin: source.origin(),
            lines: source.lines(),
        }
    }
}

impl Source for Part<'_> {
    const DROPS_TEXT: bool = false;

    #[inline]
    fn text(&self) -> &str {
        self.text
    }

    #[inline]
    fn flaw(&self) -> Option<Flaw<'_>> {
        self.flaw
    }

    #[inline]
    fn origin(&self) -> (usize, usize) {
        self.origin
    }

    #[inline]
    fn lines(&self) -> &Lines {
        self.lines
    }
}
