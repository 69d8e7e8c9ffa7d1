//! [`Value`]: a tree that any format loads into and saves from.

mod convert;
mod decoder;
mod encoder;
mod layout;
mod object;
mod scalar;
mod serialize;

pub use decoder::ValueDecoder;
pub use encoder::ValueEncoder;

use crate::number::Number;
use crate::shape::Class;

/// A value of any type: an ordered tree that any format loads into and saves from, without the
/// program's types.
///
/// Pointers are objects with `$id`, `$type` and `$value`, as text formats write them, so a `Value`
/// carries them from one format to another. [`Value::of`] makes a tree of any value of the program's
/// types, [`Value::to`] turns it back.
///
/// ```
/// # use archive_core as archive;
/// use archive::Value;
///
/// let value = Value::Object(vec![("hp".into(), Value::from(100)), ("name".into(), "Ann".into())]);
/// assert_eq!(value.get("hp"), Some(&Value::from(100)));
/// assert_eq!(value.get("name").and_then(Value::as_str), Some("Ann"));
/// ```
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
pub(crate) static CLASS: Class =
    Class { name: "object", type_name: || "object", version: 0, members: None };

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
        if let Value::Number(number) = self { number.to_f64().ok() } else { None }
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
    bool => |v| Value::Bool(v);
    i32 => |v| Value::Number(Number::Int(v.into()));
    i64 => |v| Value::Number(Number::Int(v.into()));
    u32 => |v| Value::Number(Number::Int(v.into()));
    u64 => |v| Value::Number(Number::Int(v.into()));
    f32 => |v| Value::Number(Number::F32(v));
    f64 => |v| Value::Number(Number::F64(v));
    &str => |v| Value::Str(v.into());
    String => |v| Value::Str(v);
    Vec<Value> => |v| Value::Array(v);
}
