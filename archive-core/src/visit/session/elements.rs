//! The counters for [`Limits::elements`](crate::Limits::elements) and
//! [`Limits::empty_elements`](crate::Limits::empty_elements).

use crate::model::error::{Error, Result};
use crate::state::options::Options;

/// The number of elements that may still be visited. Counting down needs a single comparison and
/// few instructions.
#[derive(Clone, Copy, Default)]
pub(crate) struct Elements {
    pub(super) left: u64,
    /// Whether `left` has been set from the limit. A session is created without options.
    is_set: bool,
}

impl Elements {
    /// Takes `count` elements, if that many are left.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u64, options: &Options<'_>) -> bool {
        if count > self.left && !self.begins_with(count, options) {
            return false;
        }
        self.left -= count;
        true
    }

    /// Gives back elements that were taken.
    #[inline]
    pub(super) fn give_back(&mut self, count: u64) {
        self.left += count;
    }

    /// Returns whether these are the first elements and the limit allows them.
    #[cold]
    #[inline(never)]
    pub(super) fn begins_with(&mut self, count: u64, options: &Options<'_>) -> bool {
        self.are_unset(options) && count <= self.left
    }

    /// Sets the limit, if it was not set yet. Returns whether it set the limit.
    pub(super) fn are_unset(&mut self, options: &Options<'_>) -> bool {
        if !self.is_set {
            *self = Elements { left: options.settings().limits().elements, is_set: true };
            return true;
        }
        false
    }
}

/// The number of elements without bytes that may still be visited. A format that has such elements
/// creates one counter for each save and each load, and counts a list when it begins.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct EmptyElements {
    left: u64,
    most: u64,
}

impl EmptyElements {
    /// Creates a counter with the limit of the options.
    pub fn new(options: &Options<'_>) -> Self {
        let most = options.settings().limits().empty_elements;
        EmptyElements { left: most, most }
    }

    /// Counts elements.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit) if there are too many.
    pub fn count(&mut self, count: u64) -> Result {
        match self.left.checked_sub(count) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                let what = "elements that take no bytes";
                Err(Error::too_many(self.most, what, "max_empty_elements"))
            }
        }
    }

    /// Resets the counter, because the load starts again.
    pub fn begin_again(&mut self) {
        self.left = self.most;
    }
}
