//! Saving maps, as pairs or as an object whose names are the keys.

use super::Saving;
use crate::archive::Body;
use crate::encoder::Encoder;
use crate::error::{Error, Result};
use crate::impls::PAIR;
use crate::key;
use crate::shape::Shape;
use crate::value::CLASS;

impl<E: Encoder + ?Sized> Saving<'_, E> {
    /// Saves a map: as an object where that is asked for and the format leaves the choice.
    #[inline]
    pub(super) fn save_map<B: Body>(
        &mut self,
        shape: &'static Shape,
        len: usize,
        body: &mut B,
    ) -> Result {
        let named = self.session.names_keys(shape, self.options) && !self.encoder.fixed_shape();
        self.session.enter(self.options)?;
        if named {
            self.encoder.begin_object(&CLASS)?;
        } else {
            self.encoder.begin_map(shape, len)?;
        }
        let outer = std::mem::replace(&mut self.session.keyed, named);
        body.run(self)?;
        self.session.keyed = outer;
        if named {
            self.encoder.end_object()?;
        } else {
            self.encoder.end_seq()?;
        }
        self.session.leave();
        Ok(())
    }

    /// Saves the next entry of a map.
    #[inline]
    pub(super) fn save_entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result {
        let name = if self.session.keyed {
            Some(self.begin_member(index, key)?)
        } else {
            self.begin_pair(index, key)?;
            None
        };
        if let Err(error) = value.run(self) {
            return Err(in_entry(error, index, name.as_deref()));
        }
        if name.is_none() {
            self.encoder.end_seq()?;
        }
        self.session.leave();
        Ok(())
    }

    /// Begins an entry that is a sequence of key and value.
    #[inline]
    fn begin_pair<K: Body>(&mut self, index: usize, key: &mut K) -> Result {
        self.session.count(self.options).map_err(|error| error.in_item(index))?;
        self.encoder.item()?;
        self.begin_seq(PAIR, 2).map_err(|error| error.in_item(index))?;
        self.encoder.item()?;
        key.run(self).map_err(|error| error.in_item(0).in_item(index))?;
        self.encoder.item()
    }

    /// Begins an entry that is a member with the name of the key.
    fn begin_member<K: Body>(&mut self, index: usize, key: &mut K) -> Result<String> {
        let name = key::name(key, self.session, self.options);
        let name = name.map_err(|error| error.in_item(index))?;
        match self.enter_member(&name) {
            Ok(()) => Ok(name),
            Err(error) => Err(error.in_member(&name)),
        }
    }

    /// A member that is an entry counts as the pair that it is elsewhere.
    fn enter_member(&mut self, name: &str) -> Result {
        self.session.count(self.options)?;
        self.encoder.member(name, &Shape::Any)?;
        self.session.enter_entry(self.options)
    }
}

#[cold]
fn in_entry(error: Error, index: usize, name: Option<&str>) -> Error {
    match name {
        Some(name) => error.in_member(name),
        None => error.in_item(1).in_item(index),
    }
}
