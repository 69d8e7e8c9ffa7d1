//! The memory that a load may take in addition to the values of the program's types: what lists
//! reserve because the file claims a length, trees and errors, which are larger than the file's own
//! data, and notes.

use super::{Note, Session};
use crate::model::error::{Error, Result};
use crate::state::options::Options;

/// What is taken and what may be taken.
pub(crate) struct Budget {
    /// The number of bytes of input, as far as it is known.
    input: usize,
    /// The number of bytes that are reserved for elements that were not read yet, and how many may
    /// be.
    reserved: usize,
    reservable: usize,
    /// The number of bytes that trees and the report hold, and how many they may hold.
    held: usize,
    holdable: usize,
    /// Whether the total exceeded the limit at any time.
    exceeded: bool,
    /// The number of bytes that the notes of the report take, and how many they may take.
    notes: usize,
    notable: usize,
}

impl Default for Budget {
    /// The budget for an input of unknown size.
    fn default() -> Self {
        Budget {
            input: 0,
            reserved: 0,
            reservable: usize::MAX,
            held: 0,
            holdable: usize::MAX,
            exceeded: false,
            notes: 0,
            notable: usize::MAX,
        }
    }
}

impl Budget {
    /// The limit for reservations: a number of bytes, plus a number for each byte of the input.
    const RESERVED: (usize, usize) = (16 << 10, 32);
    /// The number of bytes that trees and errors may hold in addition to those for each byte of the
    /// input. [`Limits`](crate::Limits) promises twice that; the other half, and a quarter of the
    /// bytes per input byte, are set aside for reading and for notes.
    const HELD: usize = 32 << 10;
    /// The number of bytes that notes may take, and the part of the bytes per input byte. They have
    /// a budget of their own, so that a report never makes a load fail.
    const NOTES: (usize, usize) = (24 << 10, 8);
    /// The part of that budget that notes may fill; the rest is for lists that grow and for notes
    /// that will be joined to others.
    const FULL: usize = 3;
    /// The number of bytes of a note without its path, and with its place in a map.
    const NOTE: usize = size_of::<Note>() + 2 * size_of::<(u64, usize)>();

    #[inline]
    fn hold(&mut self, bytes: usize) -> bool {
        self.held = self.held.saturating_add(bytes);
        self.exceeded |= self.held > self.holdable;
        !self.exceeded
    }

    /// Lets a text grow, unless the limit is exceeded already. Returns whether it still is not.
    pub(super) fn grows(&mut self, text: &mut String, put: &dyn Fn(&mut String)) -> bool {
        if self.exceeded {
            return false;
        }
        let before = text.capacity();
        put(text);
        self.hold(text.capacity() - before)
    }

    /// Makes room for another note, whose path has `path` bytes. Returns whether there is any.
    pub(super) fn note_fits(&mut self, notes: &mut Vec<Note>, path: usize) -> bool {
        if notes.len() < notes.capacity() {
            return self.note_grows(path);
        }
        // The old and the new list exist at the same time.
        let (before, more) = (notes.capacity(), notes.capacity().max(4));
        let fits = self.note_grows((before + more) * Budget::NOTE + path);
        if fits {
            notes.reserve_exact(more);
            self.notes -= before * Budget::NOTE;
        }
        fits
    }

    /// Lets a note grow by that many bytes, unless it would be too large.
    pub(super) fn note_grows(&mut self, bytes: usize) -> bool {
        let notes = self.notes.saturating_add(bytes);
        let fits = notes <= self.notable;
        if fits {
            self.notes = notes;
        }
        fits
    }

    /// Called when the path of a note is freed.
    pub(super) fn note_shrinks(&mut self, bytes: usize) {
        self.notes = self.notes.saturating_sub(bytes);
    }

    /// Returns whether notes of so many bytes are all that may stay in the report.
    pub(super) fn notes_are_full(&self, bytes: usize) -> bool {
        bytes > self.notable / Budget::FULL
    }

    /// Returns how many bytes a note takes.
    pub(super) fn size_of(note: &Note) -> usize {
        Budget::NOTE + note.path.capacity()
    }
}

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
        let expansion = options.get_limits().expansion;
        let held = len.saturating_mul(expansion);
        // No limit stays no limit.
        let held = if held == usize::MAX { held } else { held - held / 4 };
        budget.holdable = held.saturating_add(Budget::HELD);
        let (base, part) = Budget::NOTES;
        budget.notable = (len.saturating_mul(expansion) / part).saturating_add(base);
    }

    /// Reserves room in a list for up to `count` items of `size` bytes, and returns for how many.
    /// No list gets more than half of what is left, so that some is left for the lists inside of
    /// it.
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

    /// Releases the reservation of a list that now has `len` items.
    #[inline]
    pub(crate) fn filled(&mut self, reserved: usize, len: usize, size: usize) {
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

    /// Checks that the report has room for everything that was noted.
    ///
    /// # Errors
    /// As [`hold`](Session::hold).
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
        self.budget.held = self.budget.held.saturating_sub(bytes);
    }

    /// Makes room for `count` items in an empty list of a tree, as far as it may be
    /// [reserved](Session::reserve). Returns for how many there is room.
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

    /// Appends an item to a list that belongs to a tree or the report.
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
