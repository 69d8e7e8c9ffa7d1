//! The parts of a slot map, and how they are found. `slotmap` shows only one vacant slot, that of
//! the next insert, so a value is put into each of them in turn.

use slotmap::{DenseSlotMap, Key, SlotMap};

use super::keys::{key, parts};
use crate::model::error::Result;

/// A slot map: the operations that both kinds of slot map share.
pub(super) trait Slots: Sized {
    type Key: Key;
    type Value;

    /// The number of bytes of a slot without a value.
    const VACANT: usize;

    /// Creates an empty map with room for `slots` slots. `values` of them will be occupied.
    fn with_room(slots: usize, values: usize) -> Self;
    /// Returns the key of the next insert.
    fn peek(&mut self) -> Self::Key;
    fn put(&mut self, value: Self::Value) -> Self::Key;
    fn take(&mut self, key: Self::Key) -> Option<Self::Value>;
    fn detach(&mut self, key: Self::Key) -> Option<Self::Value>;
    fn reattach(&mut self, key: Self::Key, value: Self::Value);
    fn keys(&self) -> Vec<Self::Key>;
}

macro_rules! slots {
    ($($Map:ident $vacant:expr, |$slots:ident, $values:ident| $room:expr;)*) => { $(
        impl<K: Key, V> Slots for $Map<K, V> {
            type Key = K;
            type Value = V;

            const VACANT: usize = $vacant;

            fn with_room($slots: usize, $values: usize) -> Self {
                $Map::with_capacity_and_key($room)
            }
            fn peek(&mut self) -> K {
                match self.try_insert_with_key(Err) {
                    Ok(key) | Err(key) => key,
                }
            }
            fn put(&mut self, value: V) -> K {
                self.insert(value)
            }
            fn take(&mut self, key: K) -> Option<V> {
                self.remove(key)
            }
            fn detach(&mut self, key: K) -> Option<V> {
                self.detach(key)
            }
            fn reattach(&mut self, key: K, value: V) {
                self.reattach(key, value);
            }
            fn keys(&self) -> Vec<K> {
                self.keys().collect()
            }
        }
    )* };
}
slots! {
    // A version, and the value or the index of the next free slot.
    SlotMap if size_of::<(u32, V)>() > 8 { size_of::<(u32, V)>() } else { 8 }, |slots, _values| slots;
    // A version and an index; the values are in a separate vector.
    DenseSlotMap 8, |_slots, values| values;
}

/// The slots without a value.
#[derive(Debug)]
pub(super) struct Vacant<K> {
    /// The keys of the next inserts, in that order.
    pub(super) free: Vec<K>,
    /// The indices of slots that are never used again.
    pub(super) detached: Vec<u32>,
}

impl<K> Default for Vacant<K> {
    fn default() -> Self {
        Vacant { free: Vec::new(), detached: Vec::new() }
    }
}

impl<K> Vacant<K> {
    pub(super) fn len(&self) -> usize {
        self.free.len() + self.detached.len()
    }
}

/// The vacant slots, and the value that was put into each of them, if there were any.
pub(super) type Found<M> = (Vacant<<M as Slots>::Key>, Option<<M as Slots>::Value>);

/// Finds the vacant slots by putting one value into each of them. Afterwards the free slots are
/// detached, with their versions counted up. Returns the value if there are any free slots.
///
/// # Errors
/// Errors of `fresh`, which creates the value. The map is then unchanged.
pub(super) fn find_vacant<M: Slots>(
    map: &mut M,
    fresh: impl Fn() -> Result<M::Value>,
) -> Result<Found<M>> {
    let occupied = map.keys();
    let mut free = Vec::new();
    let mut filler = None;
    let end = loop {
        let next = map.peek();
        let (index, version) = parts(next);
        // Only a slot that was never used has version 1, and it comes after all others.
        if version == 1 {
            break index;
        }
        let value = match filler.take() {
            Some(value) => value,
            None => fresh()?,
        };
        let filled = map.put(value);
        filler = map.detach(filled);
        free.push(next);
    };
    let mut used = vec![false; end as usize];
    for key in occupied.iter().chain(&free) {
        if let Some(used) = used.get_mut(parts(*key).0 as usize) {
            *used = true;
        }
    }
    let detached = (1..end).filter(|index| !used[*index as usize]).collect();
    Ok((Vacant { free, detached }, filler))
}

/// Makes detached slots free, so that the first of them is the next to be used. `keys` are the keys
/// under which they last held the value. Returns the value.
pub(super) fn make_free<M: Slots>(
    map: &mut M,
    keys: impl DoubleEndedIterator<Item = M::Key>,
    mut filler: M::Value,
) -> Option<M::Value> {
    for key in keys.rev() {
        map.reattach(key, filler);
        filler = map.take(key)?;
    }
    Some(filler)
}

/// Returns the key that a slot has after the next removal.
pub(super) fn next_version<K: Key>(old: K) -> K {
    let (index, version) = parts(old);
    key(index, version.wrapping_add(2))
}
