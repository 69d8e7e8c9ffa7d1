//! [`Names`]: the names of an object's members in the order of the input, and which of them
//! occurred.

use std::collections::HashSet;
use std::fmt;

use archive_core::lookup::Lookup;
use archive_core::{Class, Error, Member, Result, Value};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::shared::Shared;
use crate::tree::TreeSeed;

/// The number of unknown names up to which they are compared one by one.
const SEARCHED: usize = 16;

/// The number of members that have a bit.
const BITS: usize = 128;

/// The key of a map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key {
    /// The name of a member of the class, by its index.
    Member(usize),
    /// Another name, or a key that is not text; its value is stored elsewhere.
    Other,
}

/// The names of the members that occurred. Names of the class are represented by their index, so
/// that nothing is allocated for them.
#[derive(Default)]
pub(crate) struct Names {
    members: &'static [Member],
    lookup: Option<&'static Lookup>,
    /// The member that probably comes next.
    next: usize,
    met: [u64; BITS / 64],
    others: Vec<String>,
    many: Option<HashSet<String>>,
}

impl Names {
    /// Creates the names of a class whose members are in a table.
    pub(crate) fn looked_up(lookup: &'static Lookup) -> Self {
        Names { members: lookup.members(), lookup: Some(lookup), ..Names::default() }
    }

    /// Creates the names of any class.
    pub(crate) fn of(class: &Class) -> Self {
        Names { members: class.members.unwrap_or_default(), ..Names::default() }
    }

    /// Returns the members of the class.
    #[inline]
    pub(crate) fn members(&self) -> &'static [Member] {
        self.members
    }

    /// Returns the name of a member.
    pub(crate) fn name(&self, index: usize) -> &'static str {
        self.members.get(index).map_or("", |member| member.name)
    }

    /// Returns the index of the member with that name.
    #[inline]
    fn find(&self, name: &str) -> Option<usize> {
        match self.members.get(self.next) {
            Some(member) if is_same(member.name, name) && self.next < BITS => Some(self.next),
            _ => self.find_elsewhere(name),
        }
    }

    fn find_elsewhere(&self, name: &str) -> Option<usize> {
        match self.lookup {
            Some(lookup) => lookup.find(name.as_bytes()),
            None => self.members.iter().take(BITS).position(|member| member.name == name),
        }
    }

    /// Notes that a member occurred.
    ///
    /// # Errors
    /// If it occurred before.
    #[inline]
    pub(crate) fn meet(&mut self, index: usize) -> Result {
        let (word, bit) = (index / 64 % self.met.len(), 1_u64 << (index % 64));
        if self.met[word] & bit != 0 {
            return Err(Error::twice(self.name(index)));
        }
        self.met[word] |= bit;
        self.next = index + 1;
        Ok(())
    }

    /// Returns whether a member occurred.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.met[index / 64 % self.met.len()] & (1 << (index % 64)) != 0
    }

    /// Returns whether the first `count` members occurred.
    #[inline]
    pub(crate) fn has_all(&self, count: usize) -> bool {
        (0..self.met.len()).all(|word| {
            let all = match count.saturating_sub(64 * word) {
                left @ ..64 => (1 << left) - 1,
                _ => u64::MAX,
            };
            self.met[word] & all == all
        })
    }

    /// Notes a name that the class does not have.
    ///
    /// # Errors
    /// If it occurred before.
    pub(crate) fn meet_other(&mut self, name: &str) -> Result {
        let in_many = self.many.as_ref().is_some_and(|many| many.contains(name));
        if in_many || self.others.iter().any(|other| other == name) {
            return Err(Error::twice(name));
        }
        if self.others.len() < SEARCHED {
            self.others.push(name.to_owned());
        } else {
            self.many.get_or_insert_default().insert(name.to_owned());
        }
        Ok(())
    }

    /// Reads the next key of a map. A key that is not the name of a member is stored in `other`.
    #[inline]
    pub(crate) fn next_key<'de, A: MapAccess<'de>>(
        &self,
        map: &mut A,
        other: &mut Value,
        shared: &mut Shared<'_>,
    ) -> Result<Option<Key>> {
        match map.next_key_seed(KeySeed { names: self, other, shared: &mut *shared }) {
            Ok(key) => Ok(key),
            Err(theirs) => Err(shared.refused(theirs)),
        }
    }
}

/// Returns whether two names are equal. Most names are short, and comparing them inline is faster
/// than a call.
#[inline]
fn is_same(one: &str, other: &str) -> bool {
    match one.len() == other.len() {
        true if one.len() <= 8 => one.bytes().eq(other.bytes()),
        true => one == other,
        false => false,
    }
}

/// Reads a key.
struct KeySeed<'n, 'a, 's> {
    names: &'n Names,
    other: &'n mut Value,
    shared: &'a mut Shared<'s>,
}

impl KeySeed<'_, '_, '_> {
    #[cold]
    fn tree<'de, D: Deserializer<'de>>(self, from: D) -> Result<Key, D::Error> {
        *self.other = TreeSeed::new(self.shared, &mut false).deserialize(from)?;
        Ok(Key::Other)
    }
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_, '_, '_> {
    type Value = Key;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Key, D::Error> {
        from.deserialize_any(self)
    }
}

macro_rules! keys {
    ($($name:ident: $ty:ty;)*) => { $(
        fn $name<E>(self, value: $ty) -> Result<Key, E> {
            *self.other = value.into();
            Ok(Key::Other)
        }
    )* };
}

impl<'de> Visitor<'de> for KeySeed<'_, '_, '_> {
    type Value = Key;

    keys! {
        visit_bool: bool; visit_i8: i8; visit_i16: i16; visit_i32: i32; visit_i64: i64;
        visit_i128: i128; visit_u8: u8; visit_u16: u16; visit_u32: u32; visit_u64: u64;
        visit_u128: u128; visit_f32: f32; visit_f64: f64; visit_char: char;
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }
    #[inline]
    fn visit_str<E>(self, name: &str) -> Result<Key, E> {
        Ok(match self.names.find(name) {
            Some(index) => Key::Member(index),
            None => {
                *self.other = name.into();
                Key::Other
            }
        })
    }
    fn visit_bytes<E>(self, value: &[u8]) -> Result<Key, E> {
        *self.other = Value::Bytes(value.to_vec());
        Ok(Key::Other)
    }
    fn visit_none<E>(self) -> Result<Key, E> {
        *self.other = Value::Null;
        Ok(Key::Other)
    }
    fn visit_unit<E>(self) -> Result<Key, E> {
        *self.other = Value::Null;
        Ok(Key::Other)
    }
    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Key, D::Error> {
        self.tree(from)
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Key, D::Error> {
        self.tree(from)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Key, A::Error> {
        self.tree(SeqAccessDeserializer::new(seq))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Key, A::Error> {
        self.tree(MapAccessDeserializer::new(map))
    }
}
