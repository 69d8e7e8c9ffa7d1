//! The objects of a root that is loaded again.

use super::loaded::{Entry, LoadTable, State};

impl LoadTable {
    /// Returns how many objects, counted from id 1 without a gap, were completed before the first
    /// one that is not complete. `from` is the result of an earlier call.
    pub(super) fn complete_from(&self, from: usize) -> usize {
        let new = self.dense.get(from..).unwrap_or_default().iter();
        let is_complete =
            |entry: &&Option<Entry>| entry.as_ref().is_none_or(|entry| entry.state == State::Done);
        from + new.take_while(is_complete).count()
    }

    /// Returns whether there are exactly that many objects, with ids without a gap.
    pub(super) fn are_all(&self, objects: usize) -> bool {
        objects == self.dense.len() && self.rare.as_ref().is_none_or(|rare| rare.sparse.is_empty())
    }

    /// Marks all objects as belonging to a root that was loaded.
    pub(super) fn keep_objects(&mut self, from: usize) -> usize {
        let new = self.dense.get_mut(from..).unwrap_or_default().iter_mut().flatten();
        let sparse = self.rare.iter_mut().flat_map(|rare| rare.sparse.values_mut());
        new.chain(sparse).for_each(|entry| entry.kept = true);
        self.dense.len()
    }

    /// Makes the objects of the current root pending if they are in cells, and removes the others.
    /// Objects for which `stays` returns `true` are left alone. Returns whether objects were removed.
    pub(super) fn begin_again(&mut self, stays: impl Fn(&Entry) -> bool) -> bool {
        let (mut strong, mut weak, mut removed) = (Vec::new(), Vec::new(), false);
        let mut stays = |id: u64, entry: &mut Entry| {
            if entry.kept || stays(entry) {
                return true;
            }
            let is_cell = entry.handle.object().is_some_and(|object| object.outline().0);
            if is_cell {
                entry.state = State::Pending;
                if entry.strong { strong.push(id) } else { weak.push(id) }
            }
            removed |= !is_cell;
            is_cell
        };
        for (index, entry) in self.dense.iter_mut().enumerate() {
            entry.take_if(|entry| !stays(index as u64 + 1, entry));
        }
        if let Some(rare) = &mut self.rare {
            rare.sparse.retain(|id, entry| stays(*id, entry));
        }
        (self.pending, self.pending_weak) = (strong, weak);
        removed
    }
}
