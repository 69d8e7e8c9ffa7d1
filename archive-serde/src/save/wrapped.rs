//! [`Wrapped`]: the value of an option that is itself null.

use std::cell::Cell;

use archive_core::Body;
use archive_core::reserved;
use serde::Serialize;
use serde::ser::{Error as _, SerializeMap, Serializer};

use super::Nested;

/// The value of an option that is itself null, written as an object with one member.
pub(super) struct Wrapped<'a, 's, B>(pub(super) Nested<'a, 's, B>);

impl<B: Body> Serialize for Wrapped<'_, '_, B> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let value = Noticed(&self.0, Cell::new(false));
        let mut map = to.serialize_map(Some(1))?;
        map.serialize_entry(reserved::SOME, &value)?;
        if !value.1.get() {
            return Err(S::Error::custom("this format leaves out what is null"));
        }
        map.end()
    }
}

/// A value that notes whether it was written, because some formats leave out members.
struct Noticed<'a, V>(&'a V, Cell<bool>);

impl<V: Serialize> Serialize for Noticed<'_, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let done = self.0.serialize(to);
        self.1.set(done.is_ok());
        done
    }
}
