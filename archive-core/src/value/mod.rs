//! [`Value`]: a tree that any format loads into and saves from.

mod access;
mod convert;
mod decoder;
mod display;
mod encoder;
mod in_shape;
mod layout;
mod object;
mod pointers;
mod scalar;
mod serialize;

pub use decoder::ValueDecoder;
pub use encoder::ValueEncoder;
pub use in_shape::{InShape, Shapes, load as load_with_origin};
pub(crate) use pointers::complete_members as complete_trees;
pub(crate) use serialize::{begin as begin_trees, load_held, save_tree};

use crate::number::Number;
use crate::shape::{Class, NameOf, Primitive};

/// A value of any type: an ordered tree that any format loads into and saves from, without the
/// program's types.
///
/// Pointers are objects with `$id`, `$type` and `$value`, as text formats write them, so a `Value`
/// carries them from one format to another. The ids are those of the file and mean objects within it.
/// [`Value::of`] makes a tree of any value of the program's
/// types, [`Value::to`] turns it back.
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
/// # What a file's values become
///
/// Objects of types, sequences, text and numbers are the same from every format. Some things have no one form in
/// files, and a `Value` shows the form of the format that it came from:
/// - A map is an object in MessagePack if its keys are text; elsewhere it is an array of pairs, `[["a", 1]]`.
///   With `#[archive(as_object)]` it is an object everywhere but in the binary formats, and so under
///   [`Options::maps_as_objects`](crate::Options::maps_as_objects).
/// - Bytes are an array of numbers in formats without bytes; floats are `f64` in formats
///   with one kind of float.
///
/// [`Value::to`] takes all forms, so a value still loads into the program's types.
///
/// # As a member
///
/// A `Value` may stand anywhere in a type of the program. Its objects and those of the program's types
/// are then apart, even where the file has one object for both:
/// - When it is loaded it holds what it refers to: an object that stands elsewhere in the file is
///   copied to where it is first referred to. The values of one file share their objects, so the body
///   stands in the one that was loaded first, and others refer to it. A weak pointer brings nothing
///   along; if no value holds its object, it points to nothing.
/// - When it is saved its objects get ids that nothing else in the file has. Values that are saved
///   into one file share objects by their ids; where an id has a second body, that is another object,
///   and the one that is meant from then on, so that a clone of a value has objects of its own.
///   Values of different files may thus stand side by side, unless one has a reference to an object
///   that none of its own file holds.
/// - A value with a reference to an object that is in none of those saved is an error, since the file
///   could not be loaded. It happens when the value that held the object is gone.
///
/// A file whose root is a `Value` is taken as it is, and so written.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, of the kind it had.
    Number(Number),
    /// Text.
    Str(String),
    /// Bytes, from formats that tell them from sequences of numbers.
    Bytes(Vec<u8>),
    /// A sequence.
    Array(Vec<Value>),
    /// Named members in order; no name stands twice.
    Object(Vec<(String, Value)>),
}

/// The class of objects that no type describes.
pub(crate) static CLASS: Class = Class {
    name: "object",
    type_name: NameOf::Data("object"),
    version: 0,
    members: None,
    size: None,
    meaning: "",
};

impl Value {
    /// The member of that name, if this is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object()?.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The item at that index, if this is an array that long.
    pub fn item(&self, index: usize) -> Option<&Value> {
        self.as_array()?.get(index)
    }

    /// Whether this is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The truth value.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }

    /// The number as an integer, if it is one that fits.
    pub fn as_i64(&self) -> Option<i64> {
        if let Value::Number(number) = self { number.to_integer().ok() } else { None }
    }

    /// The number as an unsigned integer, if it is one that fits.
    pub fn as_u64(&self) -> Option<u64> {
        if let Value::Number(number) = self { number.to_integer().ok() } else { None }
    }

    /// The number as a float, if it survives that.
    pub fn as_f64(&self) -> Option<f64> {
        let Value::Number(number) = self else { return None };
        number.to_f64().ok().filter(|_| number.conversion(Primitive::F64).is_none())
    }

    /// The text.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Str(text) = self { Some(text) } else { None }
    }

    /// The items.
    pub fn as_array(&self) -> Option<&[Value]> {
        if let Value::Array(items) = self { Some(items) } else { None }
    }

    /// The members.
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
