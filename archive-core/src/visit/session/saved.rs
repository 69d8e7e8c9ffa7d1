//! The objects that were saved.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::addresses::{Addresses, Slot};
use super::ranks::Ranks;
use super::trees::TreeIds;
use crate::model::error::{Error, Result};
use crate::model::shape::Shape;
use crate::state::wanted::Wanted;
use crate::visit::erased::Erased;
use crate::visit::object::Retained;

/// The objects that were visited while saving, by address.
///
/// A clone of every pointer is retained until the end, because a freed address may be reused for
/// another object (as in CVE-2020-11105 of cereal). That also makes the address a sufficient key:
/// an allocation that is alive cannot change its type.
#[derive(Default)]
pub struct SaveTable {
    pub(super) objects: Addresses,
    retained: Vec<Retained>,
    /// The id that was assigned last. Unless a tree keeps its ids, it is also the number of pointers that
    /// are retained.
    pub(super) last_id: u64,
    /// The objects without a cell that are being written.
    open: Vec<u64>,
    /// Rarely needed state, in a box, so that a session is small.
    pub(super) rare: Option<Box<Rare>>,
}

#[derive(Default)]
pub(super) struct Rare {
    waiting: VecDeque<Option<DeferredPointee>>,
    /// Whether deferred objects are being written.
    writes_waiting: bool,
    /// Set if objects are only collected and nothing is written.
    pub(super) census: Option<Wanted>,
    pub(super) trees: TreeIds,
    pub(super) once: Option<Once>,
    pub(super) ranks: Option<Box<Ranks>>,
}

/// The objects that must exist when a weak pointer to them is loaded: objects without a cell, which
/// are created when they are loaded, and objects whose type is stored only with them. If a file
/// cannot be searched, such an object must be stored with the first pointer that refers to it. But
/// a weak pointer alone does not cause an object to be saved, and only the end of the save shows
/// which objects are saved. If objects turn out to be stored too late, the save is therefore
/// repeated.
#[derive(Default)]
pub(super) struct Once {
    /// The objects that are stored with the first pointer of any kind.
    pub(super) early: FxHashSet<usize>,
    /// The objects that were referred to before they were saved.
    pub(super) awaited: FxHashSet<usize>,
    /// Those of `awaited` that were saved after all.
    pub(super) late: Vec<usize>,
}

/// Writes the pointer to an object, and the object with it.
pub type DeferredPointee = Box<dyn FnOnce(&mut Erased<'_>) -> Result>;

impl SaveTable {
    /// Returns the id of the object at `address`, and whether it must still be written. With
    /// `strong`, the caller writes it.
    pub(crate) fn track(
        &mut self,
        address: usize,
        strong: bool,
        limit: u64,
        retain: impl FnOnce() -> Retained,
    ) -> Result<(u64, bool)> {
        let object = self.objects.slot(address);
        let id = match object.id() {
            Some(id) => id,
            None => {
                let id = self.last_id + 1;
                let limit = limit.min(Slot::MAX);
                if id > limit {
                    return Err(too_many_pointers(limit));
                }
                object.set_id(id);
                self.last_id = id;
                self.retained.push(retain());
                id
            }
        };
        let written = object.write(strong);
        Ok((id, strong && !written))
    }

    /// Makes this a census: objects are only collected, and nothing is written.
    pub(crate) fn begin_census(&mut self, wanted: Wanted) {
        self.rare.get_or_insert_default().census = Some(wanted);
    }

    /// Returns the state of the census, if this is one.
    #[inline]
    pub(crate) fn census(&mut self) -> Option<&mut Wanted> {
        self.rare.as_mut()?.census.as_mut()
    }

    /// Returns whether this is a census.
    #[inline]
    pub(crate) fn is_census(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.census.is_some())
    }

    /// Returns whether this is a census that leaves out objects of that shape.
    #[inline]
    pub(crate) fn leaves_out(&mut self, shape: &'static Shape) -> bool {
        match self.census() {
            // The type of a trait object is not known yet.
            Some(wanted) => !wanted.in_order && !shape.is_any() && !wanted.has(shape),
            None => false,
        }
    }

    /// Begins an object without a cell.
    pub(crate) fn begin_bare(&mut self, id: u64) {
        self.open.push(id);
    }

    /// Ends the object that was begun last.
    pub(crate) fn end_bare(&mut self) {
        self.open.pop();
    }

    /// Returns whether an object without a cell is being written. There are no more of them than
    /// nested values.
    pub(crate) fn is_open(&self, id: u64) -> bool {
        self.open.contains(&id)
    }

    /// Returns an id that no object has.
    pub(super) fn next_id(&mut self, limit: u64) -> Result<u64> {
        self.last_id += 1;
        self.retained.push(Retained::Nothing);
        if self.last_id > limit { Err(too_many_pointers(limit)) } else { Ok(self.last_id) }
    }

    /// Returns the objects in the order of their ids, from 1.
    pub(crate) fn take_retained(&mut self) -> Vec<Retained> {
        std::mem::take(&mut self.retained)
    }

    /// Adds a deferred object. `None` is one that the format's own archive keeps.
    pub(crate) fn defer(&mut self, pointee: Option<DeferredPointee>) {
        self.rare.get_or_insert_default().waiting.push_back(pointee);
    }

    /// Removes and returns the deferred object that was added first, if any. A format's own archive
    /// keeps objects only if it writes all of them itself.
    #[doc(hidden)]
    pub fn next_deferred(&mut self) -> Option<DeferredPointee> {
        self.next_waiting().flatten()
    }

    /// Removes and returns the deferred object that was added first. The inner `None` is one that
    /// the archive keeps.
    pub(super) fn next_waiting(&mut self) -> Option<Option<DeferredPointee>> {
        let rare = self.rare.as_mut()?;
        let next = rare.waiting.pop_front();
        rare.writes_waiting = next.is_some();
        next
    }

    /// Returns how many levels the current object is deeper than the object of the outermost
    /// pointer.
    pub(super) fn waiting_levels(&self) -> usize {
        if self.rare.as_ref().is_some_and(|rare| rare.writes_waiting) { 2 } else { 0 }
    }

    /// Returns whether nothing was visited or collected.
    #[inline]
    pub(super) fn is_unused(&self) -> bool {
        let SaveTable { objects: _, retained, last_id, open, rare } = self;
        retained.is_empty() && open.is_empty() && *last_id == 0 && rare.is_none()
    }

    pub(crate) fn has_deferred(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| !rare.waiting.is_empty())
    }
}

#[cold]
pub(super) fn too_many_pointers(limit: u64) -> Error {
    Error::too_many(limit, "shared objects", "max_pointers")
}
