//! [`Value`]: a tree that any format loads into and saves from.

mod access;
mod convert;
mod decoder;
mod display;
mod encoder;
mod in_place;
mod layout;
mod little_endian;
mod mark;
mod save;
mod serialize;
pub(super) mod tree_pointers;

pub use decoder::ValueDecoder;
pub use encoder::ValueEncoder;
pub use little_endian::put_scalar;
pub(crate) use save::{Ids, One, save_tree, save_trees};
pub(crate) use serialize::load_held;
pub(crate) use tree_pointers::complete_members as complete_trees;
pub use tree_pointers::{is_pointer_name, mention};

use crate::model::number::Number;
use crate::model::shape::Primitive;

/// A value of any type: an ordered tree that can be loaded from and saved to any format, without
/// the program's types.
///
/// Pointers are objects with `$id`, `$type` and `$value`, as text formats write them, so a `Value`
/// can carry them from one format to another. The ids are those of the file and denote objects
/// within it. [`Value::of`] creates a tree from any value of the program's types, and [`Value::to`]
/// converts it back.
///
/// ```
/// use archive::Value;
///
/// let value = Value::Object(vec![("hp".into(), Value::from(100)), ("name".into(), "Ann".into())]);
/// assert_eq!(value.get("hp"), Some(&Value::from(100)));
/// assert_eq!(value.get("name").and_then(Value::as_str), Some("Ann"));
/// assert_eq!((&value["hp"], &value["mana"]), (&Value::from(100), &Value::Null));
/// assert_eq!(value.to_string(), r#"{"hp":100,"name":"Ann"}"#);
///
/// let mut list: Value = [1, 2].into_iter().collect();
/// list[1] = Value::Null;
/// assert_eq!(list.to_string(), "[1,null]");
/// ```
///
/// # The form of values
///
/// Objects, sequences, text and numbers have the same form from every format. Other data has
/// different forms in different formats, and a `Value` has the form of the format that it was
/// loaded from:
/// - A map is an object in MessagePack if its keys are text; elsewhere it is an array of pairs,
///   `[["a", 1]]`. With `#[archive(as_object)]`, and with
///   [`Options::maps_as_objects`](crate::Options::maps_as_objects), it is an object everywhere
///   except in the binary formats.
/// - Bytes are an array of numbers in formats without bytes. Floats are `f64` in formats with only
///   one kind of float.
///
/// [`Value::to`] accepts all these forms, so such a value can be loaded into the program's types.
///
/// # As a member
///
/// A `Value` may be a part of any type of the program. Its objects are then distinct from those of
/// the program's types, even if the file has one object for both:
/// - When a `Value` is loaded, it contains the objects to which it refers: an object that is stored
///   elsewhere in the file is copied to the place of the first reference to it. The values of one
///   file share their objects: each object is in the value that was loaded first, and the others
///   refer to it. A weak pointer does not cause a copy. If no value contains its object, it points
///   to nothing.
/// - When a `Value` is saved, its objects get ids that nothing else in the file has. Values that
///   are saved into one file share objects by their ids. If an object with the same id is stored a
///   second time, it is a different object, and the id denotes it from then on, so a clone of a
///   value has its own objects. Values of different files can therefore be saved together, unless
///   one of them refers to an object that no value of its own file contains.
/// - A reference to an object that is in none of the saved values is an error, since the file could
///   not be loaded. This happens if the value that contained the object no longer exists.
///
/// A file whose root is a `Value` is loaded and saved unchanged, and these rules do not apply.
///
/// # Depth
/// Cloning, comparing, printing and dropping a value need stack for each level, as for any type that contains itself.
/// A load creates no more levels than [`Options::max_depth`](crate::Options::max_depth) allows, and saving more is an
/// error. A program that nests values some thousand levels deep in a loop must take them apart itself, since a type
/// whose variants can be moved out cannot implement `Drop`:
///
/// ```
/// use archive::Value;
///
/// let mut value = Value::Null;
/// for _ in 0..100_000 {
///     value = Value::Array(vec![value]);
/// }
/// assert!(archive::json::to_string(&value).is_err());
///
/// let mut open = vec![value];
/// while let Some(value) = open.pop() {
///     match value {
///         Value::Array(items) => open.extend(items),
///         Value::Object(members) => open.extend(members.into_iter().map(|(_, value)| value)),
///         _ => {}
///     }
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Null.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, with the kind it had in the file.
    Number(Number),
    /// Text.
    Str(String),
    /// Bytes, from formats that distinguish them from sequences of numbers.
    Bytes(Vec<u8>),
    /// A sequence.
    Array(Vec<Value>),
    /// Named members, in order. Names are unique.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Returns the member with that name, if this is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object()?.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Returns the item at that index, if this is an array of sufficient length.
    pub fn item(&self, index: usize) -> Option<&Value> {
        self.as_array()?.get(index)
    }

    /// Returns whether this is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Returns the truth value, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }

    /// Returns the number as a signed integer, if it fits, and is exact if it was text.
    pub fn as_i64(&self) -> Option<i64> {
        if let Value::Number(number) = self { number.to_written_integer().ok() } else { None }
    }

    /// Returns the number as an unsigned integer, if it fits, and is exact if it was text.
    pub fn as_u64(&self) -> Option<u64> {
        if let Value::Number(number) = self { number.to_written_integer().ok() } else { None }
    }

    /// Returns the number as a float, if nothing is lost.
    pub fn as_f64(&self) -> Option<f64> {
        let Value::Number(number) = self else { return None };
        number.to_f64().ok().filter(|_| number.conversion(Primitive::F64).is_none())
    }

    /// Returns the text, if this is text.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Str(text) = self { Some(text) } else { None }
    }

    /// Returns the items, if this is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        if let Value::Array(items) = self { Some(items) } else { None }
    }

    /// Returns the members, if this is an object.
    pub fn as_object(&self) -> Option<&[(String, Value)]> {
        if let Value::Object(members) = self { Some(members) } else { None }
    }
}

macro_rules! from {
    ($($ty:ty => |$value:ident| $make:expr;)*) => { $(
        impl From<$ty> for Value {
            fn from($value: $ty) -> Self {
                $make
            }
        }
    )* };
}

from! {
    () => |_v| Value::Null;
    bool => |v| Value::Bool(v);
    i8 => |v| Value::Number(Number::Int(v.into()));
    i16 => |v| Value::Number(Number::Int(v.into()));
    i32 => |v| Value::Number(Number::Int(v.into()));
    i64 => |v| Value::Number(Number::Int(v.into()));
    i128 => |v| Value::Number(Number::Int(v));
    u8 => |v| Value::Number(Number::Int(v.into()));
    u16 => |v| Value::Number(Number::Int(v.into()));
    u32 => |v| Value::Number(Number::Int(v.into()));
    u64 => |v| Value::Number(Number::Int(v.into()));
    u128 => |v| Value::Number(i128::try_from(v).map_or(Number::UInt(v), Number::Int));
    f32 => |v| Value::Number(Number::F32(v));
    f64 => |v| Value::Number(Number::F64(v));
    char => |v| Value::Str(v.into());
    &str => |v| Value::Str(v.into());
    String => |v| Value::Str(v);
    Vec<Value> => |v| Value::Array(v);
    Vec<(String, Value)> => |v| Value::Object(v);
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}
