//! [`Attempt`]: a load whose values the program may not keep.
// Why: docs/decisions/loading-values.md#a-load-over-an-old-value-is-an-attempt

use super::elements::Elements;
use super::nesting::Levels;
use crate::model::error::{Error, Result};
use crate::model::mark::Mark;

/// Whether the program keeps what is being loaded.
///
/// A value is loaded over an old one on the assumption that nothing of the old one remains. If the
/// file turns out to lack something, the value is loaded again, into a blank one. Actions that must
/// not happen twice are therefore not allowed during an attempt: pointers and the functions of
/// types end it.
#[derive(Default)]
pub(crate) struct Attempt {
    /// Whether made-up data is loaded, only to find out which values the functions visit.
    pub(crate) exploring: bool,
    on: bool,
    lost: bool,
    /// The number of attempts that failed.
    losses: u32,
}

impl Attempt {
    /// After this many failures, no more attempts are made for the file.
    const MAX_LOSSES: u32 = 8;

    /// Begins an attempt, unless one is running or too many have failed.
    #[inline]
    pub(super) fn begin(&mut self) -> bool {
        let begins = !self.on && self.losses < Self::MAX_LOSSES;
        self.on |= begins;
        begins
    }

    /// Ends the attempt. Returns whether it succeeded.
    #[inline]
    pub(super) fn end(&mut self) -> bool {
        self.on = false;
        self.losses += u32::from(self.lost);
        !std::mem::take(&mut self.lost)
    }

    /// Returns whether an attempt is running.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    /// Records that the file lacks something.
    #[inline]
    pub(crate) fn note_absent(&mut self) {
        self.lost |= self.on;
    }

    /// Ends the attempt with an error before an action that must not happen twice.
    #[inline]
    pub(crate) fn abort_if_on(&mut self) -> Result {
        if self.on { Err(self.give_up()) } else { Ok(()) }
    }

    #[cold]
    fn give_up(&mut self) -> Error {
        self.lost = true;
        Error::custom("the value is loaded again") // nobody sees it
    }
}

/// The state before an attempt, from which the value is loaded again.
#[doc(hidden)]
pub struct BeforeAttempt {
    pub(super) at: Mark,
    pub(super) levels: Levels,
    pub(super) elements: Elements,
}
