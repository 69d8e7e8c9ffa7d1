//! Maps that are changed in place.

use std::cell::RefCell;

use super::duplicate;
use crate::format::key;
use crate::format::key::Shown;
use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::types::impls::late::{Digest, check_borrows};
use crate::visit::archive::Archive;
use crate::visit::blank::Element;
use crate::visit::body::{Body, New, Nothing};
use crate::visit::guide::{ListChange, Route};
use crate::visit::serialize::Save;
use crate::visit::walk::{check_whole, route, stays};

/// A map that finds the entry of a key.
pub(crate) trait ByKey {
    /// The shape of the map.
    const MAP: &'static Shape;
    /// Returns a number that depends on the comparisons of the keys. `None` if the keys contain no
    /// pointers.
    const DIGEST: Option<Digest<(Self::Key, Self::Value)>> = None;
    type Key: Element + Save;
    type Value: Element;

    /// Returns the key that a name in a path denotes.
    fn key(name: &str, options: &Options<'_>) -> Result<Self::Key> {
        key::load(name, options)
    }
    fn find(&mut self, key: &Self::Key) -> Option<&mut Self::Value>;
    /// Adds an entry. It replaces an existing one with the same key.
    ///
    /// # Errors
    /// Returns [an error](duplicate) if there was an entry with that key.
    fn add(&mut self, key: Self::Key, value: Self::Value) -> Result;
    fn remove(&mut self, key: &Self::Key) -> Option<Self::Value>;
    fn clear(&mut self);
    fn keys(&self) -> impl Iterator<Item = &Self::Key>;
    /// Replaces the content by these entries, in this order if the map is ordered. An entry without
    /// a value keeps its old value.
    fn arrange(&mut self, entries: Vec<(Self::Key, Option<Self::Value>)>) {
        let value_of = |(key, value): (Self::Key, Option<Self::Value>)| {
            value.or_else(|| self.remove(&key)).map(|value| (key, value))
        };
        let entries: Vec<_> = entries.into_iter().filter_map(value_of).collect();
        self.clear();
        for (key, value) in entries {
            // Of two entries with the same key, the last one is kept.
            let _ = self.add(key, value);
        }
    }
}

/// Loads over a map, if the archive changes it in place: the entry on the path, or all entries,
/// each over the old one with the same key. Returns `false` if the map is loaded as a new one.
pub(crate) fn load_in_place<M: ByKey, A: Archive>(map: &mut M, ar: &mut A) -> Result<bool> {
    let Some(route) = route(ar) else {
        return if stays(ar) { load_over(map, ar).map(|()| true) } else { Ok(false) };
    };
    let Some(name) = route.name() else {
        return Err(route.refuse("an entry of a map is changed by its key, not by its index"));
    };
    let (name, change) = (name.to_string(), route.list_change());
    change_entry(map, &name, change, ar).map(|()| true)
}

/// Loads entries over the existing ones. If one of them cannot be loaded, no entry is added or
/// removed.
fn load_over<M: ByKey, A: Archive>(map: &mut M, ar: &mut A) -> Result {
    check_borrows(map.keys(), ar)?;
    let mut over = Over { map, entries: Vec::new() };
    ar.map(M::MAP, 0, &mut over)?;
    over.map.arrange(over.entries);
    Ok(())
}

/// The entries of a map that is changed in place.
struct Over<'a, M: ByKey> {
    map: &'a mut M,
    entries: Vec<(M::Key, Option<M::Value>)>,
}

impl<M: ByKey> Body for Over<'_, M> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut index = 0;
        loop {
            let key = RefCell::new(None);
            let mut value = OverValue { map: &mut *self.map, key: &key, new: None };
            if !ar.entry(index, &mut KeyInto(&key), &mut value)? {
                return Ok(());
            }
            let new = value.new;
            self.entries.extend(key.into_inner().map(|key| (key, new)));
            index += 1;
        }
    }
}

/// A key, which is needed when its value is loaded.
struct KeyInto<'a, K>(&'a RefCell<Option<K>>);

impl<K: Element + Save> Body for KeyInto<'_, K> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let key = K::load_element(ar)?;
        check_borrows(std::iter::once(&key), ar)?;
        self.0.replace(Some(key));
        Ok(())
    }
}

/// The value of the entry with the key that was loaded before it.
struct OverValue<'a, M: ByKey> {
    map: &'a mut M,
    key: &'a RefCell<Option<M::Key>>,
    new: Option<M::Value>,
}

impl<M: ByKey> Body for OverValue<'_, M> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match self.key.borrow().as_ref().and_then(|key| self.map.find(key)) {
            Some(value) => value.load_element_over(ar),
            None => {
                self.new = Some(M::Value::load_element(ar)?);
                Ok(())
            }
        }
    }
}

fn change_entry<M: ByKey, A: Archive>(
    map: &mut M,
    name: &str,
    change: Option<ListChange>,
    ar: &mut A,
) -> Result {
    let key = M::key(name, ar.options()).map_err(|error| error.in_member(name))?;
    match (map.find(&key), change) {
        (Some(mut value), None) => ar.slot(name, &Shape::Any, &mut value),
        (Some(_), Some(ListChange::Remove)) => {
            ar.slot(name, &Shape::Any, &mut Nothing)?;
            map.remove(&key);
            Ok(())
        }
        (Some(_), Some(ListChange::Insert)) => Err(duplicate(Shown::default()).in_member(name)),
        (None, Some(ListChange::Insert)) => {
            let mut value = New(None);
            ar.slot(name, &Shape::Any, &mut value)?;
            map.add(key, value.take()?)
        }
        (_, Some(ListChange::Move(_))) => check_whole(ar),
        (None, None | Some(ListChange::Remove)) => Ok(()),
    }
}

/// Saves the entry whose key is on the path. Returns `false` if there is no path.
pub(crate) fn save_by_key<'a, K: Element, V: Save + 'a, A: Archive>(
    ar: &mut A,
    find: impl FnOnce(&K) -> Option<&'a V>,
) -> Result<bool> {
    let Some(name) = route(ar).and_then(Route::name).map(|name| name.to_string()) else {
        return Ok(false);
    };
    let Ok(key) = key::load(&name, ar.options()) else { return Ok(true) };
    match find(&key) {
        Some(mut value) => ar.slot(&name, &Shape::Any, &mut value).map(|()| true),
        None => Ok(true),
    }
}
