//! [`Passing`]: a walk that records the ends of objects and sequences, or uses the records.

use archive_core::spans::Spans;

use crate::skip::Watch;

/// Records the spans that are long enough to be useful, or jumps over every recorded span.
pub(crate) struct Passing<'s, const RECORD: bool>(pub(crate) &'s mut Spans<()>);

impl<const RECORD: bool> Watch for Passing<'_, RECORD> {
    fn open(&mut self, offset: usize) -> Option<usize> {
        if !RECORD {
            return self.0.find(offset).map(|span| span.end);
        }
        self.0.open(offset);
        None
    }

    fn close(&mut self, offset: usize) {
        if RECORD {
            self.0.close(offset);
        }
    }

    fn is_idle(&self) -> bool {
        !RECORD && self.0.is_empty()
    }
}
