//! The objects in trees ([`Value`](crate::Value)): their ids in the file being written, and the
//! bodies in the trees that were loaded.

use std::collections::{BTreeMap, BTreeSet};

use super::saved::SaveTable;
use crate::error::{Error, ErrorKind, Result};

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
pub(crate) struct TreeIds {
    /// The keys are the ids in the tree.
    ids: BTreeMap<u64, TreeId>,
}

impl TreeIds {
    /// Returns whether no tree with objects was saved.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
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
        for id in bodies {
            if self.trees.ids.get(id).is_some_and(|known| known.written) {
                self.trees.ids.remove(id);
            }
        }
    }

    /// Returns the id in the file of the object with the id `id` in a tree. A body with the id of
    /// an object that was written already is another object, and `id` denotes that one from then
    /// on.
    pub(crate) fn tree_id(&mut self, id: u64, mention: Mention, limit: u64) -> Result<u64> {
        if let Some(known) = self.trees.ids.get_mut(&id)
            && !(known.written && mention == Mention::Body)
        {
            known.written |= mention == Mention::Body;
            known.wanted |= mention == Mention::Strong;
            return Ok(known.id);
        }
        let new = self.next_id(limit)?;
        let (written, wanted) = (mention == Mention::Body, mention == Mention::Strong);
        self.trees.ids.insert(id, TreeId { id: new, written, wanted });
        Ok(new)
    }

    /// Checks that every object that trees refer to was written.
    pub(crate) fn finish_trees(&self) -> Result {
        let missing = self.trees.ids.iter().filter(|(_, known)| known.wanted && !known.written);
        match missing.map(|(id, _)| *id).min() {
            Some(id) => Err(Error::new(
                ErrorKind::BadPointer,
                format_args!("a `Value` refers to object {id}, which no saved `Value` contains"),
            )),
            None => Ok(()),
        }
    }
}

/// The objects in the trees that were loaded.
#[derive(Default)]
pub(crate) struct LoadedTrees {
    /// The objects whose body is in a tree.
    pub(crate) bodies: BTreeSet<u64>,
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
