//! What a slot map consists of, and how it is seen: `slotmap` shows the key of the next insert and
//! nothing else of its vacant slots, so they are filled one by one.

use slotmap::{DenseSlotMap, Key, SlotMap};

use super::keys::{key, parts};
use crate::error::Result;

/// A slot map: what both kinds have in common.
pub(super) trait Slots: Sized {
    type Key: Key;
    type Value;

    /// Whether the map keeps its values in an order of their own.
    const DENSE: bool;

    fn empty() -> Self;
    /// The key of the next insert.
    fn peek(&mut self) -> Self::Key;
    fn put(&mut self, value: Self::Value) -> Self::Key;
    fn take(&mut self, key: Self::Key) -> Option<Self::Value>;
    fn detach(&mut self, key: Self::Key) -> Option<Self::Value>;
    fn reattach(&mut self, key: Self::Key, value: Self::Value);
    fn keys(&self) -> Vec<Self::Key>;
}

macro_rules! slots {
    ($($Map:ident $dense:literal),*) => { $(
        impl<K: Key, V> Slots for $Map<K, V> {
            type Key = K;
            type Value = V;

            const DENSE: bool = $dense;

            fn empty() -> Self {
                $Map::with_key()
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
slots!(SlotMap false, DenseSlotMap true);

/// The slots that hold no value.
#[derive(Debug)]
pub(super) struct Vacant<K> {
    /// The keys of the next inserts, in their order.
    pub(super) free: Vec<K>,
    /// The indices of slots that are never used again.
    pub(super) detached: Vec<u32>,
}

impl<K> Default for Vacant<K> {
    fn default() -> Self {
        Vacant { free: Vec::new(), detached: Vec::new() }
    }
}

/// Finds the vacant slots by filling them; the free ones hold values afterwards.
///
/// # Errors
/// Those of `fill`; no slot is filled then.
pub(super) fn fill_vacant<M: Slots>(
    map: &mut M,
    mut fill: impl FnMut() -> Result<M::Value>,
) -> Result<Vacant<M::Key>> {
    let occupied = map.keys();
    let mut free = Vec::new();
    let end = loop {
        let next = map.peek();
        let (index, version) = parts(next);
        // Only a slot that was never used gives version 1, and it comes behind all others.
        if version == 1 {
            break index;
        }
        match fill() {
            Ok(value) => map.put(value),
            Err(error) => {
                empty_free(map, &free);
                return Err(error);
            }
        };
        free.push(next);
    };
    let mut used = vec![false; end as usize];
    for key in occupied.iter().chain(&free) {
        if let Some(used) = used.get_mut(parts(*key).0 as usize) {
            *used = true;
        }
    }
    let detached = (1..end).filter(|index| !used[*index as usize]).collect();
    Ok(Vacant { free, detached })
}

/// Makes filled slots free again, so that the first of them is the next that is used. Their versions
/// are counted up. Gives the values.
pub(super) fn empty_free<M: Slots>(map: &mut M, free: &[M::Key]) -> Vec<M::Value> {
    free.iter().rev().filter_map(|key| map.take(*key)).collect()
}

/// The key that a slot gives after the next removal.
pub(super) fn next_version<K: Key>(old: K) -> K {
    let (index, version) = parts(old);
    key(index, version.wrapping_add(2))
}
