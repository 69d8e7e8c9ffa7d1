//! What is known of all saves that were made: the laws compare lineages with it.

use std::collections::{BTreeMap, BTreeSet};

use archive::save::Lineage;

/// The saves that each save continues, by their numbers.
#[derive(Debug, Default)]
pub struct History {
    ancestors: BTreeMap<u64, BTreeSet<u64>>,
    /// Those that a player made, and not a resolution.
    pub made: BTreeSet<u64>,
}

impl History {
    /// Returns the save and all that it continues.
    pub fn closure(&self, id: u64) -> BTreeSet<u64> {
        let mut all = self.ancestors[&id].clone();
        all.insert(id);
        all
    }

    /// Notes that a player made a save which continues another one.
    pub fn make(&mut self, id: u64, before: Option<u64>) {
        let ancestors = before.map(|before| self.closure(before)).unwrap_or_default();
        self.made.insert(id);
        self.ancestors.insert(id, ancestors);
    }

    /// Notes a save that continues two others, unless it is known.
    pub fn resolve(&mut self, id: u64, first: u64, second: u64) {
        let both = &self.closure(first) | &self.closure(second);
        self.ancestors.entry(id).or_insert(both);
    }

    /// Notes that the player has deleted a save, so that it may be lost with those that it continues.
    pub fn delete(&mut self, id: u64) {
        self.made = &self.made - &self.closure(id);
    }

    /// Returns whether neither of two saves continues the other.
    pub fn have_diverged(&self, first: &Lineage, second: &Lineage) -> bool {
        let (first, second) = (first.id(), second.id());
        !self.closure(first).contains(&second) && !self.closure(second).contains(&first)
    }

    /// Returns the saves of the player that none of these continues.
    pub fn lost(&self, current: impl IntoIterator<Item = u64>) -> BTreeSet<u64> {
        let mut lost = self.made.clone();
        for id in current {
            lost = &lost - &self.closure(id);
        }
        lost
    }
}
