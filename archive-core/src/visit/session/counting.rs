//! Counts against [`Limits::elements`](crate::Limits::elements), blocks included.
// Why: docs/decisions/limits-and-unsafe.md#limits-count-the-value-and-not-the-file

use super::Session;
use super::block_limits::limit_error;
use crate::model::block_size::{Asked, BlockSize};
use crate::model::error::{Error, Result};
use crate::state::options::{Limits, Options};
use crate::visit::visitor::UNCOUNTED;

impl Session {
    /// Returns whether values of that size, with that many elements in all, can be saved or loaded
    /// here at once. If not, they are visited piece by piece, which finds the one that exceeds a
    /// limit.
    #[doc(hidden)]
    #[inline(always)]
    pub fn fits(&mut self, size: BlockSize, elements: u64, options: &Options<'_>) -> bool {
        let deep = !self.has_levels(size.levels, options);
        let many = elements > 0 && elements > self.budget.elements.left;
        if !(deep | many) {
            return true;
        }
        !deep && self.budget.elements.begins_with(elements, options)
    }

    /// Returns `true` if such values are known to [fit](Session::fits). The limits may not have been
    /// read yet.
    #[doc(hidden)]
    #[inline(always)]
    pub fn surely_fits(&self, size: BlockSize, elements: u64) -> bool {
        !self.nesting.exceeds(size.levels) && elements <= self.budget.elements.left
    }

    /// Returns the error for a value that does not [fit](Session::fits): the same one as if it were
    /// visited piece by piece.
    #[doc(hidden)]
    #[cold]
    pub fn limit_error(&mut self, value: Asked, options: &Options<'_>) -> Error {
        self.budget.elements.are_unset(options);
        let limits = options.settings().limits();
        let room = self.max_depth(options).saturating_sub(self.depth());
        limit_error(value, room, self.budget.elements.left, limits)
    }

    /// Counts the elements of values that [fit](Session::fits).
    #[doc(hidden)]
    #[inline(always)]
    pub fn count_fitting(&mut self, elements: u64) {
        self.budget.elements.left = self.budget.elements.left.wrapping_sub(elements);
    }

    /// Counts one element that is loaded, or an item of a sequence of unknown length.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit) if there are too many.
    #[inline]
    pub fn count(&mut self, options: &Options<'_>) -> Result {
        if self.budget.elements.take(1, options) { Ok(()) } else { Err(too_many_elements(options)) }
    }

    /// Counts bytes as a list of numbers, which is how formats without a better form store them.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit),
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit).
    #[doc(hidden)]
    pub fn count_bytes(&mut self, bytes: &[u8], options: &Options<'_>) -> Result {
        self.enter(options)?;
        self.count_all(bytes.len() as u64, options)?;
        self.leave();
        Ok(())
    }

    /// Begins to save a list of length `len`. Returns the outer value of `uncounted`.
    pub(crate) fn begin_items(&mut self, len: usize) -> usize {
        let uncounted = if len == UNCOUNTED { self.depth() } else { 0 };
        std::mem::replace(&mut self.budget.uncounted, uncounted)
    }

    /// Counts an item that was not counted with its list.
    #[inline]
    pub(crate) fn count_uncounted(&mut self, options: &Options<'_>) -> Result {
        if self.budget.uncounted > 0 && self.budget.uncounted == self.depth() {
            self.count(options)
        } else {
            Ok(())
        }
    }

    /// Counts elements, if the limit allows that many.
    #[doc(hidden)]
    #[inline(always)]
    pub fn take_elements(&mut self, count: u64, options: &Options<'_>) -> bool {
        self.budget.elements.take(count, options)
    }

    /// Returns how many elements may still be counted.
    #[doc(hidden)]
    pub fn elements_left(&mut self, options: &Options<'_>) -> u64 {
        self.budget.elements.are_unset(options);
        self.budget.elements.left
    }

    /// Subtracts elements that will be counted again when they are visited.
    #[doc(hidden)]
    #[inline]
    pub fn give_back_elements(&mut self, count: u64) {
        self.budget.elements.give_back(count);
    }

    /// Counts all elements of a sequence.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit) if there are too many.
    #[inline(always)]
    pub fn count_all(&mut self, count: u64, options: &Options<'_>) -> Result {
        if self.take_elements(count, options) {
            Ok(())
        } else {
            Err(one_too_many(self.budget.elements.left, options))
        }
    }
}

/// Returns the error for a list that may have only `left` items.
#[cold]
#[inline(never)]
fn one_too_many(left: u64, options: &Options<'_>) -> Error {
    too_many_elements(options).in_item(left as usize)
}

#[cold]
fn too_many_elements(options: &Options<'_>) -> Error {
    exceeded(options.settings().limits())
}

/// Returns the error for more elements than the limit.
#[cold]
pub(crate) fn exceeded(limits: &Limits) -> Error {
    Error::too_many(limits.elements, "elements", "max_elements").unread()
}
