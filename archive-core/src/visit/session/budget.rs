//! [`Budget`]: the elements that a session may still visit, and the memory that a load may take in
//! addition to the values of the program's types. That is memory reserved because the file claims a
//! length, memory of trees and errors, which are larger than the file's own data, and memory of
//! notes.
// Why: docs/decisions/limits-and-unsafe.md#memory-that-a-file-claims-comes-from-one-budget

use super::elements::Elements;
use super::note::Note;

/// The amounts taken so far, and their limits.
pub(crate) struct Budget {
    pub(crate) elements: Elements,
    /// The depth of the items of the innermost list being saved, if its length is not known: these
    /// items are counted one by one. 0 if its length is known.
    pub(crate) uncounted: usize,
    /// The counters for [`Limits::generations`](crate::Limits::generations) and
    /// [`Limits::padding`](crate::Limits::padding).
    #[cfg(feature = "slotmap")]
    pub(crate) generations: u64,
    #[cfg(feature = "slotmap")]
    pub(crate) padding: u64,
    /// The number of bytes of input, as far as it is known.
    pub(super) input: usize,
    /// The number of bytes reserved for elements that were not read yet, and its limit.
    pub(super) reserved: usize,
    pub(super) reservable: usize,
    /// The number of bytes that trees and the report take, and its limit.
    pub(super) held: usize,
    pub(super) holdable: usize,
    /// Whether the total exceeded the limit at any time.
    pub(super) exceeded: bool,
    /// The number of bytes that the notes of the report take, and its limit.
    pub(super) notes: usize,
    pub(super) notable: usize,
}

impl Default for Budget {
    /// The budget for an input of unknown size.
    #[inline]
    fn default() -> Self {
        Budget {
            elements: Elements::default(),
            uncounted: 0,
            #[cfg(feature = "slotmap")]
            generations: 0,
            #[cfg(feature = "slotmap")]
            padding: 0,
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
    /// The limit for reservations: a constant number of bytes, plus a number of bytes for each byte
    /// of the input.
    pub(super) const RESERVED: (usize, usize) = (16 << 10, 32);
    /// The number of bytes that trees and errors may take in addition to those for each byte of the
    /// input. [`Limits`](crate::Limits) promises twice that; the other half, and a quarter of the
    /// bytes per input byte, are set aside for reading and for notes.
    pub(super) const HELD: usize = 32 << 10;
    /// The number of bytes that notes may take, and the divisor of the bytes per input byte that
    /// gives their share. Notes have a separate budget, so that a report never makes a load fail.
    pub(super) const NOTES: (usize, usize) = (24 << 10, 8);
    /// The part of the notes' budget that notes may fill. The rest is for growing lists and for
    /// notes that will be joined to others.
    const FULL: usize = 3;
    /// The size in bytes of a note without its path, including its entry in a map.
    const NOTE: usize = size_of::<Note>() + 2 * size_of::<(u64, usize)>();

    #[inline]
    pub(super) fn hold(&mut self, bytes: usize) -> bool {
        self.held = self.held.saturating_add(bytes);
        self.exceeded |= self.held > self.holdable;
        !self.exceeded
    }

    /// Lets a text grow, unless the limit is exceeded already. Returns whether the total is still
    /// within the limit.
    pub(super) fn grows(&mut self, text: &mut String, put: &dyn Fn(&mut String)) -> bool {
        if self.exceeded {
            return false;
        }
        let before = text.capacity();
        put(text);
        self.hold(text.capacity() - before)
    }

    /// Makes room for another note whose path has `path` bytes. Returns whether it fits.
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

    /// Returns whether no more notes fit after notes of that many bytes.
    pub(super) fn notes_are_full(&self, bytes: usize) -> bool {
        bytes > self.notable / Budget::FULL
    }

    /// Returns how many bytes a note takes.
    pub(super) fn size_of(note: &Note) -> usize {
        Budget::NOTE + note.path.capacity()
    }
}
