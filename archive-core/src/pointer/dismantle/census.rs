//! [`Census`]: the shared objects in a value that may form a chain, and the holders of each.

use super::release::release;
use crate::model::error::Result;
use crate::state::options::Options;
use crate::state::wanted::Wanted;
use crate::visit::archive::Archive;
use crate::visit::census::{Counting, take_census};
use crate::visit::object::{Handle, Retained};
use crate::visit::session::LoadTable;

/// The objects that were found, by ids from 1, and the holders of each.
pub(super) struct Census {
    pub(super) retained: Vec<Retained>,
    pub(super) edges: Edges,
}

/// Pairs of a holder and the object that it holds, sorted. The holder of objects in the value
/// itself is 0.
pub(super) struct Edges(Vec<(u32, u32)>);

impl Edges {
    /// Returns the objects that one of them holds.
    pub(super) fn from(&self, id: u32) -> impl Iterator<Item = u32> {
        let start = self.0.partition_point(|(from, _)| *from < id);
        self.0[start..].iter().take_while(move |(from, _)| *from == id).map(|(_, to)| *to)
    }
}

impl Census {
    /// Finds the objects in everything that `visit` saves.
    pub(super) fn of(
        options: &Options<'_>,
        wanted: Wanted,
        visit: impl FnOnce(&mut Counting<'_>) -> Result,
    ) -> Self {
        let (mut saved, mut edges) = take_census(options, wanted, visit);
        edges.sort_unstable();
        Census { retained: saved.take_retained(), edges: Edges(edges) }
    }
}

/// Empties the objects that are held only by each other and by these handles.
pub(crate) fn empty_unheld<'h>(objects: impl Iterator<Item = &'h Handle>, options: &Options<'_>) {
    let census = Census::of(options, Wanted::chains(None), |ar| {
        for object in objects {
            ar.visit(|ar| object.save(true, &mut ar.erased()));
        }
        Ok(())
    });
    let mut holders = vec![0; census.retained.len() + 1];
    for (_, held) in &census.edges.0 {
        holders[*held as usize] += 1;
    }
    // The census itself holds each object once.
    let is_held = |id: &u32| census.retained[*id as usize - 1].count() > holders[*id as usize] + 1;
    let mut open: Vec<u32> = (1..holders.len() as u32).filter(is_held).collect();
    let mut lives = vec![false; holders.len()];
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut lives[id as usize], true) {
            open.extend(census.edges.from(id));
        }
    }
    for (retained, _) in census.retained.iter().zip(&lives[1..]).filter(|(_, lives)| !**lives) {
        retained.clear(options);
    }
    release(census);
}

impl LoadTable {
    /// Empties the objects that are held only by each other and by this table. The values that held
    /// them were left out after an error.
    pub(crate) fn empty_unheld(&self, options: &Options<'_>) {
        empty_unheld(self.entries().map(|entry| &entry.handle), options);
    }
}
