//! [`Keys`]: a set of mostly consecutive keys.

use std::collections::BTreeMap;

/// A set of keys. 64 consecutive keys take 8 bytes if they are low, otherwise 16.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// The low keys, one bit each, found without a search. The more keys there are, the more of
    /// them count as low. A word holds the keys with the same upper 58 bits.
    near: Vec<u64>,
    /// The words beyond `near`, by these bits.
    far: BTreeMap<u64, u64>,
    /// The word beyond `near` that was changed last. It is not in `far`.
    last: (u64, u64),
    len: u64,
}

impl Keys {
    /// Adds a key. Returns whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64) -> bool {
        let (word, bit) = (key >> 6, 1 << (key & 63));
        if word >= self.near.len() as u64 && word <= 64 + self.len / 16 {
            self.grow(word as usize + 1);
        }
        let bits = match word < self.near.len() as u64 {
            true => &mut self.near[word as usize],
            false => self.far_word(word),
        };
        let new = *bits & bit == 0;
        *bits |= bit;
        self.len += u64::from(new);
        new
    }

    /// Extends `near` to `len` words, and moves the words that now fit from `far`.
    #[cold]
    fn grow(&mut self, len: usize) {
        self.near.resize(len, 0);
        self.far_word(u64::MAX);
        while let Some(found) = self.far.first_entry()
            && *found.key() < len as u64
        {
            let (word, bits) = found.remove_entry();
            self.near[word as usize] = bits;
        }
    }

    /// Returns a word beyond `near`.
    fn far_word(&mut self, word: u64) -> &mut u64 {
        if self.last.0 != word {
            let found = self.far.remove(&word).unwrap_or(0);
            let (old, bits) = std::mem::replace(&mut self.last, (word, found));
            if bits != 0 {
                self.far.insert(old, bits);
            }
        }
        &mut self.last.1
    }

    pub(crate) fn contains(&self, key: u64) -> bool {
        let word = key >> 6;
        let bits = match usize::try_from(word).ok().and_then(|word| self.near.get(word)) {
            Some(bits) => *bits,
            None if self.last.0 == word => self.last.1,
            None => self.far.get(&word).copied().unwrap_or(0),
        };
        bits & 1 << (key & 63) != 0
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::Keys;

    #[test]
    fn keys_are_found_in_any_order() {
        let mut keys = Keys::default();
        let all = [0, 1, 63, 64, 5 << 32, 2, 64, u64::MAX, 0, 65];
        let new: Vec<bool> = all.iter().map(|key| keys.insert(*key)).collect();
        assert_eq!(new, [true, true, true, true, true, true, false, true, false, true]);
        assert!(all.iter().all(|key| keys.contains(*key)));
        assert!(![3, 62, 66, 4 << 32, u64::MAX - 1].iter().any(|key| keys.contains(*key)));
        assert_eq!(keys.len(), 8);
    }

    #[test]
    fn keys_that_were_far_are_found_when_more_are_near() {
        // Odd numbers from the highest down, then even ones from the lowest up.
        let all = || (0..9000_u64).rev().filter(|key| key % 2 == 1).chain((0..9000).step_by(2));
        let mut keys = Keys::default();
        assert!(all().all(|key| keys.insert(key) && keys.contains(key)));
        assert!(keys.far.is_empty());
        assert!(all().all(|key| keys.contains(key) && !keys.insert(key)));
        assert!(!keys.contains(9000));
        assert_eq!(keys.len(), 9000);
    }

    #[test]
    fn keys_far_apart_take_little_memory() {
        let mut keys = Keys::default();
        (0..58).for_each(|bit| assert!(keys.insert(64 << bit)));
        (0..58).for_each(|bit| assert!(keys.contains(64 << bit)));
        assert!(keys.near.len() <= 128, "{}", keys.near.len());
    }
}
