//! What counts against [`Limits::elements`](crate::Limits::elements) and
//! [`Limits::empty_elements`](crate::Limits::empty_elements).

use crate::error::{Error, Result};
use crate::options::Options;

/// How many more elements there may be: what is left is compared with nothing else, so that counting takes
/// few instructions.
#[derive(Clone, Copy, Default)]
pub(crate) struct Elements {
    pub(super) left: u64,
    /// Whether the limit is in it: a session is made without options.
    is_set: bool,
}

impl Elements {
    /// Takes so many, if there are so many left.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u64, options: &Options<'_>) -> bool {
        if count > self.left && !self.begins_with(count, options) {
            return false;
        }
        self.left -= count;
        true
    }

    /// Gives back what was taken.
    #[inline]
    pub(super) fn give_back(&mut self, count: u64) {
        self.left += count;
    }

    /// Whether these are the first ones, and there are so many.
    #[cold]
    #[inline(never)]
    pub(super) fn begins_with(&mut self, count: u64, options: &Options<'_>) -> bool {
        self.are_unset(options) && count <= self.left
    }

    /// Whether the limit was not in it. Now it is.
    pub(super) fn are_unset(&mut self, options: &Options<'_>) -> bool {
        if !self.is_set {
            *self = Elements { left: options.get_limits().elements, is_set: true };
            return true;
        }
        false
    }
}

/// How many more elements without bytes there may be. A format in which there are any has one for each
/// save and each load, and counts a list when it begins.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct EmptyElements {
    left: u64,
    most: u64,
}

impl EmptyElements {
    /// As many as the options allow.
    pub fn new(options: &Options<'_>) -> Self {
        let most = options.get_limits().empty_elements;
        EmptyElements { left: most, most }
    }

    /// Counts elements.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit).
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

    /// Forgets what was counted, since the load begins again.
    pub fn begin_again(&mut self) {
        self.left = self.most;
    }
}
