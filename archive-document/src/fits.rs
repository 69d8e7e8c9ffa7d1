//! Checks whether a tree fits a type, to find its type among several.

use archive_core::bridge::mention;
use archive_core::{Number, Payload, Primitive, Result, Shape, Value, reserved};

use super::optional;

/// How a value fits a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// It does not fit: saving refuses it.
    Not,
    /// It fits, but a number is rounded.
    Rounded,
    /// It fits, and converted numbers keep their values.
    Converted,
    /// It fits exactly: it can have been loaded from the type.
    Exactly,
}

impl Fit {
    fn if_so(fits: bool) -> Fit {
        if fits { Fit::Exactly } else { Fit::Not }
    }
}

/// Returns whether a value fits the type, with all of its parts except the objects of pointers and
/// the members that hand-written functions visit.
pub(super) fn fits(value: &Value, shape: &'static Shape, depth: u32) -> Fit {
    /// Deeper values are checked only when they are saved.
    const MAX_DEPTH: u32 = 512;
    if depth > MAX_DEPTH {
        return Fit::Exactly;
    }
    let part = |value, shape| fits(value, shape, depth + 1);
    let all = |fits: &mut dyn Iterator<Item = Fit>| fits.min().unwrap_or(Fit::Exactly);
    match (shape, value) {
        (Shape::Primitive(primitive, _), _) => scalar(value, *primitive),
        (Shape::Option(shape), _) => match optional(value) {
            (true, _, value) => part(value, shape.get()),
            _ => Fit::Exactly,
        },
        (Shape::Array(_, len, ..), Value::Array(items)) if items.len() != *len => Fit::Not,
        (Shape::Seq(item, _) | Shape::Array(item, ..), Value::Array(items)) => {
            all(&mut items.iter().map(|value| part(value, item.get())))
        }
        (Shape::Tuple(parts, ..), Value::Array(items)) if items.len() == parts.len() => {
            all(&mut items.iter().zip(*parts).map(|(value, shape)| part(value, shape.get())))
        }
        (Shape::Map(key, of), Value::Array(entries)) => {
            all(&mut entries.iter().map(|entry| match entry.as_array() {
                Some([of_key, value]) => part(of_key, key.get()).min(part(value, of.get())),
                _ => Fit::Not,
            }))
        }
        (Shape::Class(class), Value::Object(values)) => {
            let Some(members) = class.members else { return Fit::Exactly };
            let named = |name: &str| values.iter().find(|(key, _)| key == name);
            all(&mut members.iter().map(|member| match named(member.name) {
                Some((_, value)) => part(value, member.shape.get()),
                None => Fit::Not,
            }))
        }
        (Shape::Enum(info), Value::Str(name)) => Fit::if_so(info.find(name).is_some()),
        (Shape::Enum(info), Value::Object(members)) if members.len() == 1 => {
            match info.find(&members[0].0).map(|index| &info.variants[index].payload) {
                Some(Payload::Newtype(shape)) => part(&members[0].1, shape.get()),
                payload => Fit::if_so(payload.is_some()),
            }
        }
        (Shape::Pointer(_) | Shape::Weak(_), Value::Object(members)) => {
            Fit::if_so(mention(members).is_some())
        }
        (Shape::Dyn, Value::Object(members)) => {
            Fit::if_so(members.first().is_some_and(|(name, _)| name == reserved::TYPE))
        }
        (Shape::Map(..), Value::Object(_)) | (Shape::Weak(_), Value::Null) | (Shape::Any, _) => {
            Fit::Exactly
        }
        _ => Fit::Not,
    }
}

fn scalar(value: &Value, primitive: Primitive) -> Fit {
    match (primitive, value) {
        (Primitive::Unit, Value::Null)
        | (Primitive::Bool, Value::Bool(_))
        | (Primitive::Str, Value::Str(_))
        | (Primitive::Bytes, Value::Bytes(_))
        | (Primitive::F32, Value::Number(Number::F32(_)))
        | (Primitive::F64, Value::Number(Number::F64(_))) => Fit::Exactly,
        (Primitive::Char, Value::Str(text)) => Fit::if_so(text.chars().count() == 1),
        (_, Value::Number(number)) => {
            let is_integer = matches!(number, Number::Int(_) | Number::UInt(_));
            match (integer(*number, primitive), primitive) {
                (Some(true), _) if is_integer => Fit::Exactly,
                (Some(fits), _) => {
                    if fits {
                        Fit::Converted
                    } else {
                        Fit::Not
                    }
                }
                (None, Primitive::F64) => rounded(number.to_f64().map(Number::F64), *number),
                (None, Primitive::F32) => rounded(number.to_f32().map(Number::F32), *number),
                _ => Fit::Not,
            }
        }
        _ => Fit::Not,
    }
}

/// Returns how a number fits a float type. `float` is the number converted to that type.
fn rounded(float: Result<Number>, number: Number) -> Fit {
    match (float, number) {
        (Err(_), _) => Fit::Not,
        (Ok(float), Number::Int(_) | Number::UInt(_)) => {
            let same = float.to_integer::<i128>().ok() == number.to_integer::<i128>().ok();
            if same { Fit::Converted } else { Fit::Rounded }
        }
        (Ok(float), number) => {
            let same = float.to_f64().ok() == number.to_f64().ok();
            if same { Fit::Converted } else { Fit::Rounded }
        }
    }
}

/// Returns whether an integer type can represent a number. Returns `None` if the type is not an
/// integer type.
fn integer(number: Number, primitive: Primitive) -> Option<bool> {
    macro_rules! fits {
        ($($Integer:ident: $ty:ty),*) => {
            match primitive {
                $(Primitive::$Integer => Some(number.to_written_integer::<$ty>().is_ok()),)*
                _ => None,
            }
        };
    }
    fits!(U8: u8, U16: u16, U32: u32, U64: u64, U128: u128, I8: i8, I16: i16, I32: i32, I64: i64, I128: i128)
}
