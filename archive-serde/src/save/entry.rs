//! Entries of maps that must be written: some formats leave out members that are null, which only
//! members of objects may be.

use std::cell::Cell;

use archive_core::Body;
use archive_core::reserved;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::Nested;

/// Writes an entry.
///
/// # Errors
/// An error if the serializer leaves out the entry, and errors of the serializer.
pub(super) fn put_entry<M: SerializeMap>(
    map: &mut M,
    name: &str,
    value: &impl Serialize,
) -> Result<(), M::Error> {
    let value = Noticed(value, Cell::new(false));
    map.serialize_entry(name, &value)?;
    value.outcome()
}

/// As [`put_entry`], for the value of an entry whose key was written.
pub(super) fn put_value<M: SerializeMap>(
    map: &mut M,
    value: &impl Serialize,
) -> Result<(), M::Error> {
    let value = Noticed(value, Cell::new(false));
    map.serialize_value(&value)?;
    value.outcome()
}

/// The value of an option that is itself null, written as an object with one member.
pub(super) struct Wrapped<'a, 's, B>(pub(super) Nested<'a, 's, B>);

impl<B: Body> Serialize for Wrapped<'_, '_, B> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(1))?;
        put_entry(&mut map, reserved::SOME, &self.0)?;
        map.end()
    }
}

/// A value that notes whether it was written.
struct Noticed<'a, V>(&'a V, Cell<bool>);

impl<V> Noticed<'_, V> {
    fn outcome<E: serde::ser::Error>(&self) -> Result<(), E> {
        if self.1.get() { Ok(()) } else { Err(E::custom("this format omits null values")) }
    }
}

impl<V: Serialize> Serialize for Noticed<'_, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let done = self.0.serialize(to);
        self.1.set(done.is_ok());
        done
    }
}
