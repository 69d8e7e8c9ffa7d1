//! The memory that a load may still take.

use super::Session;
use super::budget::Budget;
use crate::model::error::{Error, Result};
use crate::state::options::Options;

impl Session {
    /// Sets the number of bytes of input, or of those known so far.
    #[doc(hidden)]
    #[inline]
    pub fn set_input(&mut self, len: usize, options: &Options<'_>) {
        if len != self.budget.input {
            self.more_input(len, options);
        }
    }

    fn more_input(&mut self, len: usize, options: &Options<'_>) {
        let budget = &mut self.budget;
        let (base, each) = Budget::RESERVED;
        budget.input = len;
        budget.reservable = len.saturating_mul(each).saturating_add(base);
        let expansion = options.settings().limits().expansion;
        let held = len.saturating_mul(expansion);
        // If there is no limit, there is none here either.
        let held = if held == usize::MAX { held } else { held - held / 4 };
        budget.holdable = held.saturating_add(Budget::HELD);
        let (base, part) = Budget::NOTES;
        budget.notable = (len.saturating_mul(expansion) / part).saturating_add(base);
    }

    /// Reserves room in a list for up to `count` items of `size` bytes, and returns the number of
    /// items that there is room for. No list gets more than half of the remaining room, so that
    /// some is left for the lists inside it.
    #[doc(hidden)]
    #[inline]
    pub fn reserve(&mut self, count: usize, size: usize, options: &Options<'_>) -> usize {
        let most = options.settings().limits().reserve.min(self.budget.reservable);
        let left = most.saturating_sub(self.budget.reserved) / 2;
        let wanted = count.saturating_mul(size);
        if wanted <= left {
            self.budget.reserved += wanted;
            return count;
        }
        let count = left / size;
        self.budget.reserved += count * size;
        count
    }

    /// Releases the reservation of a list that now has `len` items.
    #[doc(hidden)]
    #[inline]
    pub fn filled(&mut self, reserved: usize, len: usize, size: usize) {
        let filled = reserved.min(len) * size;
        self.budget.reserved = self.budget.reserved.saturating_sub(filled);
    }

    /// Adds bytes that a tree or the report takes.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit) if the total is more than
    /// [`Limits::expansion`](crate::Limits::expansion) allows.
    #[doc(hidden)]
    #[inline]
    pub fn hold(&mut self, bytes: usize) -> Result {
        if self.budget.hold(bytes) { Ok(()) } else { Err(self.holds_too_much()) }
    }

    /// Checks that the report had room for all findings.
    #[inline]
    pub(crate) fn report_fits(&self) -> Result {
        if self.budget.exceeded { Err(self.holds_too_much()) } else { Ok(()) }
    }

    /// Returns how many bytes trees and the report take.
    #[doc(hidden)]
    pub fn held(&self) -> usize {
        self.budget.held
    }

    /// Subtracts bytes that a tree or the report no longer takes.
    #[doc(hidden)]
    #[inline]
    pub fn let_go(&mut self, bytes: usize) {
        self.budget.let_go(bytes);
    }

    /// Makes room for up to `count` items in an empty list of a tree, as far as it may be
    /// [reserved](Session::reserve). Returns the number of items that there is room for.
    pub(crate) fn hold_room<T>(
        &mut self,
        items: &mut Vec<T>,
        count: usize,
        options: &Options<'_>,
    ) -> Result<usize> {
        let left = self.budget.holdable.saturating_sub(self.budget.held) / 2;
        let count = self.reserve(count.min(left / size_of::<T>()), size_of::<T>(), options);
        self.hold(count * size_of::<T>())?;
        items.reserve_exact(count);
        Ok(count)
    }

    /// Appends an item to a list that belongs to a tree or the report.
    #[doc(hidden)]
    #[inline]
    pub fn hold_item<T>(&mut self, items: &mut Vec<T>, item: T) -> Result {
        if items.len() == items.capacity() {
            self.grow(items)?;
        }
        items.push(item);
        Ok(())
    }

    /// Grows a list. The old and the new memory exist at the same time, so both are counted for a
    /// moment.
    #[inline(never)]
    fn grow<T>(&mut self, items: &mut Vec<T>) -> Result {
        const FEWEST: usize = 4;
        let before = items.capacity();
        let after = before.saturating_mul(2).max(FEWEST);
        self.hold(after.saturating_mul(size_of::<T>()))?;
        items.reserve_exact(after - before);
        self.let_go(before * size_of::<T>());
        Ok(())
    }

    /// Ends the growth of a list of a tree, and frees the memory that it does not need.
    #[doc(hidden)]
    #[inline]
    pub fn hold_no_more<T>(&mut self, items: &mut Vec<T>) {
        let more = items.capacity() - items.len();
        if more > 0 {
            items.shrink_to_fit();
            self.let_go(more * size_of::<T>());
        }
    }

    #[cold]
    #[inline(never)]
    fn holds_too_much(&self) -> Error {
        let limit = self.budget.holdable as u64;
        Error::too_many(limit, "bytes of trees and reports", "max_expansion").unread()
    }
}
