//! Maps that are loaded over their old entries, so that the memory of keys and values is reused.
// Why: docs/decisions/loading-values.md#a-map-is-loaded-over-its-old-entries

use std::cell::RefCell;

use super::in_place::ByKey;
use crate::model::error::Result;
use crate::visit::archive::Archive;
use crate::visit::blank::{Element, Fresh};
use crate::visit::body::Body;
use crate::visit::session::Visited;

/// A map whose entries can be loaded over.
pub(super) trait Reuses: ByKey {
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Removes the entries whose values were not visited.
    fn keep(&mut self, visited: &Visited);
}

/// Returns whether entries of such a map are loaded over old ones. The old key remains, so it must
/// be the same as an equal one of the file. Values without a size have no addresses of their own.
pub(super) const fn reuses<M: ByKey>() -> bool {
    <M::Key as Fresh>::SAME && size_of::<M::Value>() > 0
}

/// Loads entries over the old ones with the same keys. Nothing of the other old entries remains.
pub(super) fn load<M: Reuses, A: Archive>(map: &mut M, ar: &mut A) -> Result {
    let (session, options) = ar.parts_mut();
    let mut visited = session.spare.visited();
    let room = session.reserve(map.len(), Visited::SIZE, options);
    visited.reserve(room);
    let mut entries = Entries { map, visited, over: true };
    let done = ar.map(M::MAP, 0, &mut entries);
    entries.leave();
    let session = ar.session_mut();
    session.filled(room, room, Visited::SIZE);
    session.spare.keep_visited(entries.visited);
    done
}

/// The entries of a map that is loaded over.
struct Entries<'a, M> {
    map: &'a mut M,
    visited: Visited,
    /// Whether all entries so far were loaded over old ones.
    over: bool,
}

impl<M: Reuses> Entries<'_, M> {
    /// Removes the old entries that were not loaded over.
    fn leave(&mut self) {
        if self.over && self.visited.len() < self.map.len() {
            self.map.keep(&self.visited);
        }
        self.over = false;
    }
}

impl<M: Reuses> Body for Entries<'_, M> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut index = 0;
        loop {
            let key = RefCell::new(None);
            let mut value = Value { entries: &mut *self, key: &key, new: None };
            if !ar.entry(index, &mut Key(&key), &mut value)? {
                return Ok(());
            }
            let new = value.new;
            match (key.into_inner(), new) {
                (Some(key), None) => key.spare_element(ar.session_mut()),
                (Some(key), Some(value)) => {
                    self.leave();
                    self.map.add(key, value).map_err(|error| error.in_item(index))?;
                }
                (None, _) => {}
            }
            index += 1;
        }
    }
}

/// A key, which is needed when its value is loaded.
struct Key<'a, K>(&'a RefCell<Option<K>>);

impl<K: Element> Body for Key<'_, K> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let key = K::load_spare_element(ar)?;
        self.0.replace(Some(key));
        Ok(())
    }
}

/// The value of the entry with the key that was loaded before it.
struct Value<'a, 'm, M: ByKey> {
    entries: &'a mut Entries<'m, M>,
    key: &'a RefCell<Option<M::Key>>,
    new: Option<M::Value>,
}

impl<M: Reuses> Body for Value<'_, '_, M> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let Entries { map, visited, over } = &mut *self.entries;
        let key = self.key.borrow();
        let old = key.as_ref().filter(|_| *over).and_then(|key| map.find(key));
        match old.filter(|old| !visited.contains(*old)) {
            Some(old) => {
                old.load_element_over(ar)?;
                visited.insert(old);
            }
            None => self.new = Some(M::Value::load_element(ar)?),
        }
        Ok(())
    }
}
