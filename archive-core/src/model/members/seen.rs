//! [`Seen`]: records which members of an object were found.

use super::table::{Lookup, hash, words};
use crate::model::mark::Mark;

/// The members that were found in an object whose members are stored with their names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// The member that probably comes next.
    pub next: usize,
    /// For the decoder's own use.
    pub state: usize,
    /// Where the version of the object is.
    pub version: VersionAt,
    /// A bit for each member that was found.
    found: [u64; Self::WORDS],
    /// A bit for the hash of each name that the class does not have, and whether a bit was set
    /// twice.
    others: u64,
    twice: bool,
}

/// Where the version is in an object that is loaded in file order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VersionAt {
    /// Unknown: the version is not the first member, and other members are not searched for it.
    #[default]
    Unknown,
    /// The first member.
    First,
    /// Possibly a later member of the object at that mark, to which the decoder can go back.
    MayFollow(Mark),
}

impl Seen {
    const WORDS: usize = Lookup::MAX_MEMBERS / 64;

    /// Returns the index of the word with a member's bit, and the bit.
    #[inline]
    const fn bit_of(index: usize) -> (usize, u64) {
        (index / 64 % Self::WORDS, 1 << (index % 64))
    }

    /// Records a member. Returns whether it was new.
    #[inline]
    pub fn add(&mut self, index: usize) -> bool {
        let (word, bit) = Self::bit_of(index);
        let new = self.found[word] & bit == 0;
        self.found[word] |= bit;
        self.next = index + 1;
        new
    }

    /// Records a name that the class does not have. Returns a hash of the name.
    #[inline]
    pub fn add_other(&mut self, name: &[u8]) -> u32 {
        let (first, last) = words(name);
        let hash = hash(first, last, name.len());
        let bit = 1_u64 << (hash % 64);
        self.twice |= self.others & bit != 0;
        self.others |= bit;
        hash
    }

    /// Returns whether there were names that the class does not have.
    #[inline]
    pub fn has_others(&self) -> bool {
        self.others != 0
    }

    /// Returns whether two of the names that the class does not have may be equal.
    #[inline]
    pub fn may_have_twice(&self) -> bool {
        self.twice
    }

    /// Returns whether a member was found.
    #[inline]
    pub fn has(&self, index: usize) -> bool {
        let (word, bit) = Self::bit_of(index);
        self.found[word] & bit != 0
    }

    /// Returns whether the first `count` members were found, and no others.
    #[inline]
    pub fn has_all(&self, count: usize) -> bool {
        // Compares masks instead of `count_ones`: the default x86-64 target lacks `popcnt`.
        let all = |from: usize| match count.saturating_sub(from) {
            left @ ..64 => (1 << left) - 1,
            _ => u64::MAX,
        };
        self.found.iter().enumerate().all(|(word, found)| *found == all(64 * word))
    }
}
