//! [`Observed`]: what the original shows about the program: the types of the values at each place.
// Why: docs/decisions/edits-and-conversions.md#a-document-keeps-its-original

use std::collections::{HashMap, HashSet};

use archive_core::Value;

use super::places::{Place, Places};
use super::references_in_tree::Numbered;

/// The objects to which a pointer at some place may refer: those of one type.
pub(super) type Kind = (Place, u32);

/// Observed about the original. They are true of every file that its program can load.
#[derive(Default)]
pub(super) struct Observed<'o> {
    pub(super) places: Places,
    /// The layouts of the objects at each place.
    pub(super) layouts: HashMap<Place, Vec<u32>>,
    /// The types of the objects to which pointers at each place refer.
    pub(super) pointees: HashMap<Place, Vec<u32>>,
    /// Kinds, each with another kind of the same type of the program, or with itself.
    kinds: HashMap<Kind, Kind>,
    /// The kind of each object.
    pub(super) objects: HashMap<u64, Kind>,
    /// The targets of the weak pointers to objects that are not stored.
    pub(super) gone: HashSet<u64>,
    /// The objects that are stored in the tree.
    pub(super) values: HashMap<u64, &'o Value>,
    /// The places of pointers as text formats write them.
    pub(super) text_places: HashSet<Place>,
    /// The ids of objects that are stored in several of these pointers.
    pub(super) twice: HashSet<u64>,
    /// The objects that are stored in these pointers, and the objects to which only weak ones of
    /// these pointers refer.
    pub(super) text_targets: HashSet<u64>,
    /// The strong references to objects that are not stored.
    pub(super) broken: HashSet<u64>,
    /// Pairs of a holder and the object that it holds.
    pub(super) edges: HashSet<(u64, u64)>,
    /// The kinds of objects that are in a cycle with objects of the same kind only: these are in
    /// cells.
    cells: HashSet<Kind>,
}

impl<'o> Observed<'o> {
    /// Adds a pointer to an object, or to an owned value.
    pub(super) fn add(&mut self, (place, pointee): Kind, id: u64) {
        let pointees = self.pointees.entry(place).or_default();
        if !pointees.contains(&pointee) {
            pointees.push(pointee);
        }
        self.kinds.entry((place, pointee)).or_insert((place, pointee));
        if id == 0 {
            return;
        }
        let known = *self.objects.entry(id).or_insert((place, pointee));
        self.join(known, (place, pointee));
    }

    /// Records that two kinds have the same type of the program.
    pub(super) fn join(&mut self, one: Kind, other: Kind) {
        let (one, other) = (self.kind(one), self.kind(other));
        self.kinds.insert(one.max(other), one.min(other));
    }

    /// Returns the first of all kinds of the same type of the program.
    pub(super) fn kind(&self, mut kind: Kind) -> Kind {
        while let Some(next) = self.kinds.get(&kind).copied().filter(|next| *next != kind) {
            kind = next;
        }
        kind
    }

    /// Returns whether pointers at the place may refer to objects of the kind.
    pub(super) fn takes(&self, place: Place, of: Kind) -> bool {
        let here = (place, of.1);
        here == of || self.kinds.contains_key(&here) && self.kind(here) == self.kind(of)
    }

    pub(super) fn is_in_cell(&self, kind: Kind) -> bool {
        self.cells.contains(&self.kind(kind))
    }

    pub(super) fn set_cells(&mut self, cells: HashSet<Kind>) {
        self.cells = cells;
    }

    /// Finds the kinds of objects that are in cells.
    pub(super) fn find_cells(&mut self) {
        let kind = |id| self.objects.get(&id).map(|kind| self.kind(*kind));
        let alike = self.edges.iter().copied().filter(|(from, to)| kind(*from) == kind(*to));
        let alike = Numbered::new(&alike.collect::<Vec<_>>());
        let cells = alike.cycles().flatten().filter_map(kind).collect();
        self.cells = cells;
    }
}
