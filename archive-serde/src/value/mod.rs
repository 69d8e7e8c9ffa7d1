//! Conversions between values of serde types and trees.

mod access;
mod read;
mod write;

use archive_core::{Error, ErrorKind, Value};
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Visitor};
use std::cell::Cell;
use std::fmt;

pub(crate) use read::FromTree;
pub(crate) use write::ToTree;

/// An error of a serde type, with its message.
#[derive(Debug)]
pub struct Refused(String, ErrorKind);

impl Refused {
    #[cold]
    pub(crate) fn too_deep() -> Self {
        let most = crate::tree::MAX_LEVELS;
        Refused(format!("nested deeper than {most} levels"), ErrorKind::DepthLimit)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

impl serde::ser::Error for Refused {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Refused(message.to_string(), ErrorKind::Custom)
    }
}

impl serde::de::Error for Refused {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Refused(message.to_string(), ErrorKind::Custom)
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        Error::new(refused.1, refused.0)
    }
}

/// Converts a value of a serde type to a tree. Structs become objects, variants their names or
/// objects with one member. Maps become objects if all keys are text, otherwise sequences of pairs.
/// Names that begin with `$` get another `$`, so that the tree cannot be mistaken for a pointer.
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, Error> {
    Ok(value.serialize(ToTree(crate::tree::MAX_LEVELS))?)
}

/// Converts a tree to a value of a serde type. The tree comes from [`to_value`], or from another
/// format.
pub fn from_value<'de, T: Deserialize<'de>>(tree: Value) -> Result<T, Error> {
    Ok(T::deserialize(FromTree { tree, is_escaped: true })?)
}

/// Any value of a serde format, as a tree. This is for formats that deserialize only types, not
/// [seeds](serde::de::DeserializeSeed): [`SerdeFormat::read`](crate::SerdeFormat::read) can read a
/// `Whole` and pass its [`deserializer`](Whole::deserializer) to the seed.
///
/// ```
/// use archive::serde_formats::Whole;
/// use serde::Deserialize;
///
/// let whole: Whole = serde_json::from_str("[1, 2]").unwrap();
/// assert_eq!(<[u8; 2]>::deserialize(whole.deserializer()).unwrap(), [1, 2]);
/// ```
#[derive(Debug)]
pub struct Whole(Value);

impl Whole {
    /// Returns a deserializer of the value that was read.
    pub fn deserializer<'de>(self) -> impl Deserializer<'de, Error = Refused> {
        FromTree { tree: self.0, is_escaped: false }
    }
}

thread_local! {
    static WHOLE_LEVELS: Cell<usize> = const { Cell::new(crate::tree::MAX_LEVELS) };
    static EXCEEDED: Cell<bool> = const { Cell::new(false) };
}

/// How many levels a [`Whole`] may have in this thread until this is dropped. A type that is not a
/// seed has no other way to get this from the options.
pub(crate) struct WholeLevels {
    before: usize,
}

impl WholeLevels {
    pub(crate) fn set(levels: usize) -> Self {
        EXCEEDED.set(false);
        WholeLevels { before: WHOLE_LEVELS.replace(levels) }
    }

    /// Returns whether a value had more levels. The format's error does not say so.
    pub(crate) fn are_exceeded(&self) -> bool {
        EXCEEDED.get()
    }

    fn get() -> usize {
        WHOLE_LEVELS.get()
    }
}

impl Drop for WholeLevels {
    fn drop(&mut self) {
        WHOLE_LEVELS.set(self.before);
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let visitor = WholeVisitor { levels: WholeLevels::get(), is_text: false };
        from.deserialize_any(visitor).map(Whole)
    }
}

/// As [`Whole`], for text formats, in which floats have no width.
pub(crate) struct WholeText(pub(crate) Value);

impl<'de> Deserialize<'de> for WholeText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let visitor = WholeVisitor { levels: WholeLevels::get(), is_text: true };
        from.deserialize_any(visitor).map(WholeText)
    }
}

/// Reads any value that nests no deeper than `levels`.
#[derive(Clone, Copy)]
struct WholeVisitor {
    levels: usize,
    is_text: bool,
}

impl<'de> serde::de::DeserializeSeed<'de> for WholeVisitor {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for WholeVisitor {
    type Value = Value;

    crate::tree::visit_scalars!();

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(inner)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut entries = Vec::new();
        while let Some(key) = map.next_key_seed(inner)? {
            entries.push((key, map.next_value_seed(inner)?));
        }
        Ok(crate::tree::object_or_pairs(entries))
    }
}

impl WholeVisitor {
    fn is_text(&self) -> bool {
        self.is_text
    }

    fn deeper<E: serde::de::Error>(&self) -> Result<Self, E> {
        let levels = self.levels.checked_sub(1);
        let levels = levels.ok_or_else(|| {
            EXCEEDED.set(true);
            E::custom("values nest too deeply")
        })?;
        Ok(WholeVisitor { levels, ..*self })
    }
}
