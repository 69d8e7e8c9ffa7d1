//! Values for a target that accepts any value. The kind of the value is known from its type.

use archive_core::shape::{Primitive, Shape};
use archive_core::{Archive, LoadAny, Number, Result, Scalar, Serialize};

use super::cannot;
use crate::cursor::unsigned;

/// Loads a value of the announced shape, which must be a scalar.
pub(crate) fn load_any<A: Archive, B: LoadAny>(ar: &mut A, target: &mut B) -> Result {
    let Some(Shape::Primitive(primitive, _)) = ar.session_mut().take_expected() else {
        return Err(cannot("a value of any type"));
    };
    match primitive {
        Primitive::Unit => target.null(),
        Primitive::Bool => target.bool(load(ar)?),
        Primitive::Char => return Err(cannot("a character of any type")),
        Primitive::Str => target.str(&load::<String, A>(ar)?),
        Primitive::Bytes => {
            let mut bytes = Vec::new();
            ar.scalar(Scalar::Bytes(&mut bytes))?;
            target.bytes(bytes);
        }
        _ => target.number(number(ar, *primitive)?),
    }
    Ok(())
}

fn load<T: Default + Serialize, A: Archive>(ar: &mut A) -> Result<T> {
    let mut value = T::default();
    value.serialize(ar)?;
    Ok(value)
}

fn int<T: Default + Serialize + Into<i128>, A: Archive>(ar: &mut A) -> Result<Number> {
    load::<T, A>(ar).map(|value| Number::Int(value.into()))
}

fn number<A: Archive>(ar: &mut A, primitive: Primitive) -> Result<Number> {
    match primitive {
        Primitive::U8 => int::<u8, A>(ar),
        Primitive::U16 => int::<u16, A>(ar),
        Primitive::U32 => int::<u32, A>(ar),
        Primitive::U64 => int::<u64, A>(ar),
        Primitive::I8 => int::<i8, A>(ar),
        Primitive::I16 => int::<i16, A>(ar),
        Primitive::I32 => int::<i32, A>(ar),
        Primitive::I64 => int::<i64, A>(ar),
        Primitive::I128 => int::<i128, A>(ar),
        Primitive::U128 => load(ar).map(unsigned),
        Primitive::F32 => load(ar).map(Number::F32),
        Primitive::F64 => load(ar).map(Number::F64),
        _ => Err(cannot("a number of any type")),
    }
}
