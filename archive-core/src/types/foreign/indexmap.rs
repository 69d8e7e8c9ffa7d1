//! `IndexMap` and `IndexSet`: a map and a set that keep the order of their entries.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use indexmap::{IndexMap, IndexSet};

use crate::format::key::Shown;
use crate::model::error::Result;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::types::field;
use crate::types::field::Map;
use crate::types::impls::map::{ByKey, Entries, Load, duplicate, load_in_place, save_by_key};
use crate::types::impls::{Items, set};
use crate::visit::archive::{Archive, loads};
use crate::visit::blank::{Blank, Element};
use crate::visit::body::when;
use crate::visit::restore::{check_whole, stays};
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};

impl<K, V, S> ByKey for IndexMap<K, V, S>
where
    K: Element + Save + Eq + Hash,
    V: Element,
    S: BuildHasher,
{
    const MAP: &'static Shape = <Self as Serialize>::SHAPE;
    type Key = K;
    type Value = V;

    fn find(&mut self, key: &K) -> Option<&mut V> {
        self.get_mut(key)
    }
    fn put(&mut self, key: K, value: V) {
        self.insert(key, value);
    }
    fn remove(&mut self, key: &K) {
        self.shift_remove(key);
    }
    fn arrange(&mut self, entries: Vec<(K, Option<V>)>) {
        let mut old: HashMap<K, V> = self.drain(..).collect();
        for (key, value) in entries {
            if let Some(value) = value.or_else(|| old.remove(&key)) {
                self.insert(key, value);
            }
        }
    }
}

impl<K, V, S> Serialize for IndexMap<K, V, S>
where
    K: Element + Save + Eq + Hash,
    V: Element,
    S: BuildHasher,
{
    const SHAPE: &'static Shape = &Shape::Map(shape_of::<K>(), shape_of::<V>());
    const ABOUT: &'static About = &About::generic("IndexMap");
    const MAPS: usize = field::maps::<K, V>();

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return ar.map(Self::SHAPE, self.len(), &mut Entries(self.iter_mut()));
        }
        if let Some(in_place) = const { when!(A::GUIDED, load_in_place::<Self, A>) }
            && stays(ar)
            && in_place(&mut *self, &mut *ar)?
        {
            return Ok(());
        }
        self.clear();
        let add = |key, value| match self.insert_full(key, value) {
            (_, None) => Ok(()),
            (index, Some(_)) => {
                let key = self.get_index(index).map(|(key, _)| Shown::of(key));
                Err(duplicate(key.unwrap_or_default()))
            }
        };
        ar.map(Self::SHAPE, 0, &mut Load::new(add))
    }
}

impl<K, V, S> Save for IndexMap<K, V, S>
where
    K: Element + Save + Eq + Hash,
    V: Element + Save,
    S: BuildHasher,
{
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        if const { A::GUIDED } && save_by_key(ar, |key: &K| self.get(key))? {
            return Ok(());
        }
        ar.map(Self::SHAPE, self.len(), &mut Entries(self.iter()))
    }
}

impl<K, V, S> Map for IndexMap<K, V, S>
where
    K: Element + Save + Eq + Hash,
    V: Element,
    S: BuildHasher,
{
}

impl<K, V, S: Default> Blank for IndexMap<K, V, S> {
    fn blank(_: &Options<'_>) -> Self {
        IndexMap::default()
    }
}

impl<T: Element + Save + Eq + Hash, S: BuildHasher> Serialize for IndexSet<T, S> {
    const SHAPE: &'static Shape = &Shape::Seq(shape_of::<T>(), "a set");
    const ABOUT: &'static About = &About::generic("IndexSet");

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.save(ar);
        }
        check_whole(ar)?;
        self.clear();
        let add = |item| self.insert(item);
        ar.seq(Self::SHAPE, 0, &mut set::Load::new(add))
    }
}

impl<T: Element + Save + Eq + Hash, S: BuildHasher> Save for IndexSet<T, S> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.seq(Self::SHAPE, self.len(), &mut Items(self.iter()))
    }
}

impl<T, S: Default> Blank for IndexSet<T, S> {
    fn blank(_: &Options<'_>) -> Self {
        IndexSet::default()
    }
}
