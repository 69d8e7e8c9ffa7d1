//! [`Passing`]: a walk that records the ends of arrays and maps and whether all keys are text, or
//! uses the records. The decoder walks over an object whose members are out of order, and over a
//! map whose keys must be known before it is read as a tree.

use archive_core::spans;

use crate::cursor::Cursor;
use crate::walk::Watch;

/// The recorded spans: for each its end, and whether some keys in it are not text.
pub(crate) type Spans = spans::Spans<bool>;

/// Records the spans that are long enough to be useful, or jumps over every recorded span.
pub(crate) struct Passing<'s> {
    spans: &'s mut Spans,
    record: bool,
    depth: usize,
    /// Whether the keys of the outermost map are text.
    pub(crate) text_keys: bool,
}

impl<'s> Passing<'s> {
    pub(crate) fn new(spans: &'s mut Spans, record: bool) -> Self {
        Passing { spans, record, depth: 0, text_keys: true }
    }
}

impl<'a> Watch<'a> for Passing<'_> {
    fn open(&mut self, here: &Cursor<'a>) -> Option<usize> {
        if self.record {
            self.spans.open(here.at);
        } else if let Some(span) = self.spans.find(here.at) {
            return Some(span.end);
        }
        self.depth += 1;
        None
    }

    fn key(&mut self, name: Option<&'a str>, _: &Cursor<'a>) {
        if name.is_some() {
            return;
        }
        self.text_keys &= self.depth > 1;
        if self.record
            && let Some(other_keys) = self.spans.note()
        {
            *other_keys = true;
        }
    }

    fn close(&mut self, here: &Cursor<'a>) {
        self.depth -= 1;
        if self.record {
            self.spans.close(here.at);
        }
    }
}
