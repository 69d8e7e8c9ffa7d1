//! [`Recorder`] and [`Known`]: walks that record where arrays and maps end and whether all keys are
//! text, and walks that use the records. The decoder walks over an object whose members are out of
//! order, and over a map whose keys must be known before it is read as a tree.

use archive_core::spans;

use crate::cursor::Cursor;
use crate::walk::Watch;

/// For each recorded span where it ends, and whether some keys in it are not text.
pub(crate) type Spans = spans::Spans<bool>;

/// Records the spans that are long enough to be worth it.
pub(crate) struct Recorder<'s> {
    spans: &'s mut Spans,
    /// Whether the keys of the map that ended last are text; after the walk, of the outermost map.
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

/// Jumps over every span that was recorded.
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
