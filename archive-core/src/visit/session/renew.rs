//! Using one session for many small loads or saves, one after the other. Creating a session takes
//! longer than loading a small value.

use super::Session;
use super::attempt::Attempt;
use super::budget::Budget;
use super::nesting::Nesting;
use super::passes::Passes;

impl Session {
    /// Makes this a new session without a report. Takes little time if the last load or save had
    /// no pointers, no trees and no report.
    #[doc(hidden)]
    #[inline]
    pub fn renew(&mut self) {
        if !self.restarts() {
            *self = Session::default();
        }
    }

    /// Sets all counters to those of a new session. Returns `false` if anything else was used.
    #[inline]
    fn restarts(&mut self) -> bool {
        // Lists every group, so that a new one is not forgotten.
        // The spare memory remains.
        let Session {
            saved,
            loaded,
            unknown,
            nesting,
            budget,
            reporting,
            trees,
            current,
            attempt,
            spare: _,
        } = self;
        let unused = saved.is_unused()
            && loaded.is_unused()
            && unknown.is_unused()
            && reporting.is_unused()
            && trees.is_unused()
            && !attempt.exploring;
        if !unused {
            return false;
        }
        loaded.passes = Passes::default();
        *nesting = Nesting::default();
        *budget = Budget::default();
        reporting.absent.clear();
        (reporting.looks, reporting.missed) = (false, false);
        (trees.whole, trees.expected) = (false, None);
        current.renew();
        *attempt = Attempt::default();
        true
    }
}
