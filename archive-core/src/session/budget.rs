//! What a load may take beside the values of the program's types: room that lists reserve on the word
//! of a file, and trees and reports, which say more than the file does.

use super::Session;
use crate::error::{Error, Result};
use crate::options::Options;

/// What is taken and what may be.
pub(crate) struct Budget {
    /// How many bytes of input there are, as far as is known.
    input: usize,
    /// How many bytes are reserved for elements that were not read yet, and how many may be.
    reserved: usize,
    reservable: usize,
    /// How many bytes trees and the report hold, and how many they may.
    held: usize,
    holdable: usize,
    /// Whether it came to more, if only for a moment.
    exceeded: bool,
}

impl Default for Budget {
    /// Of an input of which nothing is known.
    fn default() -> Self {
        Budget {
            input: 0,
            reserved: 0,
            reservable: usize::MAX,
            held: 0,
            holdable: usize::MAX,
            exceeded: false,
        }
    }
}

impl Budget {
    /// What may be reserved: so many bytes, and so many for each byte of the input.
    const RESERVED: (usize, usize) = (16 << 10, 32);
    /// What trees and reports may hold beside what they hold for each byte of the input. The law allows
    /// twice that; the other half, and a quarter of the rest, is for reading.
    const HELD: usize = 32 << 10;

    pub(super) fn is_exceeded(&self) -> bool {
        self.exceeded
    }

    #[inline]
    fn hold(&mut self, bytes: usize) -> bool {
        self.held = self.held.saturating_add(bytes);
        self.exceeded |= self.held > self.holdable;
        !self.exceeded
    }

    /// Lets a text grow, unless there is too much already. Whether there still is not.
    pub(super) fn grows(&mut self, text: &mut String, put: &dyn Fn(&mut String)) -> bool {
        if self.exceeded {
            return false;
        }
        let before = text.capacity();
        put(text);
        self.hold(text.capacity() - before)
    }
}

impl Session {
    /// The input has so many bytes, or so many of it are known by now.
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
        let expansion = options.get_limits().expansion;
        let held = len.saturating_mul(expansion);
        // Whoever has no limit wants none here.
        let held = if held == usize::MAX { held } else { held - held / 4 };
        budget.holdable = held.saturating_add(Budget::HELD);
    }

    /// For how many of so many items of a list of that size room may be reserved: no list gets more than
    /// half of what is left, so that there is some for those inside of it.
    #[inline]
    pub(crate) fn reserve(&mut self, count: usize, size: usize, options: &Options<'_>) -> usize {
        let most = options.get_limits().reserve.min(self.budget.reservable);
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

    /// The list for which room was reserved has so many items now.
    #[inline]
    pub(crate) fn filled(&mut self, reserved: usize, len: usize, size: usize) {
        let filled = reserved.min(len) * size;
        self.budget.reserved = self.budget.reserved.saturating_sub(filled);
    }

    /// A tree or the report takes so many bytes more.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit) if it comes to more than
    /// [`Limits::expansion`](crate::Limits::expansion) allows.
    #[doc(hidden)]
    #[inline]
    pub fn hold(&mut self, bytes: usize) -> Result {
        if self.budget.hold(bytes) { Ok(()) } else { Err(self.holds_too_much()) }
    }

    /// Whether the report has all that was noted.
    ///
    /// # Errors
    /// As [`hold`](Session::hold).
    #[inline]
    pub(crate) fn report_fits(&self) -> Result {
        if self.budget.exceeded { Err(self.holds_too_much()) } else { Ok(()) }
    }

    /// How many bytes they take.
    #[doc(hidden)]
    pub fn held(&self) -> usize {
        self.budget.held
    }

    /// It takes so many bytes less.
    #[doc(hidden)]
    #[inline]
    pub fn let_go(&mut self, bytes: usize) {
        self.budget.held = self.budget.held.saturating_sub(bytes);
    }

    /// Makes room for so many items in a list of a tree that has none yet, as far as may be
    /// [reserved](Session::reserve). The answer is for how many.
    ///
    /// # Errors
    /// As [`hold`](Session::hold).
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

    /// Appends an item to a list that a tree or the report holds.
    ///
    /// # Errors
    /// As [`hold`](Session::hold).
    #[doc(hidden)]
    #[inline]
    pub fn hold_item<T>(&mut self, items: &mut Vec<T>, item: T) -> Result {
        if items.len() == items.capacity() {
            self.grow(items)?;
        }
        items.push(item);
        Ok(())
    }

    /// Old and new room stand side by side while a list grows.
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

    /// A list of a tree is complete: it keeps no more room than it needs.
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
