//! [`Seen`]: how far the members of an object were told.

use super::table::{Lookup, hash, words};

/// What was seen of an object whose members are told by their names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// The member that probably comes next.
    pub next: usize,
    /// Whatever a decoder wants to remember.
    pub state: usize,
    /// A bit for each member that was found.
    found: [u64; Self::WORDS],
    /// A bit for each name that the class does not have, and whether two had the same.
    others: u64,
    twice: bool,
}

impl Seen {
    const WORDS: usize = Lookup::MOST / 64;

    /// The word in which the bit of a member is, and the bit.
    #[inline]
    const fn place(index: usize) -> (usize, u64) {
        (index / 64 % Self::WORDS, 1 << (index % 64))
    }

    /// Notes that a member was found. The answer is whether it was new.
    #[inline]
    pub fn add(&mut self, index: usize) -> bool {
        let (word, bit) = Self::place(index);
        let new = self.found[word] & bit == 0;
        self.found[word] |= bit;
        self.next = index + 1;
        new
    }

    /// Notes a name that the class does not have. The answer is a number that tells most names apart.
    #[inline]
    pub fn add_other(&mut self, name: &[u8]) -> u32 {
        let (first, last) = words(name);
        let hash = hash(first, last, name.len());
        let bit = 1_u64 << (hash % 64);
        self.twice |= self.others & bit != 0;
        self.others |= bit;
        hash
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
        let (word, bit) = Self::place(index);
        self.found[word] & bit != 0
    }

    /// Whether the first `count` members were found, and no other.
    #[inline]
    pub fn has_all(&self, count: usize) -> bool {
        // Bits are not counted, since few processors that programs are built for are known to do it.
        let all = |from: usize| match count.saturating_sub(from) {
            left @ ..64 => (1 << left) - 1,
            _ => u64::MAX,
        };
        self.found.iter().enumerate().all(|(word, found)| *found == all(64 * word))
    }
}
