//! [`Recorder`] and [`Known`]: walks that note where arrays and maps end and whether all keys are text,
//! and walks that use it. An object whose members stand in another order is walked over, and so is a map
//! whose keys must be known before it is read as a tree.

use archive_core::spans;

use crate::cursor::Cursor;
use crate::walk::Watch;

/// Where arrays and maps end, and whether some of their keys are not text.
pub(crate) type Spans = spans::Spans<bool>;

/// Notes every span that is worth it.
pub(crate) struct Recorder<'s> {
    spans: &'s mut Spans,
    /// Whether the keys of the last map that ended are text; in the end, of the outermost.
    pub(crate) text_keys: bool,
}

impl<'s> Recorder<'s> {
    pub(crate) fn new(spans: &'s mut Spans) -> Self {
        Recorder { spans, text_keys: true }
    }
}

impl<'a> Watch<'a> for Recorder<'_> {
    fn open(&mut self, here: &Cursor<'a>) -> Option<usize> {
        self.spans.open(here.at);
        None
    }

    fn key(&mut self, name: Option<&'a str>, _: &Cursor<'a>) {
        if name.is_none()
            && let Some(other_keys) = self.spans.note()
        {
            *other_keys = true;
        }
    }

    fn close(&mut self, here: &Cursor<'a>) {
        if let Some(other_keys) = self.spans.close(here.at) {
            self.text_keys = !other_keys;
        }
    }
}

/// Jumps over every span that is known.
pub(crate) struct Known<'s> {
    spans: &'s Spans,
    depth: usize,
    /// Whether the keys of the outermost map are text.
    pub(crate) text_keys: bool,
}

impl<'s> Known<'s> {
    pub(crate) fn new(spans: &'s Spans) -> Self {
        Known { spans, depth: 0, text_keys: true }
    }
}

impl<'a> Watch<'a> for Known<'_> {
    fn open(&mut self, here: &Cursor<'a>) -> Option<usize> {
        let end = self.spans.find(here.at).map(|span| span.end);
        self.depth += usize::from(end.is_none());
        end
    }

    fn key(&mut self, name: Option<&'a str>, _: &Cursor<'a>) {
        self.text_keys &= self.depth > 1 || name.is_some();
    }

    fn close(&mut self, _: &Cursor<'a>) {
        self.depth -= 1;
    }
}
