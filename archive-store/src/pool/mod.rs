//! [`Pool`]: all objects of a class.
// Why: docs/decisions/store.md#a-persistent-has-the-shape-of-any-value

mod serialize;
mod slots;

use std::fmt;
use std::num::NonZero;
use std::ops::{Index, IndexMut};

use archive_core::{Error, ErrorKind, Result};

use crate::last_save::LastSave;
use crate::persistent::Persistent;
use crate::reference::Ref;
use slots::{Slots, generation, slot};

/// All objects of a class, by key. Each is a row of a [`Store`](crate::Store), and `pool[r]` is the
/// object to which the [`Ref`] `r` refers.
///
/// A key has two halves: the number of a slot, and a generation. So an object is found without a
/// search, and a reference to a removed object finds nothing. A new object gets the lowest vacant
/// slot. The generation grows when an object is removed, so no key is assigned twice. It has 32
/// bits; in a game that uses them up, keys repeat. The next key depends only on the keys and the
/// generation, and both are saved: a loaded game continues with the same keys.
///
/// An object that the program could not load is not in the pool, and no other object gets its key.
/// Its row is kept in the store, for a program that can load it.
///
/// A class has one pool in a world. Outside of a store, a pool is saved as a map from key to value.
/// If objects were removed, the map also has the next key to assign, with the value null.
///
/// ```
/// use archive::store::{Pool, Ref};
///
/// #[derive(Default, archive::Serialize)]
/// struct Unit { hp: u16, leader: Ref<Unit> }
/// archive::store::persistent!(Unit = "unit");
///
/// let mut units = Pool::new();
/// let ann = units.insert(Unit { hp: 9, leader: Ref::NONE });
/// let bob = units.insert(Unit { hp: 7, leader: ann });
/// units[bob].hp -= 3;
/// assert_eq!(units[units[bob].leader].hp, 9);
///
/// units.remove(ann);
/// assert!(units.get(ann).is_none());
/// assert_ne!(units.insert(Unit::default()), ann);
/// ```
pub struct Pool<T> {
    slots: Slots<T>,
    /// The generation of new keys. It is greater than that of all removed objects.
    generation: u32,
    /// When the rows of all objects were last saved.
    saved: LastSave,
}

impl<T> Pool<T> {
    /// Creates an empty pool.
    pub fn new() -> Self {
        Pool::default()
    }

    /// Adds an object, and returns a reference to it.
    ///
    /// # Panics
    /// Panics if there are 4,294,967,295 objects.
    pub fn insert(&mut self, value: T) -> Ref<T> {
        let key = self.next_key().expect("a pool has at most 4,294,967,295 objects");
        self.slots.put(key, Persistent::with_key(key.get(), value));
        Ref::new(key.get())
    }

    /// Adds an object with a key that the program assigns, such as its number in a level.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if another object has the key, or a key with the same lower
    /// 32 bits; [`ErrorKind::OutOfRange`] if these bits are all zero.
    pub fn insert_at(&mut self, key: u64, value: T) -> Result<Ref<T>> {
        self.put(key, Persistent::with_key(key, value))?;
        Ok(Ref::new(key))
    }

    /// Removes an object and returns it.
    pub fn remove(&mut self, at: Ref<T>) -> Option<T> {
        let item = self.slots.take(at.key())?;
        if generation(at.key()) >= self.generation {
            self.generation = generation(at.key()).saturating_add(1);
        }
        Some(item.value)
    }

    /// Removes the objects for which `keep` returns `false`. Marks no object as changed.
    pub fn retain(&mut self, mut keep: impl FnMut(Ref<T>, &T) -> bool) {
        let all = self.iter().filter(|(at, value)| !keep(*at, value)).map(|(at, _)| at);
        for at in all.collect::<Vec<_>>() {
            self.remove(at);
        }
    }

    /// Removes all objects.
    pub fn clear(&mut self) {
        if let Some(last) = self.iter().map(|(at, _)| generation(at.key())).max() {
            self.generation = self.generation.max(last.saturating_add(1));
        }
        self.slots.clear();
    }

    /// Returns an object; `None` if it was removed.
    #[inline]
    pub fn get(&self, at: Ref<T>) -> Option<&T> {
        self.slots.get(at.key()).map(|item| &item.value)
    }

    /// Returns an object and marks it as changed.
    #[inline]
    pub fn get_mut(&mut self, at: Ref<T>) -> Option<&mut T> {
        self.slots.get_mut(at.key()).map(|item| &mut **item)
    }

    /// Returns whether the pool has the object.
    pub fn contains(&self, at: Ref<T>) -> bool {
        self.slots.get(at.key()).is_some()
    }

    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns whether the pool is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all objects, in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = (Ref<T>, &T)> {
        self.slots.iter().map(|object| (Ref::new(object.key()), &object.item.value))
    }

    /// Returns all objects for changes. An object is marked as changed when it is written to, not
    /// when the iterator returns it.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Ref<T>, &mut Persistent<T>)> {
        self.slots.iter_mut().map(|object| (Ref::new(object.key()), &mut object.item))
    }

    /// Returns the references to all objects, in the order of their slots.
    pub fn keys(&self) -> impl Iterator<Item = Ref<T>> {
        self.iter().map(|(at, _)| at)
    }

    /// Returns the values of all objects, in the order of their slots.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the next key to assign: that of the lowest vacant slot.
    fn next_key(&self) -> Option<NonZero<u64>> {
        let slot = self.slots.lowest()?;
        NonZero::new(u64::from(self.generation) << 32 | u64::from(slot))
    }

    fn put(&mut self, key: u64, item: Persistent<T>) -> Result {
        let Some(at) = NonZero::new(key).filter(|_| slot(key) != 0) else {
            let message = format_args!("no object has the key {key}: its lower 32 bits are zero");
            return Err(Error::new(ErrorKind::OutOfRange, message));
        };
        if let Some(other) = self.slots.in_slot(key) {
            let message = if other == key {
                format!("there is already an object with the key {key}")
            } else {
                format!("the key {key} has the same lower 32 bits as {other}, which is in use")
            };
            return Err(Error::new(ErrorKind::DuplicateMember, message));
        }
        if self.slots.is_reserved(key) {
            let message = format_args!(
                "the key {key} ends with the same 32 bits as that of an object that could not be loaded"
            );
            return Err(Error::new(ErrorKind::DuplicateMember, message));
        }
        self.slots.put(at, item);
        Ok(())
    }
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool { slots: Slots::default(), generation: 0, saved: LastSave::default() }
    }
}

/// # Panics
/// Panics if the object was removed.
impl<T> Index<Ref<T>> for Pool<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: Ref<T>) -> &T {
        self.get(at).unwrap_or_else(|| gone(at))
    }
}

/// Marks the object as changed.
///
/// # Panics
/// Panics if the object was removed.
impl<T> IndexMut<Ref<T>> for Pool<T> {
    #[inline]
    fn index_mut(&mut self, at: Ref<T>) -> &mut T {
        self.get_mut(at).unwrap_or_else(|| gone(at))
    }
}

#[cold]
fn gone<T>(at: Ref<T>) -> ! {
    panic!("the pool has no object {at:?}")
}

impl<'a, T> IntoIterator for &'a Pool<T> {
    type Item = (Ref<T>, &'a T);
    type IntoIter = Box<dyn Iterator<Item = (Ref<T>, &'a T)> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

impl<'a, T> IntoIterator for &'a mut Pool<T> {
    type Item = (Ref<T>, &'a mut Persistent<T>);
    type IntoIter = Box<dyn Iterator<Item = (Ref<T>, &'a mut Persistent<T>)> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter_mut())
    }
}

/// The clone has the same keys, and counts as never saved.
impl<T: Clone> Clone for Pool<T> {
    fn clone(&self) -> Self {
        let mut clone = Pool { generation: self.generation, ..Pool::default() };
        clone.slots.reserve_as_in(&self.slots);
        for object in self.slots.iter() {
            // Mutable access may have given the object another key.
            let item = Persistent::with_key(object.key(), object.item.value.clone());
            clone.slots.put(object.nonzero_key(), item);
        }
        clone
    }
}

/// Compares the keys and the values.
impl<T: PartialEq> PartialEq for Pool<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: fmt::Debug> fmt::Debug for Pool<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
