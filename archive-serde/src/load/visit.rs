//! [`Visit`]: a visitor that accepts any value, and passes it to a [`Wanted`].

use std::fmt;

use archive_core::{Result, Value};
use serde::de::{Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};

use super::kept::Kept;
use crate::shared::{Shared, Tree};
use crate::tree::{TreeSeed, gather_map, gather_seq};

/// The expected kind of value, with a method for each kind that may come.
pub(crate) trait Wanted: Sized {
    /// The result of reading the value.
    type Out;

    /// Takes a scalar or a value of an unexpected kind, by the rules of all formats.
    fn tree(self, tree: Tree, shared: &mut Shared<'_>) -> Result<Self::Out>;

    /// Takes a truth value.
    fn bool(self, value: bool, shared: &mut Shared<'_>) -> Result<Self::Out> {
        self.tree(Value::Bool(value).into(), shared)
    }

    /// Takes text.
    fn text(self, text: &str, shared: &mut Shared<'_>) -> Result<Self::Out> {
        self.tree(Value::from(text).into(), shared)
    }

    /// Takes a sequence.
    fn seq<'de, A: SeqAccess<'de>>(self, seq: A, shared: &mut Shared<'_>) -> Result<Self::Out> {
        let tree = gather_seq(seq, shared)?;
        self.tree(tree, shared)
    }

    /// Takes a map.
    fn map<'de, A: MapAccess<'de>>(self, map: A, shared: &mut Shared<'_>) -> Result<Self::Out> {
        let (first, map) = first_key(map, shared)?;
        let tree = gather_map(first, map, shared)?;
        self.tree(tree, shared)
    }

    /// Takes a variant, from formats that do not describe themselves.
    fn choice<'de, A: EnumAccess<'de>>(
        self,
        data: A,
        shared: &mut Shared<'_>,
    ) -> Result<Self::Out> {
        let _ = data;
        self.tree(Value::Null.into(), shared)
    }

    /// Takes the value of an option. An error of this library is stashed.
    fn some<'de, D: Deserializer<'de>>(
        self,
        from: D,
        shared: &mut Shared<'_>,
    ) -> Result<Self::Out, D::Error> {
        ask(self, from, shared)
    }
}

/// Reads the first key of a map.
pub(crate) fn first_key<'de, A: MapAccess<'de>>(
    mut map: A,
    shared: &mut Shared<'_>,
) -> Result<(Option<Value>, A)> {
    let key = next_key(&mut map, shared)?;
    Ok((key, map))
}

/// Reads the next key of a map.
pub(crate) fn next_key<'de, A: MapAccess<'de>>(
    map: &mut A,
    shared: &mut Shared<'_>,
) -> Result<Option<Value>> {
    let mut ignored = false;
    let key = map.next_key_seed(TreeSeed::new(shared, &mut ignored));
    key.map_err(|theirs| shared.refused(theirs))
}

/// Reads a value of any type.
pub(crate) fn ask<'de, W: Wanted, D: Deserializer<'de>>(
    wanted: W,
    from: D,
    shared: &mut Shared<'_>,
) -> Result<W::Out, D::Error> {
    from.deserialize_any(Visit(wanted, shared))
}

/// The visitor.
pub(crate) struct Visit<'a, 's, W>(pub(crate) W, pub(crate) &'a mut Shared<'s>);

impl<W: Wanted> Visit<'_, '_, W> {
    fn take<E: serde::de::Error>(self, value: impl Into<Value>) -> Result<W::Out, E> {
        let outcome = self.0.tree(value.into().into(), self.1);
        outcome.map_err(|error| E::custom(self.1.stash_error(error)))
    }
}

macro_rules! visit {
    ($($name:ident: $ty:ty;)*) => { $(
        fn $name<E: serde::de::Error>(self, value: $ty) -> Result<W::Out, E> {
            self.take(value)
        }
    )* };
}

impl<'de, W: Wanted> Visitor<'de> for Visit<'_, '_, W> {
    type Value = W::Out;

    visit! {
        visit_i8: i8; visit_i16: i16; visit_i32: i32; visit_i64: i64;
        visit_i128: i128; visit_u8: u8; visit_u16: u16; visit_u32: u32; visit_u64: u64;
        visit_u128: u128; visit_f32: f32; visit_f64: f64; visit_char: char;
        visit_string: String;
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of the type being loaded")
    }
    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<W::Out, E> {
        self.0.bool(value, self.1).map_err(|error| E::custom(self.1.stash_error(error)))
    }
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<W::Out, E> {
        self.0.text(text, self.1).map_err(|error| E::custom(self.1.stash_error(error)))
    }
    fn visit_bytes<E: serde::de::Error>(self, value: &[u8]) -> Result<W::Out, E> {
        self.take(Value::Bytes(value.to_vec()))
    }
    fn visit_byte_buf<E: serde::de::Error>(self, value: Vec<u8>) -> Result<W::Out, E> {
        self.take(Value::Bytes(value))
    }
    fn visit_none<E: serde::de::Error>(self) -> Result<W::Out, E> {
        self.take(Value::Null)
    }
    fn visit_unit<E: serde::de::Error>(self) -> Result<W::Out, E> {
        self.take(Value::Null)
    }
    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<W::Out, D::Error> {
        self.0.some(from, self.1)
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<W::Out, D::Error> {
        ask(self.0, from, self.1)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<W::Out, A::Error> {
        let mut theirs = None;
        let outcome = self.0.seq(Kept::new(seq, &mut theirs), self.1);
        outcome.map_err(|ours| self.1.restore_error(ours, theirs))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<W::Out, A::Error> {
        let mut theirs = None;
        let outcome = self.0.map(Kept::new(map, &mut theirs), self.1);
        outcome.map_err(|ours| self.1.restore_error(ours, theirs))
    }
    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<W::Out, A::Error> {
        let mut theirs = None;
        let outcome = self.0.choice(Kept::new(data, &mut theirs), self.1);
        outcome.map_err(|ours| self.1.restore_error(ours, theirs))
    }
}
