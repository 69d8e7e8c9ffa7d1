//! [`Window`]: the part of a text that is needed, if the bytes arrive piece by piece.
//!
//! The text in memory always ends after a comma between two values, or at the end of the input. Therefore
//! neither a token nor a comment is ever cut, and the text after the comma is read in the next window. The
//! decoder requests more text in one place only: where it skips white space and reaches the end of the
//! text. Text from offsets that the decoder has stored is kept; all other text before the cursor is
//! dropped.
// Why: docs/decisions/json-and-messagepack.md#json-from-a-reader-is-loaded-through-a-window

use std::cell::RefCell;
use std::fmt;

use archive_core::backend::Feed;

use crate::lines::{Lines, position_after};
use crate::quotes::Quotes;
use crate::source::{BYTE_ORDER_MARK, Failure, Flaw, Source, valid};

/// That many zero bytes in a piece are a hole in a file.
const HOLE: usize = 4096;

/// A window over a text that arrives piece by piece.
pub struct Window<'r> {
    feed: Feed<'r>,
    /// The text in memory.
    text: String,
    /// The bytes that were read after `text`, with space for more; the first `read` bytes are
    /// filled.
    tail: Vec<u8>,
    read: usize,
    quotes: Quotes,
    base: usize,
    origin: (usize, usize),
    /// The offset from which text is kept.
    retained: usize,
    /// An offset whose text is gone, with its line and column.
    start: (usize, (usize, usize)),
    /// The offset whose line and column were requested last.
    located: (usize, (usize, usize)),
    lines: Lines,
    ended: bool,
    flaw: Option<Flaw<'static>>,
    failure: Option<Failure>,
}

impl<'r> Window<'r> {
    /// The number of bytes that are read at once: few at first, since most files are small.
    const CHUNKS: [usize; 2] = [8 * 1024, 64 * 1024];
    /// The value of `kept` while no text is kept.
    const NONE: usize = usize::MAX;

    /// Creates a window before the first byte.
    pub(crate) fn new(feed: Feed<'r>) -> Self {
        Window {
            feed,
            text: String::new(),
            tail: vec![0; Self::CHUNKS[0]],
            read: 0,
            quotes: Quotes::default(),
            base: 0,
            origin: (0, 0),
            retained: Self::NONE,
            start: (0, (0, 0)),
            located: (0, (0, 0)),
            lines: Lines::default(),
            ended: false,
            flaw: None,
            failure: None,
        }
    }

    /// Reads once more. Returns the number of bytes of the tail up to the end of its last whole
    /// value, if it has one.
    fn read(&mut self) -> Option<usize> {
        let before = self.read;
        if self.tail.len() - before < Self::CHUNKS[1] / 2 && before > 0 {
            self.tail.resize(before + Self::CHUNKS[1], 0);
        }
        let count = match (self.feed)(&mut self.tail[before..]) {
            Ok(count) => count,
            Err(error) => {
                self.failure = Some(RefCell::new(Some(error)));
                self.ended = true;
                return None;
            }
        };
        // A reader that returns a larger number than there was space for is not trusted.
        self.read = (before + count).min(self.tail.len());
        if count == 0 {
            self.ended = true;
            return Some(self.read);
        }
        let new = &self.tail[before..self.read];
        if new.len() >= HOLE && new.iter().all(|byte| *byte == 0) {
            // No text continues like this. The rest may be a hole of terabytes.
            self.ended = true;
            return Some(self.read);
        }
        let comma = self.quotes.last_comma(new);
        comma.map(|comma| before + comma + 1)
    }

    fn end(&mut self, flaw: Flaw<'static>) {
        self.ended = true;
        self.flaw = Some(flaw);
    }

    /// Moves the first `len` bytes of the tail into the window.
    fn take(&mut self, len: usize) {
        let (text, flaw) = valid(&self.tail[..len]);
        self.text.push_str(text);
        if let Some(flaw) = flaw {
            self.end(flaw);
        }
        self.tail.copy_within(len..self.read, 0);
        self.read -= len;
    }

    /// Drops the text before the cursor that is not kept.
    fn let_go(&mut self, at: usize, start: usize) {
        let end = at.min(self.retained.saturating_sub(self.base));
        // Moving the kept text is only worthwhile if it is shorter than the dropped text.
        if end < self.text.len() - end {
            return;
        }
        let mut gone = &self.text.as_bytes()[..end];
        if let Some((before, since)) = gone.split_at_checked(start.wrapping_sub(self.base)) {
            self.origin = position_after(self.origin, before);
            self.start = (start, self.origin);
            gone = since;
        }
        self.origin = position_after(self.origin, gone);
        self.text.drain(..end);
        self.lines.clear();
        self.base += end;
    }
}

impl Source for Window<'_> {
    const DROPS_TEXT: bool = true;

    #[inline]
    fn text(&self) -> &str {
        &self.text
    }

    fn flaw(&self) -> Option<Flaw<'_>> {
        self.flaw.or_else(|| self.failure.as_ref().map(Flaw::Failed))
    }

    #[inline]
    fn base(&self) -> usize {
        self.base
    }

    fn origin(&self) -> (usize, usize) {
        self.origin
    }

    fn lines(&self) -> &Lines {
        &self.lines
    }

    fn gone(&self, offset: usize) -> (usize, usize) {
        if offset == self.start.0 { self.start.1 } else { self.origin }
    }

    #[cold]
    fn more(&mut self, at: usize, start: usize) -> Option<usize> {
        let offset = self.base + at;
        while !self.ended {
            if let Some(len) = self.read() {
                self.let_go(at, start);
                self.take(len);
                let at = offset - self.base;
                return (at < self.text.len()).then_some(at);
            }
        }
        None
    }

    fn retain(&mut self, offset: usize) -> usize {
        let before = self.retained;
        self.retained = before.min(offset);
        before
    }

    fn retains(&self, offset: usize) -> bool {
        self.retained <= offset
    }

    fn release(&mut self, offset: usize) {
        // Text that is kept to the end is still kept.
        if self.retained != 0 {
            self.retained = offset;
        }
    }

    fn retain_all(&mut self) {
        self.retained = 0;
    }

    fn all(&mut self) {
        self.retain_all();
        while !self.ended {
            if let Some(len) = self.read() {
                self.take(len);
            }
        }
    }

    /// A comma that was found before may be in a comment, so the text is searched again.
    fn allow_comments(&mut self) {
        if self.ended {
            return;
        }
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.extend_from_slice(&self.tail[..self.read]);
        self.read = bytes.len();
        bytes.resize(self.read.max(Self::CHUNKS[0]), 0);
        self.tail = bytes;
        self.lines.clear();
        self.quotes = Quotes::and_comments();
        let mut end = self.quotes.last_comma(&self.tail[..self.read]).map(|comma| comma + 1);
        while end.is_none() && !self.ended {
            end = self.read();
        }
        // After a failure, the text that was read before it is still available.
        self.take(end.unwrap_or(self.read));
    }

    fn drop_mark(&mut self) {
        if self.base == 0 && self.text.starts_with(BYTE_ORDER_MARK) {
            self.text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
    }

    fn locate(&mut self, offset: usize) -> (usize, usize) {
        let (from, origin) =
            if self.located.0 < self.base { (self.base, self.origin) } else { self.located };
        let text = self.text.as_bytes().get(from - self.base..offset.saturating_sub(self.base));
        self.located = (offset, position_after(origin, text.unwrap_or_default()));
        self.located.1
    }
}

impl fmt::Debug for Window<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Window")
            .field("text", &self.text)
            .field("base", &self.base)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
