//! Iterators over a map, in the order of its slots.

use std::iter::{Enumerate, FusedIterator};
use std::{slice, vec};

use super::slot::Slot;
use super::{Handle, HandleMap};

macro_rules! iterator {
    ($(#[$doc:meta])* $Iter:ident<$($a:lifetime,)? T>, $Inner:ty, $Item:ty, $take:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $Iter<$($a,)? T> {
            slots: Enumerate<$Inner>,
            len: usize,
        }

        impl<$($a,)? T> Iterator for $Iter<$($a,)? T> {
            type Item = (Handle<T>, $Item);

            fn next(&mut self) -> Option<Self::Item> {
                loop {
                    let (index, slot) = self.slots.next()?;
                    let handle = Handle::new(index, slot.generation);
                    if let Some(value) = $take(slot) {
                        self.len -= 1;
                        return Some((handle, value));
                    }
                }
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.len, Some(self.len))
            }
        }

        impl<$($a,)? T> ExactSizeIterator for $Iter<$($a,)? T> {}
        impl<$($a,)? T> FusedIterator for $Iter<$($a,)? T> {}
    };
}

iterator! {
    /// The handles and values of a [`HandleMap`].
    Iter<'a, T>, slice::Iter<'a, Slot<T>>, &'a T, |slot: &'a Slot<T>| slot.value.as_ref()
}
iterator! {
    /// The handles and mutable values of a [`HandleMap`].
    IterMut<'a, T>, slice::IterMut<'a, Slot<T>>, &'a mut T, |slot: &'a mut Slot<T>| slot.value.as_mut()
}
iterator! {
    /// The handles and owned values of a [`HandleMap`].
    IntoIter<T>, vec::IntoIter<Slot<T>>, T, |slot: Slot<T>| slot.value
}

impl<T> HandleMap<T> {
    /// Returns the handles with their values.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { slots: self.slots.iter().enumerate(), len: self.len }
    }

    /// As [`iter`](HandleMap::iter), mutable.
    pub fn iter_mut(&mut self) -> IterMut<'_, T> {
        IterMut { slots: self.slots.iter_mut().enumerate(), len: self.len }
    }

    /// Returns the handles.
    pub fn handles(&self) -> impl ExactSizeIterator<Item = Handle<T>> {
        self.iter().map(|(handle, _)| handle)
    }

    /// Returns the values.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the values, mutable.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut T> {
        self.iter_mut().map(|(_, value)| value)
    }
}

impl<'a, T> IntoIterator for &'a HandleMap<T> {
    type Item = (Handle<T>, &'a T);
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut HandleMap<T> {
    type Item = (Handle<T>, &'a mut T);
    type IntoIter = IterMut<'a, T>;

    fn into_iter(self) -> IterMut<'a, T> {
        self.iter_mut()
    }
}

impl<T> IntoIterator for HandleMap<T> {
    type Item = (Handle<T>, T);
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter { len: self.len, slots: self.slots.into_iter().enumerate() }
    }
}

impl<T> Extend<T> for HandleMap<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        for value in values {
            self.insert(value);
        }
    }
}

impl<T> FromIterator<T> for HandleMap<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut map = HandleMap::new();
        map.extend(values);
        map
    }
}
