//! A slot map made of its parts, by nothing but inserting and removing.

use std::collections::HashMap;

use super::keys::{key, parts};
use super::layout::{Slots, Vacant, empty_free};
use crate::error::{Error, ErrorKind, Result};

/// The parts of a slot map: what each slot holds, checked.
pub(super) struct Parts<M: Slots> {
    /// The slots from index 1.
    slots: Vec<Slot<M::Value>>,
    /// The keys of the entries, in the order of a dense map.
    order: Vec<M::Key>,
    free: Vec<M::Key>,
    detached: usize,
}

enum Slot<V> {
    Missing,
    Entry(u32, V),
    /// The version of the next key.
    Free(u32),
    Detached,
}

impl<M: Slots> Parts<M> {
    /// # Errors
    /// Slots that are named twice or not at all, and versions that they cannot have.
    pub(super) fn new(
        entries: Vec<(M::Key, M::Value)>,
        vacant: Vacant<M::Key>,
    ) -> Result<Parts<M>> {
        let Vacant { free, detached } = vacant;
        let count = entries.len() + free.len() + detached.len();
        let mut slots: Vec<Slot<M::Value>> = (0..count).map(|_| Slot::Missing).collect();
        let mut order = Vec::with_capacity(entries.len());
        for (at, (key, value)) in entries.into_iter().enumerate() {
            let (index, version) = parts(key);
            let slot = find(&mut slots, index).map_err(|e| e.in_item(at).in_member("entries"))?;
            *slot = Slot::Entry(version, value);
            order.push(key);
        }
        for (at, key) in free.iter().enumerate() {
            let (index, version) = parts(*key);
            let found = find(&mut slots, index).and_then(|slot| {
                if version == 1 {
                    let message = format_args!(
                        "slot {index} is free, but its version says that it was never used"
                    );
                    return Err(Error::new(ErrorKind::OutOfRange, message));
                }
                Ok(slot)
            });
            *found.map_err(|e| e.in_item(at).in_member("free"))? = Slot::Free(version);
        }
        for (at, index) in detached.iter().enumerate() {
            let slot = find(&mut slots, *index);
            *slot.map_err(|e| e.in_item(at).in_member("detached"))? = Slot::Detached;
        }
        Ok(Parts { slots, order, free, detached: detached.len() })
    }

    /// How many removals the slots have seen.
    pub(super) fn generations(&self) -> u64 {
        let generations = |slot: &Slot<M::Value>| match slot {
            Slot::Entry(version, _) | Slot::Free(version) => u64::from(version / 2),
            Slot::Missing | Slot::Detached => 1,
        };
        self.slots.iter().map(generations).sum()
    }

    /// How many values [`build`](Parts::build) needs to hold the place of values that are gone.
    pub(super) fn fillers(&self) -> usize {
        self.free.len() + self.detached
    }

    /// The map.
    pub(super) fn build(self, fillers: Vec<M::Value>) -> M {
        let mut map = M::empty();
        let mut fillers = fillers.into_iter();
        let mut filled = Vec::new();
        for slot in self.slots {
            match slot {
                Slot::Entry(version, value) => {
                    raise(&mut map, value, version);
                }
                Slot::Free(next) => {
                    if let Some(filler) = fillers.next() {
                        raise(&mut map, filler, next.wrapping_sub(2));
                    }
                }
                Slot::Detached | Slot::Missing => {
                    if let Some(filler) = fillers.next() {
                        let key = map.put(filler);
                        map.detach(key);
                    }
                }
            }
        }
        for next in &self.free {
            let (index, version) = parts(*next);
            filled.push(key(index, version.wrapping_sub(2)));
        }
        empty_free(&mut map, &filled);
        put_in_order(&mut map, &self.order);
        map
    }
}

/// Inserts a value into a new slot until the slot has that version.
fn raise<M: Slots>(map: &mut M, value: M::Value, version: u32) {
    let mut key = map.put(value);
    while parts(key).1 < version {
        // The slot that was emptied last is the one that is used next.
        let Some(value) = map.take(key) else { return };
        key = map.put(value);
    }
}

/// Brings the values of a dense map into their order; other maps have them in that of their slots.
fn put_in_order<M: Slots>(map: &mut M, order: &[M::Key]) {
    if !M::DENSE || map.keys() == order {
        return;
    }
    let mut values: HashMap<M::Key, M::Value> =
        map.keys().into_iter().filter_map(|key| Some((key, map.detach(key)?))).collect();
    for key in order {
        if let Some(value) = values.remove(key) {
            map.reattach(*key, value);
        }
    }
}

/// The place of a slot that is not taken yet.
fn find<V>(slots: &mut [Slot<V>], index: u32) -> Result<&mut Slot<V>> {
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
        Some(slot @ Slot::Missing) => Ok(slot),
        Some(_) => refuse(ErrorKind::DuplicateMember, format_args!("slot {index} stands twice")),
    }
}
