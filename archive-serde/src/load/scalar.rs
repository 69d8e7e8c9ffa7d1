//! Scalars.

use archive_core::{Primitive, Result, Scalar, Value};
use serde::de::{Deserializer, Visitor};

use super::number;
use super::visit::{Visit, Wanted};
use crate::shared::{Shared, Tree};
use archive_core::Visitor as _;

/// Loads a scalar. Where the function of a type runs, the kind of the scalar is a constant.
#[inline(always)]
pub(crate) fn load<'de, D: Deserializer<'de>>(
    value: Scalar<'_>,
    from: D,
    shared: &mut Shared<'_>,
) -> Result<(), D::Error> {
    match value {
        Scalar::U8(to) => number::load(to, from, shared),
        Scalar::U16(to) => number::load(to, from, shared),
        Scalar::U32(to) => number::load(to, from, shared),
        Scalar::U64(to) => number::load(to, from, shared),
        Scalar::U128(to) => number::load(to, from, shared),
        Scalar::I8(to) => number::load(to, from, shared),
        Scalar::I16(to) => number::load(to, from, shared),
        Scalar::I32(to) => number::load(to, from, shared),
        Scalar::I64(to) => number::load(to, from, shared),
        Scalar::I128(to) => number::load(to, from, shared),
        Scalar::F32(to) => number::load(to, from, shared),
        Scalar::F64(to) => number::load(to, from, shared),
        value => load_other(value, from, shared),
    }
}

fn load_other<'de, D: Deserializer<'de>>(
    value: Scalar<'_>,
    from: D,
    shared: &mut Shared<'_>,
) -> Result<(), D::Error> {
    let primitive = value.primitive();
    let describes = shared.manner.describes;
    let visit = Visit(One(value), shared);
    if describes { from.deserialize_any(visit) } else { ask_for(primitive, from, visit) }
}

/// Requests the type of the scalar from a format that does not describe itself.
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

/// Expects a scalar.
pub(crate) struct One<'v>(pub(crate) Scalar<'v>);

impl Wanted for One<'_> {
    type Out = ();

    fn tree(self, tree: Tree, shared: &mut Shared<'_>) -> Result {
        match (self.0, tree.value) {
            (Scalar::Unit, Value::Null) => {}
            (Scalar::Bool(to), Value::Bool(value)) => *to = value,
            (Scalar::String(to), Value::Str(value)) => *to = value,
            (Scalar::Bytes(to), Value::Bytes(value)) => {
                shared.session.count_bytes(&value, shared.options)?;
                *to = value;
            }
            (value, found) => {
                let tree = Tree { value: found, ..tree };
                return slowly(value, tree, shared);
            }
        }
        Ok(())
    }

    fn bool(self, value: bool, shared: &mut Shared<'_>) -> Result {
        match self.0 {
            Scalar::Bool(to) => {
                *to = value;
                Ok(())
            }
            other => One(other).tree(Value::Bool(value).into(), shared),
        }
    }

    fn text(self, text: &str, shared: &mut Shared<'_>) -> Result {
        match self.0 {
            Scalar::String(to) => {
                to.clear();
                to.push_str(text);
                Ok(())
            }
            other => One(other).tree(Value::from(text).into(), shared),
        }
    }
}

/// Loads a scalar by the rules of all formats.
#[cold]
fn slowly(value: Scalar<'_>, tree: Tree, shared: &mut Shared<'_>) -> Result {
    shared.load_tree(tree, |ar| ar.scalar(value))
}
