//! The ids of objects in trees ([`Value`](crate::Value)) in the file being written.

use super::saved::{Rare, SaveTable};
use super::trees::{Mention, TreeId};
use crate::model::error::{Error, ErrorKind, Result};

impl SaveTable {
    /// Begins a tree, or several that are saved one after the other. `pointees` are the objects
    /// that are stored in it: objects of the same ids that were written before are different
    /// objects.
    pub(crate) fn begin_tree(&mut self, pointees: &[u64]) {
        let Some(Rare { trees, .. }) = self.rare.as_deref_mut() else { return };
        for id in pointees {
            if trees.ids.get(id).is_some_and(|known| known.written) {
                trees.ids.remove(id);
            }
        }
    }

    /// Returns the id in the file of the object that has the id `id` in a tree. If an object with
    /// that id is stored a second time, it is a different object, and `id` denotes it from then on.
    pub(crate) fn tree_id(&mut self, id: u64, mention: Mention, limit: u64) -> Result<u64> {
        if let Some(known) = self.rare.as_mut().and_then(|rare| rare.trees.ids.get_mut(&id))
            && !(known.written && mention == Mention::Stored)
        {
            known.written |= mention == Mention::Stored;
            known.wanted |= mention == Mention::Strong;
            return Ok(known.id);
        }
        let new = self.next_id(limit)?;
        let (written, wanted) = (mention == Mention::Stored, mention == Mention::Strong);
        let trees = &mut self.rare.get_or_insert_default().trees;
        trees.ids.insert(id, TreeId { id: new, written, wanted });
        Ok(new)
    }

    /// Returns whether no pointer was visited outside trees.
    #[doc(hidden)]
    #[must_use]
    pub fn has_no_objects(&self) -> bool {
        self.objects.is_empty()
    }

    /// Returns whether objects of trees got ids.
    #[doc(hidden)]
    #[must_use]
    pub fn has_tree_ids(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| !rare.trees.ids.is_empty())
    }

    /// Keeps the ids that the objects of a tree have, in a save of that tree alone. Other objects
    /// get ids above `last`.
    pub(crate) fn keep_tree_ids(&mut self, ids: impl IntoIterator<Item = u64>, last: u64) {
        let kept = ids.into_iter().map(|id| (id, TreeId { id, written: false, wanted: false }));
        self.rare.get_or_insert_default().trees.ids.extend(kept);
        self.last_id = self.last_id.max(last);
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
