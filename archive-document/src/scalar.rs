//! Saves scalars: a tree has numbers of any width, and the type determines the width.

use archive_core::{Archive, Error, Found, Primitive, Result, Scalar, Value};

macro_rules! number {
    ($value:expr, $primitive:expr, $ar:expr, $($Integer:ident),*) => {
        match ($primitive, $value) {
            (Primitive::F32, Value::Number(number)) => {
                $ar.scalar(Scalar::F32(&mut number.to_f32()?))
            }
            (Primitive::F64, Value::Number(number)) => {
                $ar.scalar(Scalar::F64(&mut number.to_f64()?))
            }
            $((Primitive::$Integer, Value::Number(number)) => {
                $ar.scalar(Scalar::$Integer(&mut number.to_written_integer()?))
            })*
            (primitive, value) => Err(Error::wrong_type(primitive.name(), Found::from(value))),
        }
    };
}

pub(super) fn save<A: Archive>(value: &Value, primitive: Primitive, ar: &mut A) -> Result {
    match (primitive, value) {
        (Primitive::Unit, Value::Null) => ar.scalar(Scalar::Unit),
        (Primitive::Bool, Value::Bool(value)) => ar.scalar(Scalar::Bool(&mut value.clone())),
        (Primitive::Str, Value::Str(text)) => ar.scalar(Scalar::Str(text)),
        (Primitive::Bytes, Value::Bytes(bytes)) => ar.scalar(Scalar::ByteSlice(bytes)),
        (Primitive::Char, Value::Str(text)) => {
            let mut chars = text.chars();
            match (chars.next(), chars.next()) {
                (Some(mut only), None) => ar.scalar(Scalar::Char(&mut only)),
                _ => Err(Error::wrong_type("char", Found::from(value))),
            }
        }
        _ => number!(value, primitive, ar, U8, U16, U32, U64, U128, I8, I16, I32, I64, I128),
    }
}
