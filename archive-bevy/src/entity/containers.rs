//! Containers of references.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

use archive::{Blank, Error, Result};
use bevy_ecs::entity::{EntityHashMap, EntityHashSet};
use bevy_ecs::prelude::*;

use super::Entities;

type Numbers<'a> = &'a dyn Fn(Entity) -> Result<u32>;
type Found<'a> = &'a dyn Fn(u32) -> Result<Entity>;

/// Lists: as lists, in their order.
macro_rules! lists {
    ($($List:ident)*) => { $(
        impl<T: Entities> Entities for $List<T> {
            type Stored = Vec<T::Stored>;

            fn save(&self, numbers: Numbers<'_>) -> Result<Self::Stored> {
                self.iter().map(|it| it.save(numbers)).collect()
            }
            fn load(stored: Self::Stored, entities: Found<'_>) -> Result<Self> {
                stored.into_iter().map(|it| T::load(it, entities)).collect()
            }
        }
    )* };
}
lists! { Vec VecDeque }

/// Sets: as lists in the order of the numbers, since entities have another order after a load.
macro_rules! sets {
    ($([$($generics:tt)*] $Set:ty;)*) => { $(
        impl<$($generics)*> Entities for $Set {
            type Stored = Vec<T::Stored>;

            fn save(&self, numbers: Numbers<'_>) -> Result<Self::Stored> {
                let mut stored: Vec<T::Stored> =
                    self.iter().map(|it| it.save(numbers)).collect::<Result<_>>()?;
                stored.sort();
                Ok(stored)
            }
            fn load(stored: Self::Stored, entities: Found<'_>) -> Result<Self> {
                stored.into_iter().map(|it| T::load(it, entities)).collect()
            }
        }
    )* };
}
sets! {
    [T: Entities<Stored: Ord> + Ord] BTreeSet<T>;
    [T: Entities<Stored: Ord> + Eq + Hash, S: BuildHasher + Default] HashSet<T, S>;
}

/// Maps: as maps in the order of the stored keys.
macro_rules! maps {
    ($([$($generics:tt)*] $Map:ty;)*) => { $(
        impl<$($generics)*> Entities for $Map {
            type Stored = BTreeMap<K::Stored, V::Stored>;

            fn save(&self, numbers: Numbers<'_>) -> Result<Self::Stored> {
                let entry = |(key, value): (&K, &V)| Ok((key.save(numbers)?, value.save(numbers)?));
                self.iter().map(entry).collect()
            }
            fn load(stored: Self::Stored, entities: Found<'_>) -> Result<Self> {
                let entry = |(key, value)| Ok((K::load(key, entities)?, V::load(value, entities)?));
                stored.into_iter().map(entry).collect()
            }
        }
    )* };
}
maps! {
    [K: Entities<Stored: Ord> + Ord, V: Entities] BTreeMap<K, V>;
    [K: Entities<Stored: Ord> + Eq + Hash, V: Entities, S: BuildHasher + Default] HashMap<K, V, S>;
}

impl Entities for EntityHashSet {
    type Stored = Vec<u32>;

    fn save(&self, numbers: Numbers<'_>) -> Result<Vec<u32>> {
        let mut stored: Vec<u32> = self.iter().map(|it| numbers(*it)).collect::<Result<_>>()?;
        stored.sort_unstable();
        Ok(stored)
    }
    fn load(stored: Vec<u32>, entities: Found<'_>) -> Result<Self> {
        stored.into_iter().map(entities).collect()
    }
}

impl<V: Entities> Entities for EntityHashMap<V> {
    type Stored = BTreeMap<u32, V::Stored>;

    fn save(&self, numbers: Numbers<'_>) -> Result<Self::Stored> {
        self.iter().map(|(key, value)| Ok((numbers(*key)?, value.save(numbers)?))).collect()
    }
    fn load(stored: Self::Stored, entities: Found<'_>) -> Result<Self> {
        let entry = |(key, value)| Ok((entities(key)?, V::load(value, entities)?));
        stored.into_iter().map(entry).collect()
    }
}

impl<T: Entities, const N: usize> Entities for [T; N]
where
    [T::Stored; N]: archive::Save + Blank,
{
    type Stored = [T::Stored; N];

    fn save(&self, numbers: Numbers<'_>) -> Result<Self::Stored> {
        let stored: Vec<T::Stored> =
            self.iter().map(|it| it.save(numbers)).collect::<Result<_>>()?;
        stored.try_into().map_err(|_| unequal())
    }
    fn load(stored: Self::Stored, entities: Found<'_>) -> Result<Self> {
        let loaded: Vec<T> =
            stored.into_iter().map(|it| T::load(it, entities)).collect::<Result<_>>()?;
        loaded.try_into().map_err(|_| unequal())
    }
}

#[cold]
fn unequal() -> Error {
    Error::custom("an array of another length")
}

macro_rules! tuples {
    ($(($($T:ident $index:tt),+))*) => { $(
        impl<$($T: Entities),+> Entities for ($($T,)+) {
            type Stored = ($($T::Stored,)+);

            fn save(&self, numbers: Numbers<'_>) -> Result<Self::Stored> {
                Ok(($(self.$index.save(numbers)?,)+))
            }
            fn load(stored: Self::Stored, entities: Found<'_>) -> Result<Self> {
                Ok(($($T::load(stored.$index, entities)?,)+))
            }
        }
    )* };
}
tuples! { (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) }
