//! Maps: stored as sequences of key and value pairs. Hash maps are written in the order of their
//! encoded keys, so equal maps give equal bytes. Loading also accepts an object whose member names
//! are the keys.

mod entries;
mod in_place;
mod reused;

use std::collections::{BTreeMap, HashMap, btree_map, hash_map};
use std::hash::{BuildHasher, Hash};

pub use entries::{BorrowedMap, EachEntry};
pub(crate) use in_place::{ByKey, load_in_place, save_by_key};
use reused::Reuses;

use super::late::{Digest, Key, Late, by_hash, by_order};
use super::saved_order::{Unsorted, keep_order};
use crate::format::key::Shown;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::types::field;
use crate::types::field::Map;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element};
use crate::visit::body::{Body, New, when};
use crate::visit::erased::loads;
use crate::visit::facts::BodyFacts;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Reference, Save, Serialize};
use crate::visit::session::Visited;
use crate::visit::walk::stays;

/// The entries of a map to be saved.
pub(crate) struct Entries<I>(pub(crate) I);

impl<'a, K: Save + 'a, V: Reference, I: Iterator<Item = (&'a K, V)>> Body for Entries<I> {
    const FACTS: BodyFacts =
        BodyFacts { typed: !K::SHAPE.is_any() && !V::Of::SHAPE.is_any(), ..BodyFacts::NONE };

    #[expect(clippy::while_let_on_iterator, reason = "adapters are compiled for each type of map")]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut index = 0;
        while let Some((mut key, mut value)) = self.0.next() {
            ar.entry(index, &mut key, &mut value)?;
            index += 1;
        }
        Ok(())
    }
}

/// Loads entries and passes each to the function, which returns [an error](duplicate) if there
/// already is an entry with that key.
pub(crate) struct Load<K, V, F: FnMut(K, V) -> Result> {
    pub(crate) add: F,
    /// Returns a number that depends on the comparisons of the keys. `None` if the keys are not
    /// compared.
    pub(crate) digest: Option<Digest<(K, V)>>,
}

impl<K: Element + Save, V: Element, F: FnMut(K, V) -> Result> Body for Load<K, V, F> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut late = Late::new(self.digest);
        let mut index = 0;
        loop {
            let (mut key, mut value) = (Key::new(), New(None));
            if !ar.entry(index, &mut key, &mut value)? {
                break;
            }
            // The key or the value is only missing if its error went into the report.
            if let (Some(loaded), Some(value)) = (key.key, value.0)
                && let Some((key, value)) = late.sift(key.points, index, (loaded, value))
                && let Err(error) = (self.add)(key, value)
            {
                return Err(error.in_item(index));
            }
            index += 1;
        }
        let add = &mut self.add;
        late.add(
            ar,
            |(key, _)| key,
            |index, (key, value), _| add(key, value).map_err(|error| error.in_item(index)),
        )
    }
}

/// Returns the error for a second entry with the same key.
#[cold]
pub(crate) fn duplicate(key: Shown) -> Error {
    let message = format_args!("duplicate map key{key}");
    Error::new(ErrorKind::DuplicateMember, message)
}

/// Returns the error for a second entry with the same key, which the body saves.
#[cold]
pub fn duplicate_key<B: Body>(key: &mut B) -> Error {
    duplicate(Shown::of_body(key))
}

/// Loads a map that can be loaded over its old entries.
fn load_over<M: Reuses, A: Archive>(map: &mut M, ar: &mut A) -> Result {
    if let Some(reuse) = const { when!(reused::reuses::<M>(), reused::load::<M, A>) }
        && !map.is_empty()
        && !stays(ar)
        && !ar.session().is_reporting()
    {
        return reuse(map, ar);
    }
    load(map, ar)
}

/// Loads a map: over the old one if that is edited in place, otherwise as a new one.
pub(crate) fn load<M: ByKey, A: Archive>(map: &mut M, ar: &mut A) -> Result {
    if let Some(in_place) = const { when!(A::KIND.guided, load_in_place::<M, A>) }
        && stays(ar)
        && in_place(&mut *map, &mut *ar)?
    {
        return Ok(());
    }
    map.clear();
    let add = |key, value| map.add(key, value);
    ar.map(M::MAP, 0, &mut Load { add, digest: M::DIGEST })
}

impl<K: Element + Save + Ord, V: Element> ByKey for BTreeMap<K, V> {
    const MAP: &'static Shape = <Self as Serialize>::SHAPE;
    const DIGEST: Option<Digest<(K, V)>> = Some(|entries| by_order(entries, |(key, _)| key));
    type Key = K;
    type Value = V;

    fn find(&mut self, key: &K) -> Option<&mut V> {
        self.get_mut(key)
    }
    /// Inlining this into the loop that loads entries makes the loop slower.
    #[inline(never)]
    fn add(&mut self, key: K, value: V) -> Result {
        match self.entry(key) {
            btree_map::Entry::Vacant(entry) => {
                entry.insert(value);
                Ok(())
            }
            btree_map::Entry::Occupied(mut entry) => {
                entry.insert(value);
                Err(duplicate(Shown::of(entry.key())))
            }
        }
    }
    fn remove(&mut self, key: &K) -> Option<V> {
        self.remove(key)
    }
    fn clear(&mut self) {
        self.clear();
    }
    fn keys(&self) -> impl Iterator<Item = &K> {
        self.keys()
    }
}

impl<K: Element + Save + Ord, V: Element> Reuses for BTreeMap<K, V> {
    fn len(&self) -> usize {
        self.len()
    }
    // The values move while entries are removed.
    fn keep(&mut self, visited: &Visited) {
        let keep: Vec<bool> = self.values().map(|value| visited.contains(value)).collect();
        let mut keep = keep.into_iter();
        self.retain(|_, _| keep.next().unwrap_or_default());
    }
}

impl<K: Element + Save + Ord, V: Element> Serialize for BTreeMap<K, V> {
    const SHAPE: &'static Shape = &Shape::Map(shape_of::<K>(), shape_of::<V>());
    const ABOUT: &'static About = &About::generic("BTreeMap");
    const OVERWRITES: bool = true;
    const HOLDS_VALUES: bool = V::HOLDS_VALUES;
    const MAPS: usize = field::maps::<K, V>();

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            let len = self.len();
            let entries = keep_order(self.iter_mut(), |(key, _)| *key, ar)?;
            return ar.map(Self::SHAPE, len, &mut Entries(entries));
        }
        load_over(self, ar)
    }
}

impl<K: Element + Save + Ord, V: Element + Save> Save for BTreeMap<K, V> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        if const { A::KIND.guided } && save_by_key(ar, |key| self.get(key))? {
            return Ok(());
        }
        let entries = keep_order(self.iter(), |(key, _)| *key, ar)?;
        ar.map(Self::SHAPE, self.len(), &mut Entries(entries))
    }
}

impl<K: Element + Save + Ord, V: Element> Map for BTreeMap<K, V> {}

impl<K, V> Blank for BTreeMap<K, V> {
    fn blank(_: &Options<'_>) -> Self {
        BTreeMap::new()
    }
    /// In place: the entries are loaded over those with the same keys.
    #[inline]
    fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result
    where
        Self: Serialize,
    {
        self.value(ar)
    }
}

impl<K: Element + Save + Eq + Hash, V: Element, S: BuildHasher> ByKey for HashMap<K, V, S> {
    const MAP: &'static Shape = <Self as Serialize>::SHAPE;
    const DIGEST: Option<Digest<(K, V)>> = Some(|entries| by_hash(entries, |(key, _)| key));
    type Key = K;
    type Value = V;

    fn find(&mut self, key: &K) -> Option<&mut V> {
        self.get_mut(key)
    }
    /// Inlining this into the loop that loads entries makes the loop slower.
    #[inline(never)]
    fn add(&mut self, key: K, value: V) -> Result {
        match self.entry(key) {
            hash_map::Entry::Vacant(entry) => {
                entry.insert(value);
                Ok(())
            }
            hash_map::Entry::Occupied(mut entry) => {
                entry.insert(value);
                Err(duplicate(Shown::of(entry.key())))
            }
        }
    }
    fn remove(&mut self, key: &K) -> Option<V> {
        self.remove(key)
    }
    fn clear(&mut self) {
        self.clear();
    }
    fn keys(&self) -> impl Iterator<Item = &K> {
        self.keys()
    }
}

impl<K: Element + Save + Eq + Hash, V: Element, S: BuildHasher> Reuses for HashMap<K, V, S> {
    fn len(&self) -> usize {
        self.len()
    }
    fn keep(&mut self, visited: &Visited) {
        self.retain(|_, value| visited.contains(value));
    }
}

impl<K: Element + Save + Eq + Hash, V: Element, S: BuildHasher> Serialize for HashMap<K, V, S> {
    const SHAPE: &'static Shape = &Shape::Map(shape_of::<K>(), shape_of::<V>());
    const ABOUT: &'static About = &About::generic("HashMap");
    const OVERWRITES: bool = true;
    const HOLDS_VALUES: bool = V::HOLDS_VALUES;
    const MAPS: usize = field::maps::<K, V>();

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            let len = self.len();
            let mut entries = Unsorted::new(self.iter_mut(), |(key, _)| *key, Entries);
            return ar.map(Self::SHAPE, len, &mut entries);
        }
        load_over(self, ar)
    }
}

impl<K, V, S> Save for HashMap<K, V, S>
where
    K: Element + Save + Eq + Hash,
    V: Element + Save,
    S: BuildHasher,
{
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        if const { A::KIND.guided } && save_by_key(ar, |key| self.get(key))? {
            return Ok(());
        }
        ar.map(Self::SHAPE, self.len(), &mut Unsorted::new(self.iter(), |(key, _)| *key, Entries))
    }
}

impl<K: Element + Save + Eq + Hash, V: Element, S: BuildHasher> Map for HashMap<K, V, S> {}

impl<K, V, S: Default> Blank for HashMap<K, V, S> {
    fn blank(_: &Options<'_>) -> Self {
        HashMap::default()
    }
    /// In place: the entries are loaded over those with the same keys.
    #[inline]
    fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result
    where
        Self: Serialize,
    {
        self.value(ar)
    }
}
