//! [`Taken`]: a scalar that was taken out of a value, without a tree.

use std::any::Any;

use archive_core::path::Path;
use archive_core::{Number, Options, Polymorphic, Result, Scalar, Value};

use super::{Peek, place};

/// A scalar.
#[derive(Debug)]
pub(super) enum Taken {
    /// The value was not reached.
    Nothing,
    /// The value has parts.
    Parts(Peek),
    Null,
    Bool(bool),
    Int(i128),
    UInt(u128),
    F32(f32),
    F64(f64),
    Char(char),
    Text(String),
    Bytes(Vec<u8>),
}

/// Takes the scalar at the path.
#[inline(always)]
pub(super) fn take(root: &dyn Polymorphic, path: &Path, options: &Options<'_>) -> Result<Taken> {
    place::scalar(root, path, options)
}

impl Taken {
    /// Copies a scalar.
    // Inlined, because the kind of scalar is a constant in all callers.
    #[inline(always)]
    pub(super) fn of(scalar: &Scalar<'_>) -> Self {
        match scalar {
            Scalar::Unit => Taken::Null,
            Scalar::Bool(value) => Taken::Bool(**value),
            Scalar::U8(value) => Taken::Int((**value).into()),
            Scalar::U16(value) => Taken::Int((**value).into()),
            Scalar::U32(value) => Taken::Int((**value).into()),
            Scalar::U64(value) => Taken::Int((**value).into()),
            Scalar::U128(value) => Taken::UInt(**value),
            Scalar::I8(value) => Taken::Int((**value).into()),
            Scalar::I16(value) => Taken::Int((**value).into()),
            Scalar::I32(value) => Taken::Int((**value).into()),
            Scalar::I64(value) => Taken::Int((**value).into()),
            Scalar::I128(value) => Taken::Int(**value),
            Scalar::F32(value) => Taken::F32(**value),
            Scalar::F64(value) => Taken::F64(**value),
            Scalar::Char(value) => Taken::Char(**value),
            Scalar::String(text) => Taken::Text((*text).clone()),
            Scalar::Str(text) => Taken::Text((*text).to_owned()),
            Scalar::Bytes(bytes) => Taken::Bytes((*bytes).clone()),
            Scalar::ByteSlice(bytes) => Taken::Bytes(bytes.to_vec()),
        }
    }

    /// Returns the value if it has the type `T`, without converting it.
    ///
    /// # Errors
    /// Returns the scalar.
    #[inline]
    pub(super) fn into_exactly<T: 'static>(self) -> Result<T, Self> {
        let mut out: Option<T> = None;
        let slot: &mut dyn Any = &mut out;
        match self {
            Taken::F32(value) if put(slot, value) => {}
            Taken::F64(value) if put(slot, value) => {}
            Taken::Bool(value) if put(slot, value) => {}
            Taken::Int(value) if put_int(slot, value) => {}
            Taken::Text(text) => match slot.downcast_mut::<Option<String>>() {
                Some(slot) => *slot = Some(text),
                None => return Err(Taken::Text(text)),
            },
            other => return Err(other),
        }
        out.ok_or(Taken::Nothing)
    }

    /// Returns the scalar as a tree; `None` if the value is not a scalar.
    pub(super) fn into_tree(self) -> Option<Value> {
        Some(match self {
            Taken::Nothing | Taken::Parts(_) => return None,
            Taken::Null => Value::Null,
            Taken::Bool(value) => Value::Bool(value),
            Taken::Int(value) => Value::Number(Number::Int(value)),
            Taken::UInt(value) => match i128::try_from(value) {
                Ok(value) => Value::Number(Number::Int(value)),
                Err(_) => Value::Number(Number::UInt(value)),
            },
            Taken::F32(value) => Value::Number(Number::F32(value)),
            Taken::F64(value) => Value::Number(Number::F64(value)),
            Taken::Char(value) => Value::Str(value.into()),
            Taken::Text(text) => Value::Str(text),
            Taken::Bytes(bytes) => Value::Bytes(bytes),
        })
    }
}

#[inline]
fn put<V: 'static>(slot: &mut dyn Any, value: V) -> bool {
    match slot.downcast_mut::<Option<V>>() {
        Some(slot) => {
            *slot = Some(value);
            true
        }
        None => false,
    }
}

/// Puts an integer into a slot of any integer type that it fits.
#[inline]
fn put_int(slot: &mut dyn Any, value: i128) -> bool {
    macro_rules! each {
        ($($ty:ty)*) => { $(
            if slot.is::<Option<$ty>>() {
                return <$ty>::try_from(value).is_ok_and(|value| put(slot, value));
            }
        )* };
    }
    each!(i32 u32 u16 u8 u64 i64 i16 i8 usize isize);
    false
}
