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
use crate::types::impls::late::{Digest, by_hash};
use crate::types::impls::map::{ByKey, Entries, duplicate, save_by_key};
use crate::types::impls::set::set;
use crate::types::impls::{Items, map};
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element};
use crate::visit::erased::loads;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};

impl<K, V, S> ByKey for IndexMap<K, V, S>
where
    K: Element + Save + Eq + Hash,
    V: Element,
    S: BuildHasher,
{
    const MAP: &'static Shape = <Self as Serialize>::SHAPE;
    const DIGEST: Option<Digest<(K, V)>> = Some(|entries| by_hash(entries, |(key, _)| key));
    type Key = K;
    type Value = V;

    fn find(&mut self, key: &K) -> Option<&mut V> {
        self.get_mut(key)
    }
    fn add(&mut self, key: K, value: V) -> Result {
        match self.insert_full(key, value) {
            (_, None) => Ok(()),
            (index, Some(_)) => {
                let key = self.get_index(index).map(|(key, _)| Shown::of(key));
                Err(duplicate(key.unwrap_or_default()))
            }
        }
    }
    fn remove(&mut self, key: &K) -> Option<V> {
        self.shift_remove(key)
    }
    fn clear(&mut self) {
        self.clear();
    }
    fn keys(&self) -> impl Iterator<Item = &K> {
        self.keys()
    }
    /// Removing the entries one by one would move all entries after each of them.
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
        map::load(self, ar)
    }
}

impl<K, V, S> Save for IndexMap<K, V, S>
where
    K: Element + Save + Eq + Hash,
    V: Element + Save,
    S: BuildHasher,
{
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        if const { A::KIND.guided } && save_by_key(ar, |key: &K| self.get(key))? {
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

set!("IndexSet" IndexSet<T, S>, [T, S: BuildHasher], [Eq + Hash], by_hash, |set, ar| {
    ar.seq(Self::SHAPE, set.len(), &mut Items(set.iter()))
});

impl<T, S: Default> Blank for IndexSet<T, S> {
    fn blank(_: &Options<'_>) -> Self {
        IndexSet::default()
    }
}
