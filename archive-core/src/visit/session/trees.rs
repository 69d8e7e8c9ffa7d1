//! The objects in trees ([`Value`](crate::Value)): their ids in the file being written, and the
//! bodies in the trees that were loaded.

use std::collections::{BTreeMap, BTreeSet};

use super::saved::{Rare, SaveTable};
use crate::model::error::{Error, ErrorKind, Result};

/// How a tree contains an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mention {
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
    ids: BTreeMap<u64, TreeId>,
}

struct TreeId {
    /// The id in the file.
    id: u64,
    written: bool,
    wanted: bool,
}

impl SaveTable {
    /// Begins a tree, or several that are saved one after the other. `bodies` are the objects whose
    /// bodies are in it: objects of the same ids that were written before are different objects.
    pub(crate) fn begin_tree(&mut self, bodies: &[u64]) {
        let Some(Rare { trees, .. }) = self.rare.as_deref_mut() else { return };
        for id in bodies {
            if trees.ids.get(id).is_some_and(|known| known.written) {
                trees.ids.remove(id);
            }
        }
    }

    /// Returns the id in the file of the object with the id `id` in a tree. A body with the id of
    /// an object that was written already is another object, and `id` denotes that one from then
    /// on.
    pub(crate) fn tree_id(&mut self, id: u64, mention: Mention, limit: u64) -> Result<u64> {
        if let Some(known) = self.rare.as_mut().and_then(|rare| rare.trees.ids.get_mut(&id))
            && !(known.written && mention == Mention::Body)
        {
            known.written |= mention == Mention::Body;
            known.wanted |= mention == Mention::Strong;
            return Ok(known.id);
        }
        let new = self.next_id(limit)?;
        let (written, wanted) = (mention == Mention::Body, mention == Mention::Strong);
        let trees = &mut self.rare.get_or_insert_default().trees;
        trees.ids.insert(id, TreeId { id: new, written, wanted });
        Ok(new)
    }

    /// Checks that every object that trees refer to was written.
    pub(crate) fn finish_trees(&self) -> Result {
        let ids = self.rare.iter().flat_map(|rare| &rare.trees.ids);
        let missing = ids.filter(|(_, known)| known.wanted && !known.written);
        match missing.map(|(id, _)| *id).min() {
            Some(id) => Err(Error::new(
                ErrorKind::BadPointer,
                format_args!("a `Value` refers to object {id}, which no saved `Value` contains"),
            )),
            None => Ok(()),
        }
    }
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
