//! [`Keys`]: a set of keys that mostly follow one another.

use std::collections::BTreeMap;

/// A set of keys. 64 keys that follow one another take 16 bytes.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// One bit for each key, by the upper 58 bits of the keys.
    words: BTreeMap<u64, u64>,
    /// The word that was changed last, which is not in the map.
    last: (u64, u64),
    len: u64,
}

impl Keys {
    /// Adds a key. Returns whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64) -> bool {
        let (word, bit) = (key >> 6, 1 << (key & 63));
        if self.last.0 != word {
            let found = self.words.remove(&word).unwrap_or(0);
            let (old, bits) = std::mem::replace(&mut self.last, (word, found));
            if bits != 0 {
                self.words.insert(old, bits);
            }
        }
        let new = self.last.1 & bit == 0;
        self.last.1 |= bit;
        self.len += u64::from(new);
        new
    }

    pub(crate) fn contains(&self, key: u64) -> bool {
        let word = key >> 6;
        let bits = if self.last.0 == word {
            self.last.1
        } else {
            self.words.get(&word).copied().unwrap_or(0)
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
}
