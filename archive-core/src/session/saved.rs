//! The objects that have been saved.

use std::collections::VecDeque;

use super::addresses::{Addresses, Slot};
use super::once::Once;
use super::trees::TreeIds;
use crate::erased::Erased;
use crate::error::{Error, Result};
use crate::pointer::Kept;

/// The objects that were met while saving, by address.
///
/// A clone of every pointer is kept until the end, because a freed address is handed out again to
/// another object (CVE-2020-11105 in cereal). That also makes the address alone a sufficient key:
/// an allocation that is alive cannot change its type.
#[derive(Default)]
pub struct SaveTable {
    pub(super) objects: Addresses,
    kept: Vec<Kept>,
    waiting: VecDeque<Option<DeferredBody>>,
    /// Whether those that waited are being written.
    writes_waiting: bool,
    /// Whether nothing is saved, but objects are looked for.
    pub(crate) is_census: bool,
    /// The id given last, and how many pointers are kept.
    last_id: u64,
    pub(super) trees: TreeIds,
    pub(super) once: Option<Box<Once>>,
    /// The objects without a cell whose bodies are open.
    open: Vec<u64>,
}

/// Writes the pointer of an object, body and all.
pub type DeferredBody = Box<dyn FnOnce(&mut Erased<'_>) -> Result>;

impl SaveTable {
    /// The id of the object at `address`, and whether its body is still to be written. With
    /// `strong`, the caller writes it.
    pub(crate) fn track(
        &mut self,
        address: usize,
        strong: bool,
        limit: u64,
        keep: impl FnOnce() -> Kept,
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
                self.kept.push(keep());
                id
            }
        };
        let written = object.write(strong);
        Ok((id, strong && !written))
    }

    /// The body of an object without a cell begins.
    pub(crate) fn begin_bare(&mut self, id: u64) {
        self.open.push(id);
    }

    /// The body that was begun last ends.
    pub(crate) fn end_bare(&mut self) {
        self.open.pop();
    }

    /// Whether the body of an object without a cell is open. As many may be as things nest.
    pub(crate) fn is_open(&self, id: u64) -> bool {
        self.open.contains(&id)
    }

    /// An id that no object has.
    pub(super) fn next_id(&mut self, limit: u64) -> Result<u64> {
        self.last_id += 1;
        self.kept.push(Kept::Nothing);
        if self.last_id > limit { Err(too_many_pointers(limit)) } else { Ok(self.last_id) }
    }

    /// The objects, by their ids from 1.
    pub(crate) fn take_kept(&mut self) -> Vec<Kept> {
        std::mem::take(&mut self.kept)
    }

    /// A body waits, here or with an archive of a format's own.
    pub(crate) fn defer(&mut self, body: Option<DeferredBody>) {
        self.waiting.push_back(body);
    }

    /// The body that waits longest, if any does. An archive of a format's own keeps some only where it
    /// writes all of them itself.
    #[doc(hidden)]
    pub fn next_deferred(&mut self) -> Option<DeferredBody> {
        self.next_waiting().flatten()
    }

    /// The body that waits longest, if any does: none if the archive has it.
    pub(super) fn next_waiting(&mut self) -> Option<Option<DeferredBody>> {
        let next = self.waiting.pop_front();
        self.writes_waiting = next.is_some();
        next
    }

    /// How many levels deeper than the body of the outermost pointer the one that is written stands.
    pub(super) fn waiting_levels(&self) -> usize {
        if self.writes_waiting { 2 } else { 0 }
    }

    pub(crate) fn has_deferred(&self) -> bool {
        !self.waiting.is_empty()
    }
}

#[cold]
pub(super) fn too_many_pointers(limit: u64) -> Error {
    Error::too_many(limit, "shared objects", "max_pointers")
}
