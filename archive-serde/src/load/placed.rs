//! [`Placed`]: the members of an object being loaded, by position.

use std::fmt;

use archive_core::bridge::{self, Place};
use archive_core::{Body, Keyed, Member, Result, Shape, Value, Walk};
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};

use super::key::{count, within};
use super::value::Seed;
use crate::archives::{parts, way};
use crate::shared::Shared;
use crate::tree::{DescribedSeed, Skip};

/// The members of an object in a sequence, each at its position.
pub(crate) struct Placed<'a, 's, A> {
    seq: A,
    at: usize,
    shared: &'a mut Shared<'s>,
}

impl<'a, 's, 'de, A: SeqAccess<'de>> Placed<'a, 's, A> {
    pub(crate) fn new(seq: A, shared: &'a mut Shared<'s>) -> Self {
        Placed { seq, at: 0, shared }
    }

    /// Returns whether the version has a position.
    pub(crate) fn has_versions(&self) -> bool {
        !self.shared.manner.describes
    }

    pub(crate) fn read_version(&mut self) -> Result<u32> {
        let version = self.seq.next_element::<u32>();
        let version = version.map_err(|theirs| self.shared.refused(theirs))?;
        Ok(version.unwrap_or(0))
    }

    /// Loads the member at the next position; returns `false` if there is none.
    fn load<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result<bool> {
        let seq = &mut self.seq;
        let mut found = false;
        within(Place::Member(name), self.shared, |shared| {
            let seed = Seed { body, shape, shared: &mut *shared };
            found = seq.next_element_seed(seed).map_err(|theirs| shared.refused(theirs))?.is_some();
            Ok(())
        })?;
        self.at += 1;
        Ok(found)
    }

    /// Skips members that were added later.
    pub(crate) fn close(mut self) -> Result {
        while self.shared.manner.describes {
            let next = self.seq.next_element_seed(Skip::new(self.shared));
            if next.map_err(|theirs| self.shared.refused(theirs))?.is_none() {
                break;
            }
            let (session, options) = (&mut *self.shared.session, self.shared.options);
            bridge::unknown_member(&format!("#{}", self.at), None, session, options)?;
            self.at += 1;
        }
        Ok(())
    }
}

impl<'de, A: SeqAccess<'de>> archive_core::Visitor for Placed<'_, '_, A> {
    parts!(loading, no scalars);
}

impl<'de, A: SeqAccess<'de>> Walk for Placed<'_, '_, A> {
    way!(loading);
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        bridge::check_name(name)?;
        if self.load(name, shape, body)? {
            return Ok(());
        }
        bridge::absent(self.shared.session, self.shared.options, name)
    }
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if self.load(info.name, info.shape.get(), body)? {
            return Ok(());
        }
        bridge::absent_member(self.shared.session, self.shared.options, info)
    }
    /// After the members with positions come those whose names are data, each with its name.
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        if self.shared.manner.describes {
            return Ok(false); // items of an array have no names
        }
        let next = self.seq.next_element_seed(NamedTree(&mut *self.shared));
        let Some((name, value)) = next.map_err(|theirs| self.shared.refused(theirs))? else {
            return Ok(false);
        };
        count(self.shared).map_err(|error| error.in_member(&name))?;
        body.key(&name);
        within(Place::Member(&name), self.shared, |shared| {
            shared.load_tree(value.into(), |ar| body.load(ar))
        })?;
        Ok(true)
    }
}

/// Reads a name and a value that stores its types.
struct NamedTree<'a, 's>(&'a mut Shared<'s>);

impl<'de> DeserializeSeed<'de> for NamedTree<'_, '_> {
    type Value = (String, Value);

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_tuple(2, self)
    }
}

impl<'de> Visitor<'de> for NamedTree<'_, '_> {
    type Value = (String, Value);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name and a value")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        use serde::de::Error;
        let missing = || A::Error::custom("an incomplete pair of a name and a value");
        let name = seq.next_element()?.ok_or_else(missing)?;
        let value = seq.next_element_seed(DescribedSeed::new(self.0))?;
        Ok((name, value.ok_or_else(missing)?))
    }
}
