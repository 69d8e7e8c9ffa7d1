//! The objects in trees ([`Value`](crate::Value)): their ids in the file being written, and the
//! objects that are stored in trees which were loaded.
// Why: docs/decisions/pointers.md#trees-and-typed-values-share-objects-through-ids

use std::collections::{BTreeMap, BTreeSet};

use super::links::Links;
use super::unsaved::Unsaved;
use crate::model::shape::Shape;

/// How a tree contains an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mention {
    /// The object is stored with it.
    Stored,
    /// As a reference that keeps it alive.
    Strong,
    /// As a weak reference.
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

/// The ids of objects that are stored in trees. In a box, so that a session is small.
#[derive(Default)]
pub(super) struct Pointees(BTreeSet<u64>);

/// The trees of a session. A tree can be part of a value of the program's types, so it may refer to
/// live objects.
#[derive(Default)]
pub struct Trees {
    /// The objects that are stored in a tree.
    pub(super) pointees: Option<Box<Pointees>>,
    /// Whether the tree being loaded contains a pointer.
    pub(crate) met_pointer: bool,
    /// Whether an object is being copied. Objects that a tree already contains are then copied as
    /// their ids.
    pub(crate) fetching: bool,
    /// Whether the root is itself a tree, so that the file is loaded as it is.
    pub(crate) whole: bool,
    /// Whether objects are [marked](crate::value) with facts about the file that a tree does not
    /// contain.
    pub(crate) marks: bool,
    /// While objects are marked: the layout of the object that is loaded next.
    pub(crate) layout: Option<u32>,
    /// The announced shape of the value that is loaded next, if its function accepts a value of any
    /// shape.
    pub(crate) expected: Option<&'static Shape>,
    /// Whether the ids in trees are saved and loaded as they are.
    #[doc(hidden)]
    pub same_ids: bool,
    /// The live objects that pointers refer to by id alone.
    #[doc(hidden)]
    pub links: Links,
    /// The copies of fields that are not saved.
    #[doc(hidden)]
    pub unsaved: Unsaved,
}

impl Trees {
    /// Returns whether there were no trees.
    #[inline]
    pub(super) fn is_unused(&self) -> bool {
        let Trees { pointees, met_pointer, fetching, marks, layout, links, .. } = self;
        pointees.is_none()
            && layout.is_none()
            && !(*met_pointer | *fetching | *marks)
            && links.is_empty()
    }

    /// Prepares for loading the root again.
    pub(super) fn begin_again(&mut self) {
        (self.pointees, self.layout) = (None, None);
        (self.met_pointer, self.fetching) = (false, false);
    }

    /// Returns whether a tree contains an object.
    pub(crate) fn has_pointee(&self, id: u64) -> bool {
        self.pointees.as_ref().is_some_and(|pointees| pointees.0.contains(&id))
    }

    /// Records that a tree contains an object. Returns whether this is new.
    pub(crate) fn insert_pointee(&mut self, id: u64) -> bool {
        self.pointees.get_or_insert_default().0.insert(id)
    }
}
