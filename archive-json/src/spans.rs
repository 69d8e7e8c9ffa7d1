//! [`Passing`]: a walk that records where objects and sequences end, or uses the records.

use archive_core::spans::Spans;

use crate::walk::Watch;

/// Records the spans that are long enough to be worth it, or jumps over every span that was
/// recorded.
pub(crate) struct Passing<'s> {
    pub(crate) spans: &'s mut Spans<()>,
    pub(crate) record: bool,
}

impl Watch for Passing<'_> {
    fn open(&mut self, place: usize) -> Option<usize> {
        if !self.record {
            return self.spans.find(place).map(|span| span.end);
        }
        self.spans.open(place);
        None
    }

    fn close(&mut self, place: usize) {
        if self.record {
            self.spans.close(place);
        }
    }

    fn is_idle(&self) -> bool {
        !self.record && self.spans.is_empty()
    }
}
