//! Enums.

use std::fmt;

use archive_core::bridge::{self, Place};
use archive_core::{
    Enum, Error, ErrorKind, Payload, PayloadOf, Result, Shape, Value, Variants, Walk,
};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, VariantAccess, Visitor};

use super::key::within;
use super::value::Seed;
use super::visit::{Wanted, first_key, next_key};
use crate::shared::{Shared, Tree};
use crate::tree::{Skip, gather_map, is_own_name};

/// Expects a variant.
pub(crate) struct Choice<'b, B> {
    pub(crate) info: &'static Enum,
    pub(crate) body: &'b mut B,
}

impl<B: Variants> Wanted for Choice<'_, B> {
    type Out = ();

    fn tree(self, tree: Tree, shared: &mut Shared<'_>) -> Result {
        shared.load_tree(tree, |ar| ar.variant(self.info, self.body))
    }

    /// Reads the name of a variant without a payload.
    fn text(self, text: &str, shared: &mut Shared<'_>) -> Result {
        match self.info.find(text) {
            Some(index) if matches!(self.info.variants[index].payload, Payload::Unit) => {
                self.body.select(index, shared.options)
            }
            _ => self.tree(Value::from(text).into(), shared),
        }
    }

    /// Reads an object with one member, whose name is that of the variant and whose value is the
    /// payload; or an object with a tag.
    fn map<'de, A: MapAccess<'de>>(self, map: A, shared: &mut Shared<'_>) -> Result {
        let (first, mut map) = first_key(map, shared)?;
        let name = match first {
            // Which form it is, and where the tag is, is known only at the end of the object.
            Some(Value::Str(name)) if !is_own_name(&name) && self.info.tag.is_none() => name,
            first => {
                let tree = gather_map(first, map, shared)?;
                return self.tree(tree, shared);
            }
        };
        let Choice { info, body } = self;
        shared.session.enter(shared.options)?;
        match info.find(&name) {
            Some(index) => {
                body.select(index, shared.options)?;
                let variant = &info.variants[index];
                if let Some(shape) = payload(&variant.payload) {
                    let mut payload = PayloadOf(body);
                    within(Place::Variant(variant.name), shared, |shared| {
                        let seed = Seed { body: &mut payload, shape, shared: &mut *shared };
                        map.next_value_seed(seed).map_err(|theirs| shared.refused(theirs))
                    })
                    .map_err(|error| {
                        bridge::other_payload(error, variant).in_variant(info, variant)
                    })?;
                } else {
                    let found = map.next_value_seed(IsNull(shared));
                    if !found.map_err(|theirs| shared.refused(theirs))? {
                        let (session, options) = (&mut *shared.session, shared.options);
                        bridge::unknown_payload(info, variant.name, session, options)?;
                    }
                }
            }
            None => {
                take_other(&name, info, body, shared)?;
                let passed = map.next_value_seed(Skip::new(shared));
                passed.map_err(|theirs| shared.refused(theirs))?;
            }
        }
        if next_key(&mut map, shared)?.is_some() {
            let message = "a variant is an object with one member, found a second one";
            return Err(Error::new(ErrorKind::UnknownMember, message));
        }
        shared.session.leave();
        Ok(())
    }

    fn choice<'de, A: EnumAccess<'de>>(self, data: A, shared: &mut Shared<'_>) -> Result {
        let Choice { info, body } = self;
        let (index, payload_of) =
            data.variant_seed(Index(info)).map_err(|theirs| shared.refused(theirs))?;
        let index = match index {
            Ok(index) if index < info.variants.len() => index,
            Ok(index) => return Err(bridge::unknown_variant(info, &index.to_string())),
            Err(name) => return Err(bridge::unknown_variant(info, &name)),
        };
        body.select(index, shared.options)?;
        let variant = &info.variants[index];
        match payload(&variant.payload) {
            None => payload_of.unit_variant().map_err(|theirs| shared.refused(theirs))?,
            Some(shape) => {
                shared.session.enter(shared.options)?;
                let mut payload = PayloadOf(body);
                within(Place::Variant(variant.name), shared, |shared| {
                    let seed = Seed { body: &mut payload, shape, shared: &mut *shared };
                    payload_of.newtype_variant_seed(seed).map_err(|theirs| shared.refused(theirs))
                })
                .map_err(|error| bridge::other_payload(error, variant).in_variant(info, variant))?;
                shared.session.leave();
            }
        }
        Ok(())
    }
}

/// Returns the shape of a payload, if there is one.
fn payload(payload: &Payload) -> Option<&'static Shape> {
    match payload {
        Payload::Unit => None,
        Payload::Newtype(shape) => Some(shape.get()),
        Payload::Tuple(_) | Payload::Struct(_) => Some(&Shape::Dyn),
    }
}

/// Selects the fallback variant for a name that no variant has.
fn take_other<B: Variants>(
    name: &str,
    info: &'static Enum,
    body: &mut B,
    shared: &mut Shared<'_>,
) -> Result {
    if !body.select_other(name, shared.options) {
        return Err(bridge::unknown_variant(info, name));
    }
    bridge::unknown_variant_taken(name, shared.session, shared.options)
}

/// Reads which variant it is: its index, or a name that no variant has.
struct Index(&'static Enum);

impl<'de> DeserializeSeed<'de> for Index {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Index {
    type Value = Result<usize, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a variant of `{}`", self.0.name())
    }
    fn visit_u64<E>(self, index: u64) -> Result<Self::Value, E> {
        Ok(Ok(usize::try_from(index).unwrap_or(usize::MAX)))
    }
    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.find(name).ok_or_else(|| name.to_owned()))
    }
}

/// Skips a value, and returns whether it was null.
struct IsNull<'a, 's>(&'a mut Shared<'s>);

impl<'de> DeserializeSeed<'de> for IsNull<'_, '_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<bool, D::Error> {
        from.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for IsNull<'_, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an option")
    }
    fn visit_none<E>(self) -> Result<bool, E> {
        Ok(true)
    }
    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(true)
    }
    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<bool, D::Error> {
        Skip::new(self.0).deserialize(from)?;
        Ok(false)
    }
}
