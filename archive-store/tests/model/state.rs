//! The state of a world, as plain data.

use std::collections::BTreeMap;

/// A town or a part: a number that it keeps, and a value that changes.
pub type Item = (u32, u32);

/// What a world has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    pub tick: u32,
    pub towns: Vec<Item>,
    pub units: BTreeMap<u64, UnitState>,
    pub places: Vec<u32>,
    /// All places, by their numbers.
    pub graph: BTreeMap<u32, PlaceState>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnitState {
    pub hp: u32,
    pub parts: Vec<Item>,
    pub home: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaceState {
    pub name: u32,
    pub next: Option<u32>,
    pub links: Vec<Option<u32>>,
}

/// What the second world has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OtherState {
    pub volume: u32,
    pub note: u32,
    pub towns: Vec<Item>,
}

impl State {
    /// Returns the number of its rows, with those of the world and its nation.
    pub fn rows(&self) -> usize {
        let parts: usize = self.units.values().map(|unit| unit.parts.len()).sum();
        2 + self.towns.len() + self.units.len() + parts + self.graph.len()
    }
}
