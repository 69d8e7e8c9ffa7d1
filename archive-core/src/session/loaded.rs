//! The objects that have been loaded.

use std::any::TypeId;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::saved::too_many_pointers;
use crate::decoder::Mark;
use crate::dismantle;
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;
use crate::pointer::{Handle, Identity, strong_cycle};

/// The objects that were met while loading, by id.
#[derive(Default)]
pub struct LoadTable {
    /// Ids that come in order, from 1, as every writer here gives them.
    dense: Vec<Option<Entry>>,
    /// All other ids.
    sparse: BTreeMap<u64, Entry>,
    /// Ids of objects that have no entry: those in trees, and those that only weak pointers refer to.
    others: HashSet<u64>,
    /// Where bodies stand in the input, once somebody had to ask.
    pub(crate) bodies: Option<HashMap<u64, Mark>>,
    /// Ids of objects that exist without their content and that something strong refers to.
    pending: Vec<u64>,
    /// Ids of objects that exist without their content and that nothing strong refers to: objects
    /// of unknown types may.
    loose: Vec<u64>,
}

/// A loaded object. There is one for every shared object of a file, so it is kept small.
pub struct Entry {
    /// The pointer.
    pub handle: Handle,
    /// The concrete type of the object, without cell and pointer.
    pub identity: fn() -> Identity,
    /// How far it is.
    pub state: State,
    /// Whether a strong pointer refers to it.
    pub strong: bool,
    /// The parts of a mark that say where its body stands, or where it was first referred to.
    place: u32,
    offset: u64,
}

/// How far an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It exists, its content is still to be loaded.
    Pending,
    /// Its content is being loaded.
    Loading,
    /// It is complete.
    Done,
}

impl LoadTable {
    /// Makes room for so many objects.
    pub(crate) fn expect(&mut self, objects: usize) {
        self.dense.reserve_exact(objects.saturating_sub(self.dense.len()));
    }

    /// The object of that id.
    #[inline]
    pub(crate) fn get(&mut self, id: u64) -> Option<&mut Entry> {
        match usize::try_from(id.wrapping_sub(1)).ok().and_then(|i| self.dense.get_mut(i)) {
            Some(Some(entry)) => Some(entry),
            _ if self.sparse.is_empty() => None,
            _ => self.sparse.get_mut(&id),
        }
    }

    /// Adds an object, or takes the place of the handle that stood for it while it was built.
    pub(crate) fn insert(&mut self, id: u64, entry: Entry, options: &Options<'_>) -> Result {
        if self.get(id).is_none() && !self.others.remove(&id) {
            self.check_room(options)?;
        }
        if entry.state == State::Pending && entry.strong {
            self.pending.push(id);
        } else if entry.state == State::Pending {
            self.loose.push(id);
        }
        let index = id.wrapping_sub(1);
        if index == self.dense.len() as u64 {
            self.dense.push(Some(entry));
        } else if index < self.dense.len() as u64 {
            self.dense[index as usize] = Some(entry);
        } else {
            self.sparse.insert(id, entry);
        }
        Ok(())
    }

    /// Counts an object that gets no entry, or none yet.
    ///
    /// # Errors
    /// If it is one too many.
    #[doc(hidden)]
    pub fn mention(&mut self, id: u64, options: &Options<'_>) -> Result {
        if self.get(id).is_none() && !self.others.contains(&id) {
            self.check_room(options)?;
            self.others.insert(id);
        }
        Ok(())
    }

    /// Whether there may be another object: each counts once, as it does while saving.
    fn check_room(&self, options: &Options<'_>) -> Result {
        let limit = options.get_limits().pointers;
        let objects = self.dense.len() + self.sparse.len() + self.others.len();
        if objects as u64 >= limit { Err(too_many_pointers(limit)) } else { Ok(()) }
    }

    /// Notes that something strong refers to an object.
    pub(crate) fn hold(&mut self, id: u64) {
        if let Some(entry) = self.get(id)
            && !std::mem::replace(&mut entry.strong, true)
            && entry.state == State::Pending
        {
            self.pending.push(id);
        }
    }

    /// Forgets an object that could not be built.
    pub(crate) fn remove(&mut self, id: u64) {
        let index = usize::try_from(id.wrapping_sub(1)).ok();
        match index.and_then(|index| self.dense.get_mut(index)) {
            Some(entry) => *entry = None,
            None => drop(self.sparse.remove(&id)),
        }
    }

    /// Ids whose content is still to be loaded and wanted by a strong pointer.
    pub(crate) fn take_pending(&mut self) -> Vec<u64> {
        let mut ids = std::mem::take(&mut self.pending);
        ids.retain(|id| matches!(self.get(*id), Some(entry) if entry.state == State::Pending));
        ids
    }

    /// Puts back ids that were [taken](LoadTable::take_pending), before those that came since.
    pub(super) fn put_back_pending(&mut self, ids: &[u64]) {
        self.pending.splice(..0, ids.iter().copied());
    }

    /// How many objects there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.dense.len() + self.sparse.len()
    }

    /// Ids, of late, of objects that nothing strong refers to.
    pub(crate) fn take_loose(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.loose)
    }

    /// Empties every object while all of them are still held, so that dropping them neither
    /// recurses nor leaks a cycle.
    #[doc(hidden)]
    pub fn abandon(&mut self, options: &Options<'_>) {
        for entry in self.dense.iter().flatten().chain(self.sparse.values()) {
            if let Some(object) = entry.handle.object() {
                object.clear(options);
            }
        }
    }
}

impl LoadTable {
    /// Empties the objects that nothing holds but each other and this table. What held them was left
    /// out after an error.
    pub(crate) fn empty_unheld(&self, options: &Options<'_>) {
        let entries = self.dense.iter().flatten().chain(self.sparse.values());
        dismantle::empty_unheld(entries.map(|entry| &entry.handle), options);
    }
}

/// Objects that nothing but the table holds are dropped one by one, while it still holds what they
/// point to, so that a chain of them is not dropped recursively.
impl Drop for LoadTable {
    fn drop(&mut self) {
        let mut entries = std::mem::take(&mut self.dense);
        entries.extend(std::mem::take(&mut self.sparse).into_values().map(Some));
        // Dropping one object may leave others to the table alone, before or after it.
        const PASSES: usize = 64;
        for _ in 0..PASSES {
            let before = entries.len();
            entries.retain(|entry| entry.as_ref().is_some_and(|entry| !entry.is_alone()));
            entries.reverse();
            if entries.len() == before {
                return;
            }
        }
        // So tangled only on purpose: rather leak than recurse.
        std::mem::forget(entries);
    }
}

impl Entry {
    /// An object that stands at a place, or was first referred to there.
    pub(crate) fn new(
        identity: fn() -> Identity,
        handle: Handle,
        state: State,
        strong: bool,
        at: Mark,
    ) -> Self {
        Entry { handle, identity, state, strong, place: at.state as u32, offset: at.offset }
    }

    /// Where its body stands, or where it was first referred to: to tell of it, not to go there.
    pub(crate) fn at(&self) -> Mark {
        Mark { offset: self.offset, state: self.place.into(), depth: 0 }
    }

    /// Whether that is the same place.
    #[inline]
    pub(crate) fn is_at(&self, at: Mark) -> bool {
        self.offset == at.offset
    }

    /// Notes how far it is, and where its body stands.
    #[inline]
    pub(crate) fn advance(&mut self, state: State, at: Mark) {
        (self.state, self.place, self.offset) = (state, at.state as u32, at.offset);
    }

    /// The concrete type of the object.
    pub fn concrete(&self) -> TypeId {
        (self.identity)().type_id
    }

    /// Whether nothing else holds the object.
    fn is_alone(&self) -> bool {
        self.handle.count() == 1
    }

    /// An error unless the object is of that type.
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
