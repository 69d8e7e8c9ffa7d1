//! The objects that have been saved.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

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
    objects: FxHashMap<usize, Saved>,
    kept: Vec<Kept>,
    waiting: VecDeque<DeferredBody>,
    /// The id given last.
    last_id: u64,
    pub(super) trees: TreeIds,
}

struct Saved {
    id: u64,
    written: bool,
}

/// Writes the pointer of an object, body and all.
pub(crate) type DeferredBody = Box<dyn FnOnce(&mut Erased<'_>) -> Result>;

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
        let saved = self.objects.entry(address).or_insert_with(|| {
            self.kept.push(keep());
            self.last_id += 1;
            Saved { id: self.last_id, written: false }
        });
        if saved.id > limit {
            return Err(too_many_pointers(limit));
        }
        let first = strong && !saved.written;
        saved.written |= strong;
        Ok((saved.id, first))
    }

    /// An id that no object has.
    pub(super) fn next_id(&mut self, limit: u64) -> Result<u64> {
        self.last_id += 1;
        if self.last_id > limit { Err(too_many_pointers(limit)) } else { Ok(self.last_id) }
    }

    pub(crate) fn defer(&mut self, body: DeferredBody) {
        self.waiting.push_back(body);
    }

    pub(crate) fn next_deferred(&mut self) -> Option<DeferredBody> {
        self.waiting.pop_front()
    }

    pub(crate) fn has_deferred(&self) -> bool {
        !self.waiting.is_empty()
    }
}

#[cold]
pub(super) fn too_many_pointers(limit: u64) -> Error {
    Error::too_many(limit, "shared objects", "max_pointers")
}
