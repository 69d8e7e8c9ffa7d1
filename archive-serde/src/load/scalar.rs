//! Scalars.

use archive_core::bridge;
use archive_core::{Archive, Number, Primitive, Result, Scalar, Value};
use serde::de::{Deserializer, Visitor};

use super::visit::{Visit, Wanted};
use crate::shared::{Shared, Tree};

/// Loads a scalar.
pub(crate) fn load<'de, D: Deserializer<'de>>(
    value: Scalar<'_>,
    from: D,
    shared: &mut Shared<'_>,
) -> Result<(), D::Error> {
    let primitive = value.primitive();
    let is_text = from.is_human_readable();
    let describes = shared.manner.describes;
    let visit = Visit(One { value, is_text }, shared);
    if describes { from.deserialize_any(visit) } else { ask_for(primitive, from, visit) }
}

/// Asks for what the type says, where the input does not.
pub(crate) fn ask_for<'de, D: Deserializer<'de>, V: Visitor<'de>>(
    primitive: Primitive,
    from: D,
    visit: V,
) -> Result<V::Value, D::Error> {
    match primitive {
        Primitive::Unit => from.deserialize_unit(visit),
        Primitive::Bool => from.deserialize_bool(visit),
        Primitive::U8 => from.deserialize_u8(visit),
        Primitive::U16 => from.deserialize_u16(visit),
        Primitive::U32 => from.deserialize_u32(visit),
        Primitive::U64 => from.deserialize_u64(visit),
        Primitive::U128 => from.deserialize_u128(visit),
        Primitive::I8 => from.deserialize_i8(visit),
        Primitive::I16 => from.deserialize_i16(visit),
        Primitive::I32 => from.deserialize_i32(visit),
        Primitive::I64 => from.deserialize_i64(visit),
        Primitive::I128 => from.deserialize_i128(visit),
        Primitive::F32 => from.deserialize_f32(visit),
        Primitive::F64 => from.deserialize_f64(visit),
        Primitive::Char => from.deserialize_char(visit),
        Primitive::Str => from.deserialize_string(visit),
        Primitive::Bytes => from.deserialize_byte_buf(visit),
    }
}

struct One<'v> {
    value: Scalar<'v>,
    is_text: bool,
}

impl Wanted for One<'_> {
    type Out = ();

    fn tree(self, tree: Tree, shared: &mut Shared<'_>) -> Result {
        let primitive = self.value.primitive();
        match (self.value, tree.value) {
            (Scalar::Unit, Value::Null) => {}
            (Scalar::Bool(to), Value::Bool(value)) => *to = value,
            (Scalar::String(to), Value::Str(value)) => *to = value,
            (Scalar::Bytes(to), Value::Bytes(value)) => *to = value,
            (value, Value::Number(number)) => {
                if let Some(value) = number_into(value, number)? {
                    return slowly(value, Tree::from(Value::Number(number)), shared);
                }
                // Floats in text have no width.
                if !(self.is_text && primitive == Primitive::F32) {
                    bridge::converted(shared.session, number, primitive);
                }
            }
            (value, found) => {
                return slowly(
                    value,
                    Tree { value: found, has_pointers: tree.has_pointers },
                    shared,
                );
            }
        }
        Ok(())
    }
}

/// By the rules of all formats.
#[cold]
fn slowly(value: Scalar<'_>, tree: Tree, shared: &mut Shared<'_>) -> Result {
    shared.load_tree(tree, |ar| ar.scalar(value))
}

/// Converts a number; gives the place back if it is not for one.
fn number_into<'v>(to: Scalar<'v>, number: Number) -> Result<Option<Scalar<'v>>> {
    match to {
        Scalar::U8(to) => *to = number.to_integer()?,
        Scalar::U16(to) => *to = number.to_integer()?,
        Scalar::U32(to) => *to = number.to_integer()?,
        Scalar::U64(to) => *to = number.to_integer()?,
        Scalar::U128(to) => *to = number.to_integer()?,
        Scalar::I8(to) => *to = number.to_integer()?,
        Scalar::I16(to) => *to = number.to_integer()?,
        Scalar::I32(to) => *to = number.to_integer()?,
        Scalar::I64(to) => *to = number.to_integer()?,
        Scalar::I128(to) => *to = number.to_integer()?,
        Scalar::F32(to) => *to = number.to_f32()?,
        Scalar::F64(to) => *to = number.to_f64()?,
        other => return Ok(Some(other)),
    }
    Ok(None)
}
