//! [`Trial`]: loading over old values before it is known whether the file has all of them.

use crate::error::{Error, Result};

/// Whether a value is being loaded over an old one in the hope that nothing of that remains. If the
/// file turns out to lack something the value is loaded again, from blank. So nothing may happen
/// meanwhile that must not happen twice: pointers and the functions of types end the trial.
#[derive(Default)]
pub(crate) struct Trial {
    on: bool,
    lost: bool,
    /// How often it was lost.
    losses: u32,
}

impl Trial {
    /// So many losses say that this file is not the kind for it.
    const ENOUGH: u32 = 8;

    /// Begins a trial, unless one is on or there were enough.
    #[inline]
    pub(crate) fn begin(&mut self) -> bool {
        let begins = !self.on && self.losses < Self::ENOUGH;
        self.on |= begins;
        begins
    }

    /// Ends it. The answer is whether it was won.
    #[inline]
    pub(crate) fn end(&mut self) -> bool {
        self.on = false;
        self.losses += u32::from(self.lost);
        !std::mem::take(&mut self.lost)
    }

    /// Whether one is on.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    /// The file lacks something.
    #[inline]
    pub(crate) fn lacks(&mut self) {
        self.lost |= self.on;
    }

    /// Something is about to happen that must not happen twice.
    #[inline]
    pub(crate) fn certain(&mut self) -> Result {
        if self.on { Err(self.give_up()) } else { Ok(()) }
    }

    #[cold]
    fn give_up(&mut self) -> Error {
        self.lost = true;
        Error::custom("the value is loaded again") // nobody sees it
    }
}
