//! Checks whether a tree fits a type, to find the one of several types that it was loaded from.

use super::{Part, optional, versioned};
use crate::number::Number;
use crate::reserved;
use crate::shape::{Class, Member, Primitive, Shape};
use crate::value::Value;
use crate::value::pointers::mention;

impl<'v> Part<'v> {
    /// Returns whether an object has these members, in this order.
    pub(super) fn has(&self, values: &'v [(String, Value)], members: &'static [Member]) -> bool {
        values.len() == members.len()
            && values.iter().zip(members).all(|((name, value), member)| {
                name == member.name && self.part(value, member.shape.get()).fits()
            })
    }

    /// Returns whether the outermost part of the value fits the type.
    pub(super) fn fits(&self) -> bool {
        match (self.shape, self.value) {
            (Shape::Primitive(primitive, _), value) => match (primitive, value) {
                (Primitive::Unit, Value::Null)
                | (Primitive::Bool, Value::Bool(_))
                | (Primitive::Str, Value::Str(_))
                | (Primitive::Bytes, Value::Bytes(_))
                | (Primitive::F32, Value::Number(Number::F32(_)))
                | (Primitive::F64, Value::Number(Number::F64(_))) => true,
                (Primitive::Char, Value::Str(text)) => text.chars().count() == 1,
                (_, Value::Number(number)) => integer_fits(*number, *primitive),
                _ => false,
            },
            (Shape::Option(shape), value) => {
                let (present, _, value) = optional(value);
                !present || self.part(value, shape.get()).fits()
            }
            (Shape::Array(_, len, ..), Value::Array(items)) => items.len() == *len,
            (Shape::Tuple(parts, ..), Value::Array(items)) => items.len() == parts.len(),
            (Shape::Class(Class { members: Some(members), .. }), Value::Object(values)) => {
                versioned(values).1.len() == members.len()
            }
            (Shape::Enum(info), Value::Str(name)) => info.find(name).is_some(),
            (Shape::Enum(info), Value::Object(members)) => {
                members.len() == 1 && info.find(&members[0].0).is_some()
            }
            (Shape::Pointer(_) | Shape::Weak(_), Value::Object(members)) => {
                mention(members).is_some()
            }
            (Shape::Dyn, Value::Object(members)) => {
                members.first().is_some_and(|(name, _)| name == reserved::TYPE)
            }
            (Shape::Seq(..) | Shape::Map(..), Value::Array(_))
            | (Shape::Class(_) | Shape::Map(..), Value::Object(_))
            | (Shape::Pointer(_) | Shape::Weak(_), Value::Null)
            | (Shape::Any, _) => true,
            _ => false,
        }
    }
}

/// Returns whether a number of the tree is an integer that the type can represent.
fn integer_fits(number: Number, primitive: Primitive) -> bool {
    use Primitive::{I8, I16, I32, I64, I128, U8, U16, U32, U64, U128};
    let bits = primitive.block_size().unwrap_or_default() as u32 * 8;
    match (number, primitive) {
        (Number::Int(value), U8 | U16 | U32 | U64) => value >= 0 && value >> bits == 0,
        (Number::Int(value), I8 | I16 | I32 | I64) => matches!(value >> (bits - 1), 0 | -1),
        (Number::Int(_), I128) | (Number::UInt(_), U128) => true,
        (Number::Int(value), U128) => value >= 0,
        _ => false,
    }
}
