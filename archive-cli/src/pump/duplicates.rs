//! [`Names`]: finds duplicate names in an object. Loads of typed objects refuse them.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

/// The names of the objects that are open.
#[derive(Default)]
pub(super) struct Names {
    /// One for each level. A level keeps the names of its last object, because the next one
    /// probably has the same names.
    levels: Vec<Level>,
    open: usize,
    hashers: [RandomState; 2],
}

/// The names of an object.
#[derive(Default)]
struct Level {
    /// The first, distinct names, concatenated, and where each ends.
    text: String,
    ends: Vec<usize>,
    /// How many of them the current object has had, if it has had no other name.
    same: usize,
    /// Hashes of 128 bits of all names, once an object has many.
    all: HashSet<u128>,
}

/// The maximum number of names of an object that are compared one by one.
const MAX_COMPARED: usize = 24;

impl Names {
    /// Enters an object.
    pub(super) fn enter(&mut self) {
        if self.levels.len() == self.open {
            self.levels.push(Level::default());
        }
        let level = &mut self.levels[self.open];
        level.same = 0;
        if !level.all.is_empty() {
            level.all = HashSet::new();
        }
        self.open += 1;
    }

    /// Leaves an object.
    pub(super) fn leave(&mut self) {
        self.open -= 1;
    }

    /// Adds a name to the innermost object. Returns whether it is new.
    pub(super) fn add(&mut self, name: &str) -> bool {
        let Some(level) = self.levels[..self.open].last_mut() else { return true };
        if level.name(level.same) == Some(name) {
            level.same += 1;
            return true;
        }
        let hash = |name: &str| {
            let [high, low] = self.hashers.each_ref().map(|hasher| hasher.hash_one(name));
            u128::from(high) << 64 | u128::from(low)
        };
        level.truncate(level.same);
        if level.same < MAX_COMPARED {
            if (0..level.same).any(|at| level.name(at) == Some(name)) {
                return false;
            }
            level.text.push_str(name);
            level.ends.push(level.text.len());
            level.same += 1;
            return true;
        }
        if level.all.is_empty() {
            let known: Vec<u128> =
                (0..level.same).filter_map(|at| level.name(at)).map(hash).collect();
            level.all.extend(known);
        }
        level.all.insert(hash(name))
    }
}

impl Level {
    fn name(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }

    fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_among_few_and_many() {
        for count in [1, 2, 23, 24, 25, 26, 1000] {
            let mut names = Names::default();
            // The same object several times, and others between.
            for twice in [None, Some(0), None, Some(count - 1), Some(count / 2), None] {
                names.enter();
                assert!((0..count).all(|at| names.add(&format!("n{at}"))), "{count}");
                names.enter();
                assert!(names.add("n0") && names.add("") && !names.add("n0"));
                names.leave();
                if let Some(twice) = twice {
                    assert!(!names.add(&format!("n{twice}")), "{count} {twice}");
                }
                assert!(names.add("other"));
                names.leave();
                names.enter();
                assert!(names.add("n1") && names.add("n0") && !names.add("n1"));
                names.leave();
            }
        }
    }
}
