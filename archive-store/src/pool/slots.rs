//! [`Slots`]: objects by the lower half of their keys.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;

use crate::persistent::Persistent;

/// The number of the slot of a key, counted from 1.
pub(super) fn slot(key: u64) -> u32 {
    key as u32
}

/// The generation of a key, which distinguishes the uses of a slot.
pub(super) fn generation(key: u64) -> u32 {
    (key >> 32) as u32
}

/// Objects by their slots. Mostly consecutive slots are items of a vector, and much larger ones are
/// in a map. So a large key needs no memory for the slots below it, and many large keys need no
/// more than a few times the memory of the objects.
pub(super) struct Slots<T> {
    near: Vec<Option<Object<T>>>,
    /// Objects whose slots are beyond those of `near`.
    far: BTreeMap<u32, Object<T>>,
    /// The slots of `near` that are neither in use nor reserved.
    vacant: BTreeSet<u32>,
    /// The slots of rows that the program could not load. No object gets one of them.
    reserved: BTreeSet<u32>,
    len: usize,
}

/// An object and the key that it has in the pool, which mutable access to the object cannot change.
pub(super) struct Object<T> {
    key: NonZero<u64>,
    pub(super) item: Persistent<T>,
}

impl<T> Object<T> {
    pub(super) fn key(&self) -> u64 {
        self.key.get()
    }

    pub(super) fn nonzero_key(&self) -> NonZero<u64> {
        self.key
    }
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Slots {
            near: Vec::new(),
            far: BTreeMap::new(),
            vacant: BTreeSet::new(),
            reserved: BTreeSet::new(),
            len: 0,
        }
    }
}

impl<T> Slots<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the key of the object in the slot of a key. It may be of another generation.
    #[inline]
    pub(super) fn in_slot(&self, key: u64) -> Option<u64> {
        let object = match self.near.get((slot(key) as usize).wrapping_sub(1)) {
            Some(object) => object.as_ref(),
            None => self.far.get(&slot(key)),
        };
        object.map(Object::key)
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&Persistent<T>> {
        let object = match self.near.get((slot(key) as usize).wrapping_sub(1)) {
            Some(object) => object.as_ref(),
            None => self.far.get(&slot(key)),
        };
        object.filter(|object| object.key() == key).map(|object| &object.item)
    }

    #[inline]
    pub(super) fn get_mut(&mut self, key: u64) -> Option<&mut Persistent<T>> {
        let object = match self.near.get_mut((slot(key) as usize).wrapping_sub(1)) {
            Some(object) => object.as_mut(),
            None => self.far.get_mut(&slot(key)),
        };
        object.filter(|object| object.key() == key).map(|object| &mut object.item)
    }

    /// Returns the lowest vacant slot; `None` if all are in use.
    pub(super) fn lowest(&self) -> Option<u32> {
        if let Some(slot) = self.vacant.first() {
            return Some(*slot);
        }
        let mut slot = u32::try_from(self.near.len()).ok()?.checked_add(1)?;
        while self.reserved.contains(&slot) || self.far.contains_key(&slot) {
            slot = slot.checked_add(1)?;
        }
        Some(slot)
    }

    /// Reserves the slot of a key, so that no object gets it.
    pub(super) fn reserve(&mut self, key: u64) {
        self.reserved.insert(slot(key));
        self.vacant.remove(&slot(key));
    }

    pub(super) fn is_reserved(&self, key: u64) -> bool {
        self.reserved.contains(&slot(key))
    }

    /// Reserves the slots that are reserved in another pool.
    pub(super) fn reserve_as_in(&mut self, other: &Self) {
        self.reserved.clone_from(&other.reserved);
    }

    /// Puts an object into the slot of a key. The slot is vacant.
    pub(super) fn put(&mut self, key: NonZero<u64>, item: Persistent<T>) {
        let slot = slot(key.get());
        let object = Object { key, item };
        self.len += 1;
        let (index, near) = (slot as usize - 1, self.near.len());
        if index < near {
            self.near[index] = Some(object);
            self.vacant.remove(&slot);
        } else if index == near || index <= 2 * self.len + 64 {
            for vacant in near..index {
                self.near.push(None);
                let vacant = vacant as u32 + 1;
                if !self.reserved.contains(&vacant) {
                    self.vacant.insert(vacant);
                }
            }
            self.near.push(Some(object));
            self.move_near();
        } else {
            self.far.insert(slot, object);
        }
    }

    /// Moves objects to `near` if their slots now fit there.
    fn move_near(&mut self) {
        while let Some(entry) = self.far.first_entry() {
            let index = *entry.key() as usize - 1;
            if index < self.near.len() {
                // The slot counted as vacant when `near` grew.
                self.vacant.remove(entry.key());
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
        let object = match self.near.get_mut(slot(key) as usize - 1) {
            Some(object) => {
                self.vacant.insert(slot(key));
                object.take()
            }
            None => self.far.remove(&slot(key)),
        };
        object.map(|object| object.item)
    }

    /// Removes all objects.
    pub(super) fn clear(&mut self) {
        let reserved = std::mem::take(&mut self.reserved);
        *self = Slots { reserved, ..Slots::default() };
    }

    /// Returns the objects in the order of their slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Object<T>> {
        self.near.iter().flatten().chain(self.far.values())
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Object<T>> {
        self.near.iter_mut().flatten().chain(self.far.values_mut())
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use super::Slots;
    use crate::persistent::Persistent;

    #[test]
    fn slots_far_apart_take_little_memory() {
        let mut slots = Slots::default();
        // Each key is as far as the vector could grow if its length were the measure.
        let (mut key, mut keys) = (1_u64, Vec::new());
        while key <= u64::from(u32::MAX) {
            slots.put(NonZero::new(key).unwrap(), Persistent::new(()));
            keys.push(key);
            key = 2 * key + 64;
        }
        assert!(keys.iter().all(|key| slots.get(*key).is_some()));
        assert!(slots.near.len() <= 3 * keys.len() + 64, "{}", slots.near.len());
        assert_eq!(slots.iter().count(), keys.len());
    }
}
