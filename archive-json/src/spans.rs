//! [`Spans`]: where objects and sequences end that a walk has passed already.
//!
//! An object whose members stand in another order than they are asked for is walked over to its
//! end, through everything nested in it. When the nested objects are read in turn, and are out of
//! order too, the same text would be walked over once per level. So the first walk notes where
//! everything of some size ends, and later walks inside its reach jump: the walks of all levels
//! together pass over each byte only a few times.

use std::ops::Range;

use crate::walk::Watch;

/// Where objects and sequences end, within one stretch of the text.
#[derive(Debug, Default)]
pub(crate) struct Spans {
    /// In the order in which they begin.
    list: Vec<Range<usize>>,
    /// Indices into `list` of those whose end was not met yet.
    open: Vec<usize>,
    /// The stretch of which everything is known.
    covered: Range<usize>,
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
        Recorder(self)
    }

    /// For a walk that uses what is known.
    pub(crate) fn known(&self) -> Known<'_> {
        Known(self)
    }

    fn end(&self, start: usize) -> Option<usize> {
        if !self.covered.contains(&start) {
            return None;
        }
        let index = self.list.binary_search_by_key(&start, |span| span.start).ok()?;
        Some(self.list[index].end)
    }
}

/// Notes every span that is worth it.
pub(crate) struct Recorder<'s>(&'s mut Spans);

impl Watch for Recorder<'_> {
    fn open(&mut self, place: usize) -> Option<usize> {
        self.0.open.push(self.0.list.len());
        self.0.list.push(place..place);
        None
    }

    fn close(&mut self, place: usize) {
        let Some(index) = self.0.open.pop() else {
            return;
        };
        let span = &mut self.0.list[index];
        span.end = place;
        // A short span holds only shorter ones, and those were dropped before: it is the last.
        if span.len() < Spans::WORTH_NOTING {
            self.0.list.truncate(index);
        }
    }
}

/// Jumps over every span that is known.
pub(crate) struct Known<'s>(&'s Spans);

impl Watch for Known<'_> {
    fn open(&mut self, place: usize) -> Option<usize> {
        self.0.end(place)
    }

    fn close(&mut self, _: usize) {}
}
