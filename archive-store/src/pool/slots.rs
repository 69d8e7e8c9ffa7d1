//! [`Slots`]: objects by the lower half of their keys.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::persistent::Persistent;

/// The number of the slot of a key, counted from 1.
pub(super) fn slot(key: u64) -> u32 {
    key as u32
}

/// The generation of a key: which use of the slot it is.
pub(super) fn generation(key: u64) -> u32 {
    (key >> 32) as u32
}

/// Objects by their slots. Slots that are in use more or less one after the other are items of a
/// vector; those far beyond are in a map, so that a large key costs no memory, and many of them no
/// more than a few times that of the objects.
pub(super) struct Slots<T> {
    near: Vec<Option<Persistent<T>>>,
    /// Its slots are beyond those of `near`.
    far: BTreeMap<u32, Persistent<T>>,
    /// Slots of `near` that may be vacant. All vacant ones are in it.
    vacant: BinaryHeap<Reverse<u32>>,
    len: usize,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Slots { near: Vec::new(), far: BTreeMap::new(), vacant: BinaryHeap::new(), len: 0 }
    }
}

impl<T> Slots<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns what is in the slot of a key, which may be of another generation.
    #[inline]
    pub(super) fn in_slot(&self, key: u64) -> Option<&Persistent<T>> {
        match self.near.get((slot(key) as usize).wrapping_sub(1)) {
            Some(item) => item.as_ref(),
            None => self.far.get(&slot(key)),
        }
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&Persistent<T>> {
        self.in_slot(key).filter(|item| item.key() == key)
    }

    #[inline]
    pub(super) fn get_mut(&mut self, key: u64) -> Option<&mut Persistent<T>> {
        let item = match self.near.get_mut((slot(key) as usize).wrapping_sub(1)) {
            Some(item) => item.as_mut(),
            None => self.far.get_mut(&slot(key)),
        };
        item.filter(|item| item.key() == key)
    }

    /// Returns the lowest slot that is vacant; none if all are in use.
    pub(super) fn lowest(&mut self) -> Option<u32> {
        while let Some(Reverse(slot)) = self.vacant.peek() {
            if self.near[*slot as usize - 1].is_none() {
                return Some(*slot);
            }
            self.vacant.pop();
        }
        let mut slot = u32::try_from(self.near.len()).ok()?.checked_add(1)?;
        for far in self.far.keys() {
            if *far != slot {
                break;
            }
            slot = slot.checked_add(1)?;
        }
        Some(slot)
    }

    /// Puts an object into the slot of its key, which is vacant.
    pub(super) fn put(&mut self, item: Persistent<T>) {
        let slot = slot(item.key());
        self.len += 1;
        let (index, near) = (slot as usize - 1, self.near.len());
        if index < near {
            self.near[index] = Some(item);
        } else if index == near || index <= 2 * self.len + 64 {
            for vacant in near..index {
                self.near.push(None);
                self.vacant.push(Reverse(vacant as u32 + 1));
            }
            self.near.push(Some(item));
            self.move_near();
        } else {
            self.far.insert(slot, item);
        }
    }

    /// Moves objects to `near` whose slots are no longer beyond it.
    fn move_near(&mut self) {
        while let Some(entry) = self.far.first_entry() {
            let index = *entry.key() as usize - 1;
            if index < self.near.len() {
                // The slot was vacant when `near` grew over it.
                self.near[index] = Some(entry.remove());
            } else if index == self.near.len() {
                self.near.push(Some(entry.remove()));
            } else {
                break;
            }
        }
    }

    pub(super) fn take(&mut self, key: u64) -> Option<Persistent<T>> {
        self.get(key)?;
        self.len -= 1;
        match self.near.get_mut(slot(key) as usize - 1) {
            Some(item) => {
                self.vacant.push(Reverse(slot(key)));
                item.take()
            }
            None => self.far.remove(&slot(key)),
        }
    }

    /// Returns the objects in the order of their slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Persistent<T>> {
        self.near.iter().flatten().chain(self.far.values())
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Persistent<T>> {
        self.near.iter_mut().flatten().chain(self.far.values_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::Slots;
    use crate::persistent::Persistent;

    #[test]
    fn slots_far_apart_take_little_memory() {
        let mut slots = Slots::default();
        // Each key is as far as the vector could grow if its length were the measure.
        let (mut key, mut keys) = (1_u64, Vec::new());
        while key <= u64::from(u32::MAX) {
            slots.put(Persistent::with_key(key, ()));
            keys.push(key);
            key = 2 * key + 64;
        }
        assert!(keys.iter().all(|key| slots.get(*key).is_some()));
        assert!(slots.near.len() <= 3 * keys.len() + 64, "{}", slots.near.len());
        assert_eq!(slots.iter().count(), keys.len());
    }
}
