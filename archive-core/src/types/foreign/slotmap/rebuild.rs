//! Builds a slot map from its parts, using only insert, remove, detach and reattach.
// Why: docs/decisions/types.md#slot-maps-are-rebuilt

use super::keys::{key, parts};
use super::layout::{Slots, Vacant, make_free};
use crate::model::error::{Error, ErrorKind, Result};

/// The parts of a slot map, after checking.
pub(super) struct Parts<M: Slots> {
    /// The version of the last value in each slot, from index 1.
    versions: Vec<u32>,
    /// The values, in the order of a dense map.
    entries: Vec<(M::Key, M::Value)>,
    /// The keys of the next inserts.
    free: Vec<M::Key>,
}

impl<M: Slots> Parts<M> {
    /// # Errors
    /// Returns an error for slots that are named twice or not at all, and for impossible versions.
    pub(super) fn new(
        entries: Vec<(M::Key, M::Value)>,
        vacant: Vacant<M::Key>,
    ) -> Result<Parts<M>> {
        let mut versions = vec![0; entries.len() + vacant.len()];
        let Vacant { free, detached } = vacant;
        for (at, (key, _)) in entries.iter().enumerate() {
            let (index, version) = parts(*key);
            let slot = find(&mut versions, index);
            *slot.map_err(|e| e.in_item(at).in_member("entries"))? = version;
        }
        for (at, key) in free.iter().enumerate() {
            let (index, version) = parts(*key);
            let found = find(&mut versions, index).and_then(|slot| {
                if version == 1 {
                    let message = format_args!(
                        "slot {index} is free, but its version says that it was never used"
                    );
                    return Err(Error::new(ErrorKind::OutOfRange, message));
                }
                Ok(slot)
            });
            *found.map_err(|e| e.in_item(at).in_member("free"))? = version.wrapping_sub(2);
        }
        for (at, index) in detached.iter().enumerate() {
            let slot = find(&mut versions, *index);
            *slot.map_err(|e| e.in_item(at).in_member("detached"))? = 1;
        }
        Ok(Parts { versions, entries, free })
    }

    /// Builds the map. If the map has no values, `fresh` creates the filler value.
    pub(super) fn build(mut self, fresh: impl FnOnce() -> Result<M::Value>) -> Result<M> {
        if self.versions.is_empty() {
            return Ok(M::with_room(0, 0));
        }
        let (last, filler) = match self.entries.pop() {
            Some((key, value)) => (Some(key), value),
            None => (None, fresh()?),
        };
        self.assemble(last, filler).ok_or_else(|| {
            Error::new(ErrorKind::Unsupported, "`slotmap` lost a value that was just inserted")
        })
    }

    /// Builds the map. `filler` is put into each slot in turn, and belongs to the key `last`.
    fn assemble(self, last: Option<M::Key>, mut filler: M::Value) -> Option<M> {
        let values = self.entries.len() + usize::from(last.is_some());
        let mut map = M::with_room(self.versions.len(), values);
        // No slot is free at this point, so each insert either creates a slot or reuses the one
        // that was just freed.
        for version in self.versions {
            let mut key = map.put(filler);
            while parts(key).1 < version {
                let value = map.take(key)?;
                key = map.put(value);
            }
            filler = map.detach(key)?;
        }
        let used = self.free.iter().map(|next| {
            let (index, version) = parts(*next);
            key(index, version.wrapping_sub(2))
        });
        let filler = make_free(&mut map, used, filler)?;
        for (key, value) in self.entries {
            map.reattach(key, value);
        }
        if let Some(key) = last {
            map.reattach(key, filler);
        }
        Some(map)
    }
}

/// Returns the entry of a slot that is not taken yet.
fn find(slots: &mut [u32], index: u32) -> Result<&mut u32> {
    let count = slots.len();
    let refuse = |kind, message: std::fmt::Arguments<'_>| Err(Error::new(kind, message));
    match (index as usize).checked_sub(1).and_then(|at| slots.get_mut(at)) {
        None if index == 0 => refuse(
            ErrorKind::OutOfRange,
            format_args!("expected the index of a slot, from 1, found 0"),
        ),
        None => refuse(
            ErrorKind::OutOfRange,
            format_args!(
                "expected one of the {count} slots that `entries`, `free` and `detached` list, found slot {index}"
            ),
        ),
        Some(slot @ 0) => Ok(slot),
        Some(_) => refuse(ErrorKind::DuplicateMember, format_args!("duplicate slot {index}")),
    }
}
