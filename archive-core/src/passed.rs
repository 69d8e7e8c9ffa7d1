//! [`Passed`]: how far the members of an object were told.

use crate::lookup::{Lookup, slot, words};

/// What was passed of an object whose members are told by their names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passed {
    /// The member that probably comes next.
    pub next: usize,
    /// Whatever a decoder wants to remember.
    pub state: usize,
    found: u128,
    /// A bit for each name that the class does not have, and whether two had the same.
    others: u64,
    twice: bool,
}

impl Passed {
    /// Notes that a member was found. The answer is whether it was new.
    #[inline]
    pub fn add(&mut self, index: usize) -> bool {
        let bit = 1_u128 << (index % Lookup::MOST);
        let new = self.found & bit == 0;
        self.found |= bit;
        self.next = index + 1;
        new
    }

    /// Notes a name that the class does not have.
    #[inline]
    pub fn add_other(&mut self, name: &[u8]) {
        let (first, last) = words(name);
        let bit = 1_u64 << (slot(first, last, name.len(), 64) % 64);
        self.twice |= self.others & bit != 0;
        self.others |= bit;
    }

    /// Whether there were names that the class does not have.
    #[inline]
    pub fn has_others(&self) -> bool {
        self.others != 0
    }

    /// Whether two of the names that the class does not have may be the same.
    #[inline]
    pub fn may_have_twice(&self) -> bool {
        self.twice
    }

    /// Whether a member was found.
    #[inline]
    pub fn has(&self, index: usize) -> bool {
        self.found >> (index % Lookup::MOST) & 1 != 0
    }

    /// Whether the first `count` members were found.
    #[inline]
    pub fn has_all(&self, count: usize) -> bool {
        self.found.count_ones() as usize == count
    }
}
