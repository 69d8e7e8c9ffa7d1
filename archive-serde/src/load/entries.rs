//! [`Entries`]: the entries of a map being loaded.

use archive_core::{Archive, Body, Result, Shape, Value, Visitor, Walk};
use serde::de::{MapAccess, SeqAccess};

use super::items::Seq;
use super::key::{count, load_key, within};
use super::value::Seed;
use super::visit::{Wanted, first_key, next_key};
use crate::archives::{parts, way};
use crate::shared::{Shared, Tree, item_shape};
use crate::tree::{gather_map, is_own_name};
use archive_core::bridge::Place;

/// Expects a map.
pub(crate) struct Map<'b, B> {
    pub(crate) shape: &'static Shape,
    pub(crate) len: usize,
    pub(crate) body: &'b mut B,
}

impl<B: Body> Wanted for Map<'_, B> {
    type Out = ();

    fn tree(self, tree: Tree, shared: &mut Shared<'_>) -> Result {
        shared.load_tree(tree, |ar| ar.map(self.shape, self.len, self.body))
    }

    /// Reads a sequence of pairs.
    fn seq<'de, A: SeqAccess<'de>>(self, seq: A, shared: &mut Shared<'_>) -> Result {
        Seq { shape: self.shape, len: self.len, body: self.body }.seq(seq, shared)
    }

    fn map<'de, A: MapAccess<'de>>(self, map: A, shared: &mut Shared<'_>) -> Result {
        let (next, map) = if shared.manner.describes {
            let (next, map) = first_key(map, shared)?;
            if matches!(&next, Some(Value::Str(name)) if is_own_name(name)) {
                let tree = gather_map(next, map, shared)?;
                return self.tree(tree, shared);
            }
            (next, map)
        } else {
            (None, map)
        };
        let Map { shape, body, .. } = self;
        shared.session.enter(shared.options)?;
        shared.hint(map.size_hint());
        body.run(&mut Entries { map, next, shape, shared })?;
        shared.session.leave();
        Ok(())
    }
}

/// The entries of a map.
struct Entries<'a, 's, A> {
    map: A,
    /// The key that comes next, in formats that describe themselves.
    next: Option<Value>,
    shape: &'static Shape,
    shared: &'a mut Shared<'s>,
}

impl<'de, A: MapAccess<'de>> Visitor for Entries<'_, '_, A> {
    parts!(loading, no scalars);
    fn size_hint(&self) -> usize {
        self.shared.session.current.size_hint
    }
}

impl<'de, A: MapAccess<'de>> Walk for Entries<'_, '_, A> {
    way!(loading);
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        let (map, shape) = (&mut self.map, item_shape(self.shape, 1));
        let mut load = |shared: &mut Shared<'_>| {
            map.next_value_seed(Seed { body: value, shape, shared: &mut *shared })
                .map_err(|theirs| shared.refused(theirs))
        };
        let enter = |shared: &mut Shared<'_>| {
            count(shared)?;
            shared.session.enter_entry(shared.options)
        };
        if !self.shared.manner.describes {
            let mut key = Entered(key);
            let shape_of_key = item_shape(self.shape, 0);
            let seed = Seed { body: &mut key, shape: shape_of_key, shared: self.shared };
            let found = self.map.next_key_seed(seed);
            let found = found.map_err(|theirs| self.shared.refused(theirs).in_item(0));
            if found.map_err(|error| error.in_item(index))?.is_none() {
                return Ok(false);
            }
            let counted = self.shared.count_empty(false, index);
            counted.map_err(|error| error.in_item(index))?;
            let map = &mut self.map;
            within(Place::Item(index), self.shared, |shared| {
                within(Place::Item(1), shared, |shared| {
                    map.next_value_seed(Seed { body: value, shape, shared: &mut *shared })
                        .map_err(|theirs| shared.refused(theirs))
                })
            })?;
            self.shared.session.leave();
            return Ok(true);
        }
        match self.next.take() {
            None => return Ok(false),
            Some(Value::Str(name)) => within(Place::Key(&name), self.shared, |shared| {
                enter(shared)?;
                load_key(Value::from(&*name), key, shared)?;
                load(shared)
            })?,
            Some(found) => within(Place::Item(index), self.shared, |shared| {
                enter(shared)?;
                within(Place::Item(0), shared, |shared| load_key(found, key, shared))?;
                within(Place::Item(1), shared, |shared| load(shared))
            })?,
        }
        self.shared.session.leave();
        self.next = next_key(&mut self.map, self.shared)?;
        Ok(true)
    }
}

/// The key of an entry; loading it enters the entry.
struct Entered<'a, K>(&'a mut K);

impl<K: Body> Body for Entered<'_, K> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (session, options) = ar.parts_mut();
        session.count(options)?;
        session.enter_entry(options)?;
        self.0.run(ar)
    }
}
