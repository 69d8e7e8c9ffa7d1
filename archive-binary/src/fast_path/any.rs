//! Values for a target that accepts any value. The kind of the value is known from its type.

use archive_core::shape::{Primitive, Shape};
use archive_core::{LoadAny, Number, Result, Serialize};

use super::{Loading, cannot};
use crate::cursor::unsigned;

/// Loads a value of the announced shape, which must be a scalar.
pub(super) fn load_any<B: LoadAny>(ar: &mut Loading<'_, '_>, target: &mut B) -> Result {
    let Some(Shape::Primitive(primitive, _)) = ar.session.take_expected() else {
        return Err(cannot("a value of any type"));
    };
    match primitive {
        Primitive::Unit => target.null(),
        Primitive::Bool => target.bool(load(ar)?),
        Primitive::Char => return Err(cannot("a character of any type")),
        Primitive::Str => target.str(ar.data.str()?),
        Primitive::Bytes => target.bytes(ar.data.bytes()?.to_vec()),
        _ => target.number(number(ar, *primitive)?),
    }
    Ok(())
}

fn load<T: Default + Serialize>(ar: &mut Loading<'_, '_>) -> Result<T> {
    let mut value = T::default();
    value.serialize(ar)?;
    Ok(value)
}

fn int<T: Default + Serialize + Into<i128>>(ar: &mut Loading<'_, '_>) -> Result<Number> {
    load::<T>(ar).map(|value| Number::Int(value.into()))
}

fn number(ar: &mut Loading<'_, '_>, primitive: Primitive) -> Result<Number> {
    match primitive {
        Primitive::U8 => int::<u8>(ar),
        Primitive::U16 => int::<u16>(ar),
        Primitive::U32 => int::<u32>(ar),
        Primitive::U64 => int::<u64>(ar),
        Primitive::I8 => int::<i8>(ar),
        Primitive::I16 => int::<i16>(ar),
        Primitive::I32 => int::<i32>(ar),
        Primitive::I64 => int::<i64>(ar),
        Primitive::I128 => int::<i128>(ar),
        Primitive::U128 => load(ar).map(unsigned),
        Primitive::F32 => load(ar).map(Number::F32),
        Primitive::F64 => load(ar).map(Number::F64),
        _ => Err(cannot("a number of any type")),
    }
}
