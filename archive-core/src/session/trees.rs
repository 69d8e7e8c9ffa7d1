//! The objects in trees ([`Value`](crate::Value)): which ids they have in the file being written,
//! and which bodies are in the trees that were loaded.

use std::collections::{HashMap, HashSet};

use super::saved::SaveTable;
use crate::error::{Error, ErrorKind, Result};

/// What a tree says of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mention {
    /// The object itself.
    Body,
    /// A reference to it.
    Strong,
    /// A reference that does not hold it.
    Weak,
}

/// The ids of the objects in the trees being saved.
#[derive(Default)]
pub(crate) struct TreeIds {
    /// By the id in the tree.
    ids: HashMap<u64, TreeId>,
}

struct TreeId {
    /// In the file.
    id: u64,
    written: bool,
    wanted: bool,
}

impl SaveTable {
    /// Announces a tree, or several that are saved one after the other, with the objects whose
    /// bodies are in it: what it says of them is not about objects of the same ids that are written
    /// already.
    pub(crate) fn begin_tree(&mut self, bodies: &[u64]) {
        for id in bodies {
            if self.trees.ids.get(id).is_some_and(|known| known.written) {
                self.trees.ids.remove(id);
            }
        }
    }

    /// The id in the file of the object that a tree calls `id`. A body of one that is written
    /// already is another object, and the one that is meant from then on.
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
                format_args!(
                    "a `Value` refers to object {id}, and no `Value` that was saved holds it"
                ),
            )),
            None => Ok(()),
        }
    }
}

/// The objects in the trees that were loaded.
#[derive(Default)]
pub(crate) struct LoadedTrees {
    /// Objects whose body is in a tree.
    pub(crate) bodies: HashSet<u64>,
    /// Whether a pointer was met in the tree being loaded.
    pub(crate) met_pointer: bool,
    /// Whether a body is being copied: of those that a tree has, only the id is of use.
    pub(crate) fetching: bool,
    /// Whether the root is a tree itself: the file is taken as it is.
    pub(crate) whole: bool,
    /// What else is to be known of the file, if anything is.
    pub(crate) origin: Option<Origin>,
    /// The object whose body is being fetched, or 0.
    pub(crate) fetched: u64,
}

/// What a tree does not tell of the file that it was loaded from.
#[derive(Debug, Default)]
pub struct Origin {
    /// The layouts of objects in the order of the tree: those in the root, and those in each body that was
    /// fetched from elsewhere, by its id.
    pub layouts: HashMap<u64, Vec<u32>>,
    /// The ids in members of objects: these are pointers as text formats write them.
    pub in_members: HashSet<u64>,
}
