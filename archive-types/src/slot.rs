//! [`Slot`]: a value in memory. A [`Plan`](crate::plan::Plan) says what its type is.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use archive_core::{Error, Value};

use crate::shared::{Shared, Watching};

/// A value in memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Slot {
    Unit,
    Bool(bool),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    U128(Box<u128>),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    I128(Box<i128>),
    F32(f32),
    F64(f64),
    Char(char),
    Str(String),
    Bytes(Vec<u8>),
    /// A list, an array, a tuple, or the members of an object.
    Items(Vec<Slot>),
    Set(BTreeSet<Key>),
    Map(BTreeMap<Key, Slot>),
    Option(Option<Box<Slot>>),
    /// The index of a variant, and what it carries.
    Variant(u32, Option<Box<Slot>>),
    Any(Box<Value>),
    Shared(Shared),
    Weak(Watching),
}

/// A list of slots must not become larger by accident.
const _: () = assert!(size_of::<Slot>() <= 32);

/// A value that is a key. Its order is that of the type in Rust, if the type derives it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key(pub(crate) Slot);

impl Eq for Key {}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        order(&self.0, &other.0)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares two values of one type.
fn order(one: &Slot, other: &Slot) -> Ordering {
    match (one, other) {
        (Slot::Bool(a), Slot::Bool(b)) => a.cmp(b),
        (Slot::U8(a), Slot::U8(b)) => a.cmp(b),
        (Slot::U16(a), Slot::U16(b)) => a.cmp(b),
        (Slot::U32(a), Slot::U32(b)) => a.cmp(b),
        (Slot::U64(a), Slot::U64(b)) => a.cmp(b),
        (Slot::U128(a), Slot::U128(b)) => a.cmp(b),
        (Slot::I8(a), Slot::I8(b)) => a.cmp(b),
        (Slot::I16(a), Slot::I16(b)) => a.cmp(b),
        (Slot::I32(a), Slot::I32(b)) => a.cmp(b),
        (Slot::I64(a), Slot::I64(b)) => a.cmp(b),
        (Slot::I128(a), Slot::I128(b)) => a.cmp(b),
        (Slot::Char(a), Slot::Char(b)) => a.cmp(b),
        (Slot::Str(a), Slot::Str(b)) => a.cmp(b),
        (Slot::Bytes(a), Slot::Bytes(b)) => a.cmp(b),
        (Slot::Items(a), Slot::Items(b)) => {
            let different = a.iter().zip(b).map(|(a, b)| order(a, b)).find(|it| it.is_ne());
            different.unwrap_or(a.len().cmp(&b.len()))
        }
        (Slot::Option(a), Slot::Option(b)) => inside(a.as_deref(), b.as_deref()),
        (Slot::Variant(a, inner), Slot::Variant(b, other)) => {
            a.cmp(b).then_with(|| inside(inner.as_deref(), other.as_deref()))
        }
        // Values of other types are refused as keys.
        _ => Ordering::Equal,
    }
}

fn inside(one: Option<&Slot>, other: Option<&Slot>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => order(one, other),
        (one, other) => one.is_some().cmp(&other.is_some()),
    }
}

impl Slot {
    /// Returns how many bytes the value takes in memory.
    pub(crate) fn size(&self) -> usize {
        let inner = match self {
            Slot::Str(text) => text.capacity(),
            Slot::Bytes(bytes) => bytes.capacity(),
            Slot::Items(slots) => slots.iter().map(Slot::size).sum(),
            Slot::Set(keys) => keys.iter().map(|key| key.0.size()).sum(),
            Slot::Map(entries) => {
                entries.iter().map(|(key, value)| key.0.size() + value.size()).sum()
            }
            Slot::Option(Some(slot)) | Slot::Variant(_, Some(slot)) => slot.size(),
            _ => 0,
        };
        size_of::<Slot>() + inner
    }
}

/// Returns the error for a value that is not of the type that its plan says.
#[cold]
pub(crate) fn wrong() -> Error {
    Error::custom("internal error: a value of another type than its schema")
}
