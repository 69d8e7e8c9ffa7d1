//! [`Recorder`] and [`Known`]: walks that record where objects and sequences end, and walks that
//! use the records.

use archive_core::spans::Spans;

use crate::walk::Watch;

/// Records the spans that are long enough to be worth it.
pub(crate) struct Recorder<'s>(pub(crate) &'s mut Spans<()>);

impl Watch for Recorder<'_> {
    fn open(&mut self, place: usize) -> Option<usize> {
        self.0.open(place);
        None
    }

    fn close(&mut self, place: usize) {
        self.0.close(place);
    }
}

/// Jumps over every span that was recorded.
pub(crate) struct Known<'s>(pub(crate) &'s Spans<()>);

impl Watch for Known<'_> {
    fn open(&mut self, place: usize) -> Option<usize> {
        self.0.find(place).map(|span| span.end)
    }

    fn close(&mut self, _: usize) {}

    fn is_idle(&self) -> bool {
        self.0.is_empty()
    }
}
