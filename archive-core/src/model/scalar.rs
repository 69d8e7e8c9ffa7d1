//! [`Scalar`]: a reference to one indivisible value.

use crate::model::shape::Primitive;

/// A reference to one indivisible value, which an [`Archive`](crate::Archive) reads while saving
/// and fills while loading.
#[derive(Debug)]
#[allow(missing_docs)] // the names say it
pub enum Scalar<'a> {
    /// Null.
    Unit,
    Bool(&'a mut bool),
    U8(&'a mut u8),
    U16(&'a mut u16),
    U32(&'a mut u32),
    U64(&'a mut u64),
    U128(&'a mut u128),
    I8(&'a mut i8),
    I16(&'a mut i16),
    I32(&'a mut i32),
    I64(&'a mut i64),
    I128(&'a mut i128),
    F32(&'a mut f32),
    F64(&'a mut f64),
    Char(&'a mut char),
    String(&'a mut String),
    Bytes(&'a mut Vec<u8>),
    /// Read-only text; only used while saving.
    Str(&'a str),
    /// Read-only bytes; only used while saving.
    ByteSlice(&'a [u8]),
}

impl Scalar<'_> {
    /// Returns the type of the value.
    pub fn primitive(&self) -> Primitive {
        match self {
            Scalar::Unit => Primitive::Unit,
            Scalar::Bool(_) => Primitive::Bool,
            Scalar::U8(_) => Primitive::U8,
            Scalar::U16(_) => Primitive::U16,
            Scalar::U32(_) => Primitive::U32,
            Scalar::U64(_) => Primitive::U64,
            Scalar::U128(_) => Primitive::U128,
            Scalar::I8(_) => Primitive::I8,
            Scalar::I16(_) => Primitive::I16,
            Scalar::I32(_) => Primitive::I32,
            Scalar::I64(_) => Primitive::I64,
            Scalar::I128(_) => Primitive::I128,
            Scalar::F32(_) => Primitive::F32,
            Scalar::F64(_) => Primitive::F64,
            Scalar::Char(_) => Primitive::Char,
            Scalar::String(_) | Scalar::Str(_) => Primitive::Str,
            Scalar::Bytes(_) | Scalar::ByteSlice(_) => Primitive::Bytes,
        }
    }
}

/// Displays the value for people: `null`, `true`, `-3`, `"text"`, `12 bytes`.
impl std::fmt::Display for Scalar<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Unit => f.write_str("null"),
            Scalar::Bool(v) => v.fmt(f),
            Scalar::U8(v) => v.fmt(f),
            Scalar::U16(v) => v.fmt(f),
            Scalar::U32(v) => v.fmt(f),
            Scalar::U64(v) => v.fmt(f),
            Scalar::U128(v) => v.fmt(f),
            Scalar::I8(v) => v.fmt(f),
            Scalar::I16(v) => v.fmt(f),
            Scalar::I32(v) => v.fmt(f),
            Scalar::I64(v) => v.fmt(f),
            Scalar::I128(v) => v.fmt(f),
            Scalar::F32(v) => write!(f, "{v:?}"),
            Scalar::F64(v) => write!(f, "{v:?}"),
            Scalar::Char(v) => write!(f, "{v:?}"),
            Scalar::String(v) => write!(f, "{v:?}"),
            Scalar::Str(v) => write!(f, "{v:?}"),
            Scalar::Bytes(v) => write!(f, "{} bytes", v.len()),
            Scalar::ByteSlice(v) => write!(f, "{} bytes", v.len()),
        }
    }
}
