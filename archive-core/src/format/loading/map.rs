//! Loads maps, from pairs or from an object whose member names are the keys.

use super::Loading;
use crate::format::decoder::{Decoder, MapForm};
use crate::format::key::KeyDecoder;
use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::visit::archive::Archive;
use crate::visit::body::Body;
use crate::visit::session::Place;
use crate::visit::walk::Walk;

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Loads a map, in either form.
    pub(super) fn load_map<B: Body>(&mut self, shape: &'static Shape, body: &mut B) -> Result {
        self.session.enter(self.options)?;
        let form = self.decoder.begin_map(shape)?;
        let outer = std::mem::replace(&mut self.session.current.keyed, form == MapForm::Object);
        self.session.current.size_hint = if let MapForm::Pairs(hint) = form { hint } else { 0 };
        body.run(self)?;
        self.session.current.keyed = outer;
        match form {
            MapForm::Object => self.decoder.end_object(&mut |_| Ok(()))?,
            MapForm::Pairs(_) => self.decoder.end_seq()?,
        }
        self.session.leave();
        Ok(())
    }

    /// Loads the next entry of a map.
    pub(super) fn load_entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        if !self.session.current.keyed {
            return self.item(index, &mut crate::visit::serialize::bodies::Pair(key, value));
        }
        let Some(name) = self.decoder.next_key()? else { return Ok(false) };
        let mut text = self.session.spare.text();
        text.push_str(&name);
        let name = text;
        let place = Some(Place::Key(&name));
        self.session.count(self.options).map_err(|error| self.prefix_error(error, place))?;
        let loaded = self.load_at(place, &mut Entry(&name, key, value));
        self.session.current.keyed = true;
        self.session.spare.keep_text(name);
        loaded.map(|()| true)
    }
}

/// An entry whose key is the name of a member.
struct Entry<'a, K, V>(&'a str, &'a mut K, &'a mut V);

impl<K: Body, V: Body> Body for Entry<'_, K, V> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (session, options) = ar.parts_mut();
        session.current.keyed = false;
        session.enter_entry(options)?;
        let mut text = KeyDecoder::new(self.0);
        self.1.run(&mut Loading::new(&mut text, session, options))?;
        self.2.run(ar)?;
        ar.session_mut().leave();
        Ok(())
    }
}
