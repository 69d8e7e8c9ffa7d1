//! Begins and ends [attempts](super::attempt::Attempt).

use super::Session;
use super::attempt::BeforeAttempt;
use crate::model::mark::Mark;

impl Session {
    /// Begins an attempt at a mark, unless one is running or too many have failed.
    #[inline]
    pub(crate) fn begin_attempt(&mut self, at: impl FnOnce() -> Mark) -> Option<BeforeAttempt> {
        if !self.attempt.begin() {
            return None;
        }
        Some(BeforeAttempt { at: at(), levels: self.levels(), elements: self.budget.elements })
    }

    /// Ends the attempt. Returns the mark at which the value is loaded again, if the attempt failed.
    #[inline]
    pub(crate) fn end_attempt(&mut self, before: &BeforeAttempt) -> Option<Mark> {
        if self.attempt.end() {
            return None;
        }
        self.set_levels(before.levels);
        self.budget.elements = before.elements;
        Some(before.at)
    }
}
