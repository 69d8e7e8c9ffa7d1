//! Saves maps, as pairs or as an object whose member names are the keys.
// Why: docs/decisions/members-and-evolution.md#a-map-becomes-an-object-where-it-is-saved

use super::Saving;
use crate::format::encoder::Encoder;
use crate::format::key;
use crate::model::error::Result;
use crate::model::shape::{OBJECT, Shape};
use crate::visit::body::Body;

impl<E: Encoder + ?Sized> Saving<'_, E> {
    /// Saves a map: as an object if this is requested and the format leaves the choice.
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
            self.encoder.begin_object(&OBJECT)?;
        } else {
            self.encoder.begin_map(shape, len)?;
        }
        let outer = std::mem::replace(&mut self.session.current.keyed, named);
        body.run(self)?;
        self.session.current.keyed = outer;
        if named {
            self.encoder.end_object()?;
        } else {
            self.encoder.end_seq()?;
        }
        self.session.leave();
        Ok(())
    }

    /// Saves the next entry of a map as a member of an object, named by the key. The entry counts
    /// against the limits like a pair in a list of pairs. The function is cold, so that maps of
    /// pairs need no more instructions.
    #[cold]
    pub(super) fn save_member<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result {
        let name = key::name(key, self.session, self.options);
        let name = name.map_err(|error| error.in_item(index))?;
        let saved = self.enter_member(&name).and_then(|()| value.run(self));
        if let Err(error) = saved {
            return Err(error.in_member(&name));
        }
        self.session.leave();
        Ok(())
    }

    fn enter_member(&mut self, name: &str) -> Result {
        self.session.count(self.options)?;
        self.encoder.member(name, &Shape::Any)?;
        self.session.enter_entry(self.options)
    }
}
