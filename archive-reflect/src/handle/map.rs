//! [`HandleMap`]: the owner of the values to which handles refer.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::ops::{Index, IndexMut};

use super::Handle;
use super::slot::Slot;

/// Owns values and gives a [`Handle`] for each.
///
/// Access and removal take constant time. Insertion also has to find a free slot. A new value takes
/// the first free slot, so a program gets the same handles before and after a load. Iteration is in
/// the order of the slots.
///
/// The map is saved as the array of its slots, free ones included:
/// `[{"value":{…}},{"generation":2,"value":null}]`.
///
/// ```
/// use archive::reflect::{Handle, HandleMap};
///
/// let mut names = HandleMap::new();
/// let ann = names.insert("Ann");
/// assert_eq!(names.replace(ann, "Anna"), Ok("Ann"));
/// assert_eq!(names[ann], "Anna"); // also for all other holders of the handle
///
/// assert_eq!(names.remove(ann), Some("Anna"));
/// let bob = names.insert("Bob"); // in the same slot
/// assert_eq!(names.get(ann), None);
/// assert_eq!((ann.to_string(), bob.to_string()), ("#1".into(), "#1v1".into()));
/// ```
#[derive(Clone)]
pub struct HandleMap<T> {
    pub(super) slots: Vec<Slot<T>>,
    /// The free slots.
    pub(super) free: BinaryHeap<Reverse<u32>>,
    pub(super) len: usize,
}

impl<T> HandleMap<T> {
    /// Creates an empty map.
    #[must_use]
    pub const fn new() -> Self {
        HandleMap { slots: Vec::new(), free: BinaryHeap::new(), len: 0 }
    }

    /// Creates an empty map with room for `capacity` values.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        HandleMap { slots: Vec::with_capacity(capacity), ..HandleMap::new() }
    }

    /// Returns the number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the map is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether the handle refers to a value of the map.
    #[must_use]
    pub fn contains(&self, handle: Handle<T>) -> bool {
        self.get(handle).is_some()
    }

    /// Returns the value. `None` if the handle is null, or if its value was removed.
    #[must_use]
    pub fn get(&self, handle: Handle<T>) -> Option<&T> {
        let slot = self.slots.get(handle.index()?)?;
        if slot.generation == handle.generation() { slot.value.as_ref() } else { None }
    }

    /// As [`get`](HandleMap::get), mutable.
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<T>) -> Option<&mut T> {
        self.slot_mut(handle)?.value.as_mut()
    }

    /// Returns several values, mutable. `None` if one of them does not exist, or if two handles are
    /// equal.
    ///
    /// ```
    /// let mut hp = archive::reflect::HandleMap::new();
    /// let handles = [hp.insert(5), hp.insert(9)];
    /// let [attacker, target] = hp.get_disjoint_mut(handles).unwrap();
    /// *target -= *attacker;
    /// assert_eq!(hp[handles[1]], 4);
    /// assert!(hp.get_disjoint_mut([handles[0]; 2]).is_none());
    /// ```
    #[must_use]
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        handles: [Handle<T>; N],
    ) -> Option<[&mut T; N]> {
        if !handles.iter().all(|handle| self.contains(*handle)) {
            return None;
        }
        let slots = self.slots.get_disjoint_mut(handles.map(|handle| handle.index().unwrap_or(0)));
        Some(slots.ok()?.map(|slot| match &mut slot.value {
            Some(value) => value,
            None => unreachable!("each of the handles refers to a value"),
        }))
    }

    /// Adds a value.
    ///
    /// # Panics
    /// Panics if the map has 2³² − 1 slots and none is free.
    pub fn insert(&mut self, value: T) -> Handle<T> {
        self.insert_with(|_| value)
    }

    /// Adds the value that `make` returns for its handle.
    ///
    /// ```
    /// # use archive::reflect::{Handle, HandleMap};
    /// struct Unit { me: Handle<Unit> }
    ///
    /// let mut units = HandleMap::new();
    /// let tank = units.insert_with(|me| Unit { me });
    /// assert_eq!(units[tank].me, tank);
    /// ```
    ///
    /// # Panics
    /// As [`insert`](HandleMap::insert).
    pub fn insert_with(&mut self, make: impl FnOnce(Handle<T>) -> T) -> Handle<T> {
        let index = match self.free.peek() {
            Some(Reverse(index)) => *index as usize,
            None => self.slots.len(),
        };
        assert!(index < u32::MAX as usize, "a `HandleMap` has at most 2^32 - 1 slots");
        let generation = self.slots.get(index).map_or(0, |slot| slot.generation);
        let handle = Handle::new(index, generation);
        let value = Some(make(handle));
        match self.slots.get_mut(index) {
            Some(slot) => {
                slot.value = value;
                self.free.pop();
            }
            None => self.slots.push(Slot { generation, value }),
        }
        self.len += 1;
        handle
    }

    /// Removes the value and returns it. From now on all handles to it refer to no value. `None` if
    /// there is no value.
    pub fn remove(&mut self, handle: Handle<T>) -> Option<T> {
        let value = self.slot_mut(handle)?.take()?;
        self.freed(handle.index()?);
        Some(value)
    }

    /// Replaces a value and returns the old one. All handles to the old value refer to the new one.
    ///
    /// # Errors
    /// Returns the new value if the handle refers to none.
    pub fn replace(&mut self, handle: Handle<T>, value: T) -> Result<T, T> {
        match self.get_mut(handle) {
            Some(old) => Ok(std::mem::replace(old, value)),
            None => Err(value),
        }
    }

    /// Removes the values for which `keep` returns `false`.
    ///
    /// ```
    /// let mut hp: archive::reflect::HandleMap<u16> = [40, 0, 7].into_iter().collect();
    /// hp.retain(|_, hp| *hp > 0);
    /// assert_eq!(hp.values().collect::<Vec<_>>(), [&40, &7]);
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(Handle<T>, &mut T) -> bool) {
        for index in 0..self.slots.len() {
            let slot = &mut self.slots[index];
            let Some(value) = &mut slot.value else { continue };
            if !keep(Handle::new(index, slot.generation), value) {
                let value = slot.take();
                self.freed(index);
                drop(value);
            }
        }
    }

    /// Removes all values. From now on no handle refers to a value.
    pub fn clear(&mut self) {
        self.retain(|_, _| false);
    }

    fn slot_mut(&mut self, handle: Handle<T>) -> Option<&mut Slot<T>> {
        let slot = self.slots.get_mut(handle.index()?)?;
        if slot.generation == handle.generation() { Some(slot) } else { None }
    }

    /// Notes that a slot no longer has a value.
    fn freed(&mut self, index: usize) {
        self.len -= 1;
        if self.slots[index].is_free() {
            self.free.push(Reverse(index as u32));
        }
    }

    /// Finds the free slots, after the slots were loaded.
    pub(super) fn count(&mut self) {
        let has_value = |slot: &&Slot<T>| slot.value.is_some();
        self.len = self.slots.iter().filter(has_value).count();
        let slots = self.slots.iter().enumerate();
        let free = slots.filter(|(_, slot)| slot.is_free());
        self.free = free.map(|(index, _)| Reverse(index as u32)).collect();
    }
}

impl<T> Default for HandleMap<T> {
    fn default() -> Self {
        HandleMap::new()
    }
}

/// # Panics
/// Panics if the handle refers to no value.
impl<T> Index<Handle<T>> for HandleMap<T> {
    type Output = T;

    #[track_caller]
    fn index(&self, handle: Handle<T>) -> &T {
        match self.get(handle) {
            Some(value) => value,
            None => panic!("the handle {handle} refers to no value"),
        }
    }
}

/// # Panics
/// Panics if the handle refers to no value.
impl<T> IndexMut<Handle<T>> for HandleMap<T> {
    #[track_caller]
    fn index_mut(&mut self, handle: Handle<T>) -> &mut T {
        match self.get_mut(handle) {
            Some(value) => value,
            None => panic!("the handle {handle} refers to no value"),
        }
    }
}

/// Two maps are equal if the same handles refer to equal values in both, and the next values get the
/// same handles.
impl<T: PartialEq> PartialEq for HandleMap<T> {
    fn eq(&self, other: &Self) -> bool {
        self.slots.len() == other.slots.len()
            && self
                .slots
                .iter()
                .zip(&other.slots)
                .all(|(one, other)| one.generation == other.generation && one.value == other.value)
    }
}

impl<T: Eq> Eq for HandleMap<T> {}

impl<T: fmt::Debug> fmt::Debug for HandleMap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}
