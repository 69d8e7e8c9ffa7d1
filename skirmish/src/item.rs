//! Things that are carried or lie on the ground.

use std::collections::BTreeMap;

use archive::Serialize;

use crate::Point;

/// A kind of thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Item {
    /// One magazine.
    #[default]
    Magazine,
    /// Heals once.
    Medkit,
}

/// What somebody carries, and how much of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[archive(transparent)]
pub struct Inventory {
    items: BTreeMap<Item, u32>,
}

impl Inventory {
    /// Adds some items.
    pub fn add(&mut self, item: Item, count: u32) {
        let there = self.items.entry(item).or_default();
        *there = there.saturating_add(count);
    }

    /// Takes one out, if there is one.
    pub fn take(&mut self, item: Item) -> bool {
        let Some(count) = self.items.get_mut(&item) else { return false };
        *count = count.saturating_sub(1);
        if *count == 0 {
            self.items.remove(&item);
        }
        true
    }

    /// How many there are.
    pub fn count(&self, item: Item) -> u32 {
        self.items.get(&item).copied().unwrap_or(0)
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds all of another's.
    pub fn add_all(&mut self, other: &Inventory) {
        other.items.iter().for_each(|(&item, &count)| self.add(item, count));
    }
}

/// The items on the ground, by cell.
pub type Ground = BTreeMap<Point, Inventory>;
