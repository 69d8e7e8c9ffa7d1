//! [`Spans`]: where arrays and maps end that a walk has passed already, and what their keys are.
//!
//! An object whose members stand in another order than they are asked for is walked over to its
//! end, through everything nested in it; so is a map whose keys must be known before it is read as a
//! tree. When the nested ones are read in turn, the same bytes would be walked over once per level.
//! So the first walk notes where everything of some size ends, and later walks inside its reach
//! jump: the walks of all levels together pass over each byte only a few times.

use std::ops::Range;

use crate::cursor::Cursor;
use crate::walk::Watch;

/// Where arrays and maps end, within one stretch of the input.
#[derive(Debug, Default)]
pub(crate) struct Spans {
    /// In the order in which they begin.
    list: Vec<Span>,
    /// Indices into `list` of those whose end was not met yet.
    open: Vec<usize>,
    /// The stretch of which everything is known.
    covered: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    end: usize,
    /// Whether no key is anything but text.
    text_keys: bool,
}

impl Spans {
    /// What is shorter is walked over again as fast as it is looked up.
    const WORTH_NOTING: usize = 64;

    /// Whether the walks that begin here should [record](Spans::recorder): nothing is known here
    /// yet. What is known of elsewhere is forgotten then.
    pub(crate) fn begin(&mut self, at: usize) -> bool {
        if self.covered.contains(&at) {
            return false;
        }
        self.list.clear();
        self.open.clear();
        self.covered = at..at;
        true
    }

    /// Ends the recording.
    pub(crate) fn finish(&mut self, at: usize) {
        self.covered.end = at;
    }

    /// For a walk that notes what it passes.
    pub(crate) fn recorder(&mut self) -> Recorder<'_> {
        Recorder { spans: self, text_keys: true }
    }

    /// For a walk that uses what is known.
    pub(crate) fn known(&self) -> Known<'_> {
        Known { spans: self, depth: 0, text_keys: true }
    }

    fn find(&self, start: usize) -> Option<&Span> {
        if !self.covered.contains(&start) {
            return None;
        }
        let index = self.list.binary_search_by_key(&start, |span| span.start).ok()?;
        Some(&self.list[index])
    }

    /// Whether all keys of the map that starts there are text, if that is known.
    pub(crate) fn text_keys(&self, start: usize) -> Option<bool> {
        self.find(start).map(|span| span.text_keys)
    }
}

/// Notes every span that is worth it.
pub(crate) struct Recorder<'s> {
    spans: &'s mut Spans,
    /// Whether the keys of the last map that ended are text; in the end, of the outermost.
    pub(crate) text_keys: bool,
}

impl<'a> Watch<'a> for Recorder<'_> {
    fn open(&mut self, here: &Cursor<'a>) -> Option<usize> {
        self.spans.open.push(self.spans.list.len());
        self.spans.list.push(Span { start: here.at, end: here.at, text_keys: true });
        None
    }

    fn key(&mut self, name: Option<&'a str>, _: &Cursor<'a>) {
        if name.is_none()
            && let Some(index) = self.spans.open.last()
        {
            self.spans.list[*index].text_keys = false;
        }
    }

    fn close(&mut self, here: &Cursor<'a>) {
        let Some(index) = self.spans.open.pop() else {
            return;
        };
        let span = &mut self.spans.list[index];
        span.end = here.at;
        self.text_keys = span.text_keys;
        // A short span holds only shorter ones, and those were dropped before: it is the last.
        if span.end - span.start < Spans::WORTH_NOTING {
            self.spans.list.truncate(index);
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
