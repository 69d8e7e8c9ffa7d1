//! [`Source`]: where the text comes from. [`Slice`] is all of it, in memory; a
//! [`Window`](crate::Window) is the part of it that is needed. [`Part`] is a look at what either has.

use std::cell::RefCell;

use archive_core::Error;

use crate::lines::Lines;

/// Where a decoder's text comes from.
///
/// Two offsets are told apart. Places are offsets in the whole input; they are what is remembered.
/// The cursor's own `at` is one in the text at hand, which begins at the place [`base`](Source::base).
pub trait Source {
    /// Whether text that was passed may be gone.
    const MOVES: bool;

    /// The text at hand.
    fn text(&self) -> &str;

    /// What is wrong after the end of the text.
    fn flaw(&self) -> Option<Flaw<'_>>;

    /// Where the text at hand begins in the input.
    #[inline]
    fn base(&self) -> usize {
        0
    }

    /// The line and the column in which the text at hand begins, from 0.
    #[inline]
    fn origin(&self) -> (usize, usize) {
        (0, 0)
    }

    /// The lines of the text at hand.
    fn lines(&self) -> &Lines;

    /// The line and the column of a place whose text is gone, from 0.
    fn gone(&self, place: usize) -> (usize, usize) {
        let _ = place;
        self.origin()
    }

    /// Gets more text when the cursor is past all that is at hand; text in front of the cursor is
    /// let go. The answer is where the cursor is then, or nothing at the end of the input. `start` is a
    /// place whose line and column will be asked for.
    #[inline]
    fn more(&mut self, at: usize, start: usize) -> Option<usize> {
        let _ = (at, start);
        None
    }

    /// Keeps the text from a place on. The answer is the place it was kept from before.
    #[inline]
    fn keep(&mut self, place: usize) -> usize {
        let _ = place;
        usize::MAX
    }

    /// Whether the text from a place on is kept.
    #[inline]
    fn keeps(&self, place: usize) -> bool {
        let _ = place;
        true
    }

    /// Keeps the text from that place on, and what is in front of it no longer.
    #[inline]
    fn release(&mut self, place: usize) {
        let _ = place;
    }

    /// Keeps all text from here on to the end of the load: there are places to come back to.
    #[inline]
    fn keep_all(&mut self) {}

    /// Gets the rest of the input.
    #[inline]
    fn all(&mut self) {}

    /// Lets go the byte order mark that the text begins with, as if there were none: no place has been
    /// remembered yet, and all of the text is at hand.
    fn drop_mark(&mut self) {}

    /// The line and the column of a place of the text at hand, from 0. Places are asked for in their
    /// order.
    fn locate(&mut self, place: usize) -> (usize, usize) {
        let _ = place;
        self.origin()
    }
}

/// What is wrong after the end of a text.
#[derive(Clone, Copy, Debug)]
pub enum Flaw<'a> {
    /// A character is cut short by the end of the input.
    Cut,
    /// A byte that is no UTF-8.
    Invalid,
    /// There should be more, but there was an error.
    Failed(&'a Failure),
}

/// The error that ended the bytes, until it is told.
pub(crate) type Failure = RefCell<Option<Error>>;

/// What some editors put in front of a text to say that it is UTF-8.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The part of the input that is UTF-8, and what is wrong after it.
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
            let flaw = if error.error_len().is_none() { Flaw::Cut } else { Flaw::Invalid };
            (str::from_utf8(valid).unwrap_or_default(), Some(flaw))
        }
    }
}

/// A text in memory.
#[derive(Debug)]
pub struct Slice<'a> {
    /// The input, as far as it is UTF-8.
    text: &'a str,
    flaw: Option<Flaw<'a>>,
    lines: Lines,
}

impl<'a> Slice<'a> {
    /// An input. It is checked to be UTF-8 once and as a whole, which is faster than string by string;
    /// what follows the first flaw is never looked at.
    pub(crate) fn new(input: &'a [u8]) -> Self {
        let (text, flaw) = valid(input);
        Slice { text, flaw, lines: Lines::default() }
    }

    pub(crate) fn of_text(text: &'a str) -> Self {
        Slice { text, flaw: None, lines: Lines::default() }
    }
}

impl Source for Slice<'_> {
    const MOVES: bool = false;

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

/// The text at hand of another source, to look around in.
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
    const MOVES: bool = false;

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
