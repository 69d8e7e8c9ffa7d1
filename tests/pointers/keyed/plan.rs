//! [`Plan`]: the objects of a world, and the keys of its containers.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;

/// A world of units, by index.
#[derive(Clone, Debug)]
pub struct Plan {
    pub units: Vec<UnitPlan>,
    /// The units in lists of the world, before and after its sets.
    pub first: Vec<usize>,
    pub last: Vec<usize>,
    pub chosen: Vec<usize>,
    pub scores: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct UnitPlan {
    pub name: u8,
    pub next: Option<usize>,
    pub keys: Keys,
}

/// The units in each container of a unit.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    pub by_name: Vec<usize>,
    pub tree: Vec<usize>,
    pub by_address: Vec<usize>,
    pub weak: Vec<usize>,
    pub scores: Vec<usize>,
    pub tags: Vec<usize>,
    pub by_tags: Vec<usize>,
    pub indexed: Vec<usize>,
    pub heap: Vec<usize>,
    pub bare: Vec<usize>,
}

/// The visible content of a loaded world: for each reachable unit, by number, the content of its
/// containers. The containers of the world itself are those of the number 1000.
pub type Seen = BTreeMap<usize, BTreeMap<&'static str, Vec<usize>>>;

pub fn plan() -> impl Strategy<Value = Plan> {
    (2usize..40, 1u8..40).prop_flat_map(|(len, names)| {
        let some = move |most: usize| vec(0..len, 0..=most);
        let keys = (
            (some(3), some(3), some(3), some(3), some(3)),
            (some(2), some(2), some(3), some(3), some(2)),
        )
            .prop_map(|(a, b)| Keys {
                by_name: a.0,
                tree: a.1,
                by_address: a.2,
                weak: a.3,
                scores: a.4,
                tags: b.0,
                by_tags: b.1,
                indexed: b.2,
                heap: b.3,
                bare: b.4,
            });
        // Most units have few keys, so that the others are far from each other.
        let keys = prop_oneof![2 => Just(Keys::default()), 3 => keys];
        let unit = (0..names, proptest::option::weighted(0.7, 0..len), keys)
            .prop_map(|(name, next, keys)| UnitPlan { name, next, keys });
        let lists = (some(4), vec(0..len, 0..=len), some(4), some(4));
        (vec(unit, len), lists).prop_map(|(units, (first, last, chosen, scores))| Plan {
            units,
            first,
            last,
            chosen,
            scores,
        })
    })
}

impl Plan {
    pub fn name(&self, unit: usize) -> String {
        format!("unit {}", self.units[unit].name)
    }

    /// Of units that have the same name, the first one.
    fn once(&self, units: &[usize]) -> Vec<usize> {
        let mut names = BTreeSet::new();
        let mut once: Vec<usize> =
            units.iter().copied().filter(|unit| names.insert(self.units[*unit].name)).collect();
        once.sort_unstable();
        once
    }

    fn by_tags(&self, units: &[usize]) -> Vec<usize> {
        let tags = |unit: usize| -> Vec<u8> {
            let tags = self.once(&self.units[unit].keys.tags);
            let names: BTreeSet<u8> = tags.iter().map(|tag| self.units[*tag].name).collect();
            names.into_iter().collect()
        };
        let mut seen = BTreeSet::new();
        let mut once: Vec<usize> =
            units.iter().copied().filter(|unit| seen.insert(tags(*unit))).collect();
        once.sort_unstable();
        once
    }

    /// Returns the expected content of the world.
    pub fn expected(&self) -> Seen {
        let mut seen = Seen::new();
        let world = BTreeMap::from([
            ("first", self.first.clone()),
            ("last", self.last.clone()),
            ("chosen", self.once(&self.chosen)),
            ("scores", self.once(&self.scores)),
        ]);
        let mut open: Vec<usize> = world.values().flatten().copied().collect();
        seen.insert(1000, world);
        while let Some(unit) = open.pop() {
            if seen.contains_key(&unit) {
                continue;
            }
            let UnitPlan { next, keys, .. } = &self.units[unit];
            let sorted = |units: &[usize]| -> Vec<usize> {
                units.iter().copied().collect::<BTreeSet<_>>().into_iter().collect()
            };
            let mut in_order: Vec<usize> = Vec::new();
            keys.indexed.iter().for_each(|unit| {
                if !in_order.iter().any(|other| self.units[*other].name == self.units[*unit].name) {
                    in_order.push(*unit);
                }
            });
            let mut heap = keys.heap.clone();
            heap.sort_unstable();
            let containers = BTreeMap::from([
                ("next", next.iter().copied().collect()),
                ("by_name", self.once(&keys.by_name)),
                ("tree", self.once(&keys.tree)),
                ("by_address", sorted(&keys.by_address)),
                ("scores", self.once(&keys.scores)),
                ("tags", self.once(&keys.tags)),
                ("by_tags", self.by_tags(&keys.by_tags)),
                ("indexed", in_order),
                ("heap", heap),
            ]);
            open.extend(containers.values().flatten().copied());
            seen.insert(unit, containers);
        }
        // Weak pointers own nothing: those to other units are dangling.
        let known: BTreeSet<usize> = seen.keys().copied().collect();
        let is_known = |unit: &usize| if known.contains(unit) { *unit } else { 2000 };
        for (unit, containers) in seen.iter_mut().filter(|(unit, _)| **unit < 1000) {
            let keys = &self.units[*unit].keys;
            let weak: BTreeSet<usize> = keys.weak.iter().copied().collect();
            for (name, units) in
                [("weak", weak.into_iter().collect()), ("bare", self.once(&keys.bare))]
            {
                let mut units: Vec<usize> = units.iter().map(is_known).collect();
                units.sort_unstable();
                containers.insert(name, units);
            }
        }
        seen
    }
}
