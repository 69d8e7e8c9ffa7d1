//! Serde's access to the contents of trees, for deserializing.

use std::vec;

use archive_core::Value;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::Refused;
use super::read::{FromTree, unescaped};

/// The items of a sequence.
pub(crate) struct Items(vec::IntoIter<Value>, bool);

impl Items {
    pub(crate) fn new(items: Vec<Value>, is_escaped: bool) -> Self {
        Items(items.into_iter(), is_escaped)
    }

    pub(crate) fn end(self) -> Result<(), Refused> {
        match self.0.len() {
            0 => Ok(()),
            more => Err(Refused::custom(format_args!("{more} unexpected items"))),
        }
    }
}

impl<'de> SeqAccess<'de> for &mut Items {
    type Error = Refused;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Refused> {
        let next = self.0.next();
        next.map(|item| seed.deserialize(FromTree::of(item, self.1))).transpose()
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The entries of a map.
pub(crate) struct Entries {
    list: vec::IntoIter<(Value, Value)>,
    value: Option<Value>,
    is_escaped: bool,
    are_names: bool,
}

impl Entries {
    pub(crate) fn new(list: Vec<(Value, Value)>, is_escaped: bool) -> Self {
        Entries { list: list.into_iter(), value: None, is_escaped, are_names: true }
    }

    /// Creates entries whose keys are not names.
    pub(crate) fn pairs(list: Vec<(Value, Value)>, is_escaped: bool) -> Self {
        Entries { list: list.into_iter(), value: None, is_escaped, are_names: false }
    }

    pub(crate) fn end(self) -> Result<(), Refused> {
        match self.list.len() {
            0 => Ok(()),
            more => Err(Refused::custom(format_args!("{more} unexpected entries"))),
        }
    }
}

impl<'de> MapAccess<'de> for &mut Entries {
    type Error = Refused;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Refused> {
        let Some((key, value)) = self.list.next() else { return Ok(None) };
        self.value = Some(value);
        let key = match key {
            Value::Str(name) if self.are_names => {
                Value::Str(unescaped(&name, self.is_escaped).to_owned())
            }
            key => key,
        };
        seed.deserialize(FromTree::of(key, self.is_escaped)).map(Some)
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Refused> {
        let value = self.value.take().unwrap_or_default();
        seed.deserialize(FromTree::of(value, self.is_escaped))
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len())
    }
}

/// A variant with a payload.
pub(crate) struct Choice {
    pub(crate) name: String,
    pub(crate) payload: Value,
    pub(crate) is_escaped: bool,
}

impl<'de> EnumAccess<'de> for Choice {
    type Error = Refused;
    type Variant = Payload;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Payload), Refused> {
        let name = Value::from(unescaped(&self.name, self.is_escaped));
        let value = seed.deserialize(FromTree::of(name, self.is_escaped))?;
        Ok((value, Payload(FromTree::of(self.payload, self.is_escaped))))
    }
}

/// What a variant carries.
pub(crate) struct Payload(FromTree);

impl<'de> VariantAccess<'de> for Payload {
    type Error = Refused;

    fn unit_variant(self) -> Result<(), Refused> {
        if self.0.tree.is_null() {
            return Ok(());
        }
        Err(Refused::custom("the variant has no data in the program"))
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Refused> {
        seed.deserialize(self.0)
    }
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Refused> {
        self.0.deserialize_seq(visitor)
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        self.0.deserialize_any(visitor)
    }
}
