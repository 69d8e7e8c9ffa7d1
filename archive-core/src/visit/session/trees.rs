//! The objects in trees ([`Value`](crate::Value)): their ids in the file being written, and the
//! bodies in the trees that were loaded.

use std::collections::{BTreeMap, BTreeSet};

/// How a tree contains an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mention {
    /// With its body.
    Body,
    /// As a reference that holds it.
    Strong,
    /// As a reference that does not hold it.
    Weak,
}

/// The ids of the objects in the trees being saved.
#[derive(Default)]
pub(super) struct TreeIds {
    /// The keys are the ids in the tree.
    pub(super) ids: BTreeMap<u64, TreeId>,
}

pub(super) struct TreeId {
    /// The id in the file.
    pub(super) id: u64,
    pub(super) written: bool,
    pub(super) wanted: bool,
}

/// The ids of objects whose bodies are in trees. In a box, so that a session is small.
#[derive(Default)]
pub(super) struct Bodies(BTreeSet<u64>);

/// The objects in the trees that were loaded.
#[derive(Default)]
pub(crate) struct LoadedTrees {
    /// The objects whose body is in a tree.
    pub(super) bodies: Option<Box<Bodies>>,
    /// Whether the tree being loaded contains a pointer.
    pub(crate) met_pointer: bool,
    /// Whether a body is being copied. Of the bodies that a tree already has, only the id is used
    /// then.
    pub(crate) fetching: bool,
    /// Whether the root is itself a tree, so that the file is taken as it is.
    pub(crate) whole: bool,
    /// Whether objects are [marked](crate::value) with facts about the file that a tree does not
    /// contain.
    pub(crate) marks: bool,
    /// While objects are marked: the layout of the object that is loaded next.
    pub(crate) layout: Option<u32>,
}

impl LoadedTrees {
    /// Returns whether the body of an object is in a tree.
    pub(crate) fn has_body(&self, id: u64) -> bool {
        self.bodies.as_ref().is_some_and(|bodies| bodies.0.contains(&id))
    }

    /// Notes that the body of an object is in a tree. Returns whether it is the first one.
    pub(crate) fn insert_body(&mut self, id: u64) -> bool {
        self.bodies.get_or_insert_default().0.insert(id)
    }
}
