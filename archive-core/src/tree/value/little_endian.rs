//! [`put_scalar`]: writes a scalar as the bytes of a type that a file states.

use super::Value;
use crate::model::error::{Error, Found, Result};
use crate::model::number::Number;
use crate::model::shape::Primitive;

/// Appends a scalar of that type in little-endian order. `name` is the name of the type in
/// messages.
///
/// # Errors
/// An error if the value has another type, or does not fit.
pub fn put_scalar(
    out: &mut Vec<u8>,
    kind: Option<Primitive>,
    name: impl std::fmt::Display,
    value: &Value,
) -> Result {
    macro_rules! integers {
        ($($variant:ident $ty:ty),*) => {
            match (kind, value) {
                $((Some(Primitive::$variant), Value::Number(number)) => {
                    out.extend_from_slice(&number.to_written_integer::<$ty>()?.to_le_bytes());
                })*
                (Some(Primitive::F32), _) => {
                    out.extend_from_slice(&float(value)?.to_f32()?.to_le_bytes());
                }
                (Some(Primitive::F64), _) => {
                    out.extend_from_slice(&float(value)?.to_f64()?.to_le_bytes());
                }
                (Some(Primitive::Bool), Value::Bool(value)) => out.push(u8::from(*value)),
                (Some(Primitive::Char), Value::Str(text)) => {
                    let mut chars = text.chars();
                    match (chars.next(), chars.next()) {
                        (Some(only), None) => {
                            out.extend_from_slice(&u32::from(only).to_le_bytes());
                        }
                        _ => return Err(Error::wrong_type("a character", Found::from(value))),
                    }
                }
                _ => return Err(Error::wrong_type(name, Found::from(value))),
            }
        };
    }
    integers!(I8 i8, I16 i16, I32 i32, I64 i64, I128 i128, U8 u8, U16 u16, U32 u32, U64 u64, U128 u128);
    Ok(())
}

/// Returns a float. In text formats it is text if it is not finite.
fn float(value: &Value) -> Result<Number> {
    match value {
        Value::Number(number) => Ok(*number),
        Value::Str(text) if text == "NaN" => Ok(Number::F64(f64::NAN)),
        Value::Str(text) if text == "inf" => Ok(Number::F64(f64::INFINITY)),
        Value::Str(text) if text == "-inf" => Ok(Number::F64(f64::NEG_INFINITY)),
        _ => Err(Error::wrong_type("a number", Found::from(value))),
    }
}
