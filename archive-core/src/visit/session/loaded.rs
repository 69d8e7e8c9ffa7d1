//! The objects that were loaded.
// Why: docs/decisions/pointers.md#missed-objects-are-filled-once-per-root

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::makers::Makers;
use super::passes::Passes;
use super::saved::too_many_pointers;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::identity::Identity;
use crate::model::mark::Mark;
use crate::state::options::Options;
use crate::visit::object::Handle;

/// The objects that were read or referred to while loading, by id.
#[derive(Default)]
pub struct LoadTable {
    /// Objects whose ids come in order from 1, as every encoder of this library assigns them.
    pub(super) dense: Vec<Option<Entry>>,
    /// Rarely needed state, in a box, so that a session is small.
    pub(super) rare: Option<Box<Rare>>,
    /// The ids of objects that were created but not filled, and to which a strong pointer refers.
    pub(super) pending: Vec<u64>,
    /// The ids of objects that were created but not filled, and to which no strong pointer refers.
    /// Objects of unknown types may refer to them.
    pub(super) pending_weak: Vec<u64>,
    /// Whether objects that were referred to but not read are being filled.
    pub(crate) filling: bool,
    pub(crate) passes: Passes,
    /// The functions for types of trait objects that were loaded.
    pub(crate) makers: Makers,
}

#[derive(Default)]
pub(super) struct Rare {
    /// Objects with other ids.
    pub(super) sparse: BTreeMap<u64, Entry>,
    /// The ids of objects without an entry: objects in trees, and objects to which only weak
    /// pointers refer.
    others: BTreeSet<u64>,
    /// The type ids of objects whose types are made at run time.
    made: BTreeMap<u64, Box<str>>,
    /// The positions of objects in the input, once the input was searched for them.
    pointees: Option<HashMap<u64, Mark>>,
}

impl Rare {
    #[cold]
    fn get(&mut self, id: u64) -> Option<&mut Entry> {
        self.sparse.get_mut(&id)
    }
}

/// A loaded object. There is one entry for every shared object of a file, so it is kept small.
pub struct Entry {
    /// The pointer.
    pub handle: Handle,
    /// The concrete type of the object, without cell and pointer.
    pub identity: fn() -> Identity,
    /// The state of the object.
    pub state: State,
    /// Whether a strong pointer refers to the object.
    pub strong: bool,
    /// Whether the object belongs to a root that was loaded before the current one.
    pub(super) kept: bool,
    /// The parts of a mark: the position of the object, or of the first reference to it.
    mark_state: u32,
    offset: u64,
}

/// The state of an object that is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The object exists; its content is not loaded yet.
    Pending,
    /// The content is being loaded.
    Loading,
    /// The object is complete.
    Done,
}

impl LoadTable {
    /// Makes room for that many objects.
    pub(crate) fn expect(&mut self, objects: usize) {
        self.dense.reserve_exact(objects.saturating_sub(self.dense.len()));
    }

    /// Returns the object with that id.
    #[inline]
    pub(crate) fn get(&mut self, id: u64) -> Option<&mut Entry> {
        match usize::try_from(id.wrapping_sub(1)).ok().and_then(|i| self.dense.get_mut(i)) {
            Some(Some(entry)) => Some(entry),
            _ => self.rare.as_mut()?.get(id),
        }
    }

    /// Adds an object, or replaces the handle that represented the object while it was built.
    pub(crate) fn insert(&mut self, id: u64, entry: Entry, options: &Options<'_>) -> Result {
        if self.get(id).is_none() && !self.rare.as_mut().is_some_and(|rare| rare.others.remove(&id))
        {
            self.check_room(options)?;
        }
        if entry.state == State::Pending && entry.strong {
            self.pending.push(id);
        } else if entry.state == State::Pending {
            self.pending_weak.push(id);
        }
        let index = id.wrapping_sub(1);
        if index == self.dense.len() as u64 {
            self.dense.push(Some(entry));
        } else if index < self.dense.len() as u64 {
            self.dense[index as usize] = Some(entry);
        } else {
            self.rare.get_or_insert_default().sparse.insert(id, entry);
        }
        Ok(())
    }

    /// Counts an object that has no entry, or none yet.
    ///
    /// # Errors
    /// Returns an error if there are too many objects.
    #[doc(hidden)]
    pub fn mention(&mut self, id: u64, options: &Options<'_>) -> Result {
        if self.get(id).is_none()
            && !self.rare.as_ref().is_some_and(|rare| rare.others.contains(&id))
        {
            self.check_room(options)?;
            self.rare.get_or_insert_default().others.insert(id);
        }
        Ok(())
    }

    /// Checks that there may be another object. Each object counts once, as in saving.
    fn check_room(&self, options: &Options<'_>) -> Result {
        let limit = options.settings().limits().pointers;
        let others = self.rare.as_ref().map_or(0, |rare| rare.others.len());
        let objects = self.len() + others;
        if objects as u64 >= limit { Err(too_many_pointers(limit)) } else { Ok(()) }
    }

    /// Records that a strong pointer refers to an object.
    pub(crate) fn hold(&mut self, id: u64) {
        if let Some(entry) = self.get(id)
            && !std::mem::replace(&mut entry.strong, true)
            && entry.state == State::Pending
        {
            self.pending.push(id);
        }
    }

    /// Removes an object that could not be built.
    pub(crate) fn remove(&mut self, id: u64) {
        let index = usize::try_from(id.wrapping_sub(1)).ok();
        match index.and_then(|index| self.dense.get_mut(index)) {
            Some(entry) => *entry = None,
            None => drop(self.rare.as_mut().and_then(|rare| rare.sparse.remove(&id))),
        }
    }

    /// Records that the type of an object is made at run time.
    pub(crate) fn note_made(&mut self, id: u64, type_name: &str) {
        self.rare.get_or_insert_default().made.insert(id, type_name.into());
    }

    /// Returns the type id of an object whose type is made at run time.
    #[inline]
    pub(crate) fn made(&self, id: u64) -> Option<&str> {
        self.rare.as_ref()?.made.get(&id).map(|id| &**id)
    }

    /// Returns the positions of the objects in the input, once the input was searched for them.
    pub(crate) fn pointees(&self) -> Option<&HashMap<u64, Mark>> {
        self.rare.as_ref()?.pointees.as_ref()
    }

    /// Sets the positions of the objects.
    pub(crate) fn set_pointees(&mut self, pointees: HashMap<u64, Mark>) {
        self.rare.get_or_insert_default().pointees = Some(pointees);
    }

    /// Returns the ids of objects to which a strong pointer refers and that are not filled yet.
    pub(crate) fn take_pending(&mut self) -> Vec<u64> {
        let mut ids = std::mem::take(&mut self.pending);
        ids.retain(|id| matches!(self.get(*id), Some(entry) if entry.state == State::Pending));
        ids
    }

    /// Puts back ids that were [taken](LoadTable::take_pending), before those that were added
    /// since.
    pub(super) fn put_back_pending(&mut self, ids: &[u64]) {
        self.pending.splice(..0, ids.iter().copied());
    }

    /// Returns whether no object was read, referred to or searched for.
    #[inline]
    pub(super) fn is_unused(&self) -> bool {
        let LoadTable { dense, rare, pending, pending_weak, filling, passes: _, makers } = self;
        dense.is_empty()
            && rare.is_none()
            && pending.is_empty()
            && pending_weak.is_empty()
            && !*filling
            && makers.is_unused()
    }

    /// Returns the number of objects.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.dense.len() + self.rare.as_ref().map_or(0, |rare| rare.sparse.len())
    }

    /// Returns all objects.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        let sparse = self.rare.iter().flat_map(|rare| rare.sparse.values());
        self.dense.iter().flatten().chain(sparse)
    }

    /// Returns the ids, collected since the last call, of objects that were created without a
    /// strong pointer to them.
    pub(crate) fn take_pending_weak(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.pending_weak)
    }

    /// Empties every object while the table still holds all of them, so that dropping them neither
    /// recurses nor leaks a cycle.
    #[doc(hidden)]
    pub fn abandon(&mut self, options: &Options<'_>) {
        for entry in self.entries() {
            if let Some(object) = entry.handle.object() {
                object.clear(options);
            }
        }
    }
}

/// Drops one by one the objects that only the table holds. The table still holds the objects that
/// each of them points to, so a chain is not dropped recursively.
impl Drop for LoadTable {
    #[inline]
    fn drop(&mut self) {
        if self.len() > 0 {
            self.release();
        }
    }
}

impl LoadTable {
    fn release(&mut self) {
        let mut entries = std::mem::take(&mut self.dense);
        let sparse = self.rare.take().map(|rare| rare.sparse).unwrap_or_default();
        entries.extend(sparse.into_values().map(Some));
        // After dropping an object, the table may be the only holder of other objects, before or
        // after it.
        const PASSES: usize = 64;
        for _ in 0..PASSES {
            let before = entries.len();
            entries.retain(|entry| entry.as_ref().is_some_and(|entry| !entry.is_alone()));
            entries.reverse();
            if entries.len() == before {
                return;
            }
        }
        // Only a file made for this purpose has such a structure. Leaking is better than
        // overflowing the stack.
        std::mem::forget(entries);
    }
}

impl Entry {
    /// Creates an entry for an object that is stored at `at`, or first referred to there.
    pub(crate) fn new(
        identity: fn() -> Identity,
        handle: Handle,
        state: State,
        strong: bool,
        at: Mark,
    ) -> Self {
        Entry {
            handle,
            identity,
            state,
            strong,
            kept: false,
            mark_state: at.state as u32,
            offset: at.offset,
        }
    }

    /// Returns the position of the object, or of the first reference. It is for messages only; a
    /// decoder cannot go back to it.
    pub(crate) fn at(&self) -> Mark {
        Mark { offset: self.offset, state: self.mark_state.into(), depth: 0 }
    }

    /// Returns whether the object is stored at `at`.
    #[inline]
    pub(crate) fn is_at(&self, at: Mark) -> bool {
        self.offset == at.offset
    }

    /// Sets the state and the position of the object.
    #[inline]
    pub(crate) fn advance(&mut self, state: State, at: Mark) {
        (self.state, self.mark_state, self.offset) = (state, at.state as u32, at.offset);
    }

    /// Returns the concrete type of the object.
    pub fn concrete(&self) -> TypeId {
        (self.identity)().type_id
    }

    /// Returns whether nothing else holds the object.
    fn is_alone(&self) -> bool {
        self.handle.count() == 1
    }

    /// Returns the error for an object that does not have the wanted type.
    pub(crate) fn mismatch(&self, id: u64, wanted: &str) -> Error {
        if matches!(self.handle, Handle::Building(_)) && self.state == State::Loading {
            return strong_cycle(id, (self.identity)().type_name);
        }
        Error::new(
            ErrorKind::BadPointer,
            format_args!("object {id} is a `{}`, not a `{wanted}`", (self.identity)().type_name),
        )
    }
}

/// Returns the error for a cycle through an object without a cell: it is built together with its
/// content, so nothing inside it can hold it.
#[cold]
pub(crate) fn strong_cycle(id: u64, type_name: &str) -> Error {
    Error::new(
        ErrorKind::StrongCycle,
        format_args!(
            "object {id} (`{type_name}`) strongly contains itself: use `Weak`, put it in a `RefCell`, or \
             save its owner first"
        ),
    )
}
