//! [`Lookup`]: the members of a class by name, as a table made at compile time.

use std::marker::PhantomData;

use super::token::has_escapes;
use crate::model::shape::{Class, Member};

/// A table of the members of a class, for formats that find members by name.
///
/// It is a hash table with open addressing. The hash of a name is computed from its first and last
/// eight bytes and its length.
#[derive(Debug)]
pub struct Lookup {
    members: &'static [Member],
    keys: &'static [Key],
    /// The slots: an index into `keys` plus 1, or 0 if empty. Their number is a power of two.
    slots: &'static [u8],
}

/// A name, prepared for comparison.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The first eight bytes of the name, and a mask for names that are shorter.
    word: u64,
    mask: u64,
    name: &'static str,
}

impl Key {
    /// A key with an empty name.
    const NONE: Key = Key { word: 0, mask: 0, name: "" };

    const fn new(name: &'static str) -> Self {
        let bytes = name.as_bytes();
        let mask = if bytes.len() < 8 { (1 << (8 * bytes.len())) - 1 } else { u64::MAX };
        Key { word: word(bytes, 0), mask, name }
    }

    /// Returns the name.
    #[inline]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns whether `text` begins with the name. `word` is the first eight bytes of the text,
    /// the first one lowest.
    #[inline]
    pub fn begins(&self, word: u64, text: &[u8]) -> bool {
        let name = self.name.as_bytes();
        if (word ^ self.word) & self.mask != 0 {
            return false;
        }
        // Longer names are compared in words that overlap; the last word ends with the name.
        let len = name.len();
        match len {
            0..=8 => true,
            9..=16 => same::<8>(text, name, len - 8),
            17..=32 => same::<8>(text, name, 8) && same::<16>(text, name, len - 16),
            _ => text.get(8..len) == name.get(8..),
        }
    }
}

/// Returns whether two texts have the same `N` bytes at an offset.
#[inline]
pub(super) fn same<const N: usize>(text: &[u8], name: &[u8], at: usize) -> bool {
    let bytes = |text: &[u8]| text.get(at..).and_then(<[u8]>::first_chunk::<N>).copied();
    bytes(text) == bytes(name)
}

/// Returns up to eight bytes from `start` on, the first one lowest.
const fn word(bytes: &[u8], start: usize) -> u64 {
    let mut word = 0;
    let mut i = 0;
    while i < 8 && start + i < bytes.len() {
        word |= (bytes[start + i] as u64) << (8 * i);
        i += 1;
    }
    word
}

/// Returns a hash of a name, from its first and last eight bytes and its length.
#[inline]
pub(super) const fn hash(first: u64, last: u64, len: usize) -> u32 {
    let mixed = (first ^ last.rotate_left(29)).wrapping_add(len as u64);
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u32
}

/// Returns the preferred slot of a name in a table of `slots`.
#[inline]
const fn slot(first: u64, last: u64, len: usize, slots: usize) -> usize {
    hash(first, last, len) as usize & (slots - 1)
}

impl Lookup {
    /// The largest number of members for which there is a table.
    pub const MAX_MEMBERS: usize = 128;

    /// Returns the keys of `N` members.
    pub const fn keys<const N: usize>(members: &'static [Member]) -> [Key; N] {
        let mut keys = [Key::NONE; N];
        let mut i = 0;
        while i < N {
            keys[i] = Key::new(members[i].name);
            i += 1;
        }
        keys
    }

    /// Returns the slots for `keys`. `SLOTS` is a power of two greater than their number.
    pub const fn slots<const SLOTS: usize>(keys: &[Key]) -> [u8; SLOTS] {
        assert!(SLOTS.is_power_of_two() && keys.len() < SLOTS);
        let mut slots = [0; SLOTS];
        if keys.len() > Self::MAX_MEMBERS {
            return slots;
        }
        let mut i = 0;
        while i < keys.len() {
            let name = keys[i].name.as_bytes();
            let last = if name.len() > 8 { word(name, name.len() - 8) } else { 0 };
            let mut at = slot(keys[i].word, last, name.len(), SLOTS);
            while slots[at] != 0 {
                at = (at + 1) & (SLOTS - 1);
            }
            slots[at] = i as u8 + 1;
            i += 1;
        }
        slots
    }

    /// Creates a table from its parts. Returns `None` if there are too many members, or if a member
    /// has aliases, is flattened, or has characters in its name that text formats escape.
    pub const fn new(
        members: &'static [Member],
        keys: &'static [Key],
        slots: &'static [u8],
    ) -> Option<Self> {
        if members.len() > Self::MAX_MEMBERS {
            return None;
        }
        let mut i = 0;
        while i < members.len() {
            if members[i].flatten || !members[i].aliases.is_empty() || has_escapes(members[i].name)
            {
                return None;
            }
            i += 1;
        }
        Some(Lookup { members, keys, slots })
    }

    /// Returns the members, in the order in which they are written.
    pub fn members(&self) -> &'static [Member] {
        self.members
    }

    /// Returns the number of members.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns the key of the member with that index.
    #[inline]
    pub fn key(&self, index: usize) -> Option<&'static Key> {
        self.keys.get(index)
    }

    /// Returns the index of the member with that name.
    #[inline]
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        let (first, last) = words(name);
        let mut at = slot(first, last, name.len(), self.slots.len());
        loop {
            let index = usize::from(*self.slots.get(at)?).checked_sub(1)?;
            let key = self.keys.get(index)?;
            if key.name.len() == name.len() && key.begins(first, name) {
                return Some(index);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }
}

/// Returns the first eight bytes of a name, and the last eight if it is longer.
#[inline]
pub(super) fn words(name: &[u8]) -> (u64, u64) {
    let first = match name.first_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => word(name, 0),
    };
    let last = match name.last_chunk() {
        Some(chunk) if name.len() > 8 => u64::from_le_bytes(*chunk),
        _ => 0,
    };
    (first, last)
}

/// The named members of a struct (if `VARIANT` is 0) or of the struct variant with the index
/// `VARIANT`.
pub trait Named<const VARIANT: usize> {
    /// A member for each field that is not skipped, in the order of declaration.
    const MEMBERS: &'static [Member];
    /// The class of the object.
    const CLASS: &'static Class;
}

/// The table of a type with `N` members.
#[doc(hidden)]
pub struct Table<T, const N: usize, const SLOTS: usize>(PhantomData<T>);

impl<T: Named<0>, const N: usize, const SLOTS: usize> Table<T, N, SLOTS> {
    const KEYS: &'static [Key] = &Lookup::keys::<N>(T::MEMBERS);
    const SLOTS: &'static [u8] = &Lookup::slots::<SLOTS>(Self::KEYS);
    const TABLE: &'static Option<Lookup> = &Lookup::new(T::MEMBERS, Self::KEYS, Self::SLOTS);
    /// The table, if the members can be looked up.
    pub const LOOKUP: Option<&'static Lookup> = Self::TABLE.as_ref();

    /// The table, unless a member holds values whose order of loading must not change.
    pub const fn unless(holds_values: bool) -> Option<&'static Lookup> {
        if holds_values { None } else { Self::LOOKUP }
    }
}

/// Returns the number of slots of a table for that many members.
#[doc(hidden)]
pub const fn slots_for(members: usize) -> usize {
    (2 * members + 1).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::visit::serialize::of_type::shape_of;

    const fn member(name: &'static str) -> Member {
        Member::new(name, shape_of::<u32>())
    }

    static MEMBERS: [Member; 7] = [
        member("x"),
        member("y"),
        member("eightlen"),
        member("profile_background_color"),
        member("profile_background_image"),
        member("sixteen_letters_"),
        member("größe"),
    ];
    static KEYS: [Key; 7] = Lookup::keys(&MEMBERS);
    static SLOTS: [u8; 16] = Lookup::slots(&KEYS);

    #[test]
    fn finds_all_members_and_nothing_else() {
        let lookup = Lookup::new(&MEMBERS, &KEYS, &SLOTS).expect("plain names");
        for (index, member) in MEMBERS.iter().enumerate() {
            assert_eq!(lookup.find(member.name.as_bytes()), Some(index));
            for cut in 0..member.name.len() {
                assert_eq!(lookup.find(&member.name.as_bytes()[..cut]), None);
            }
        }
        assert_eq!(lookup.find(b"profile_background_colour"), None);
        assert_eq!(lookup.find(b"profile_bbckground_color"), None);
    }

    #[test]
    fn a_key_begins_a_longer_text() {
        for key in &KEYS {
            let mut text = key.name().as_bytes().to_vec();
            text.extend(b"\": 1234567");
            assert!(key.begins(word(&text, 0), &text), "{}", key.name());
            for at in 0..key.name().len() {
                let mut other = text.clone();
                other[at] ^= 1;
                assert!(!key.begins(word(&other, 0), &other), "{} at {at}", key.name());
            }
        }
    }
}
