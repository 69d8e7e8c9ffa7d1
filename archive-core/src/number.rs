//! [`Number`]: a number as the file has it, and its conversion to the type that wants it.

use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::shape::Primitive;

/// A number as the file has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// An integer above `i128::MAX`.
    UInt(u128),
    /// A float of four bytes.
    F32(f32),
    /// A float of eight bytes.
    F64(f64),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(v) => v.fmt(f),
            Number::UInt(v) => v.fmt(f),
            Number::F32(v) => write!(f, "{v:?}"),
            Number::F64(v) => write!(f, "{v:?}"),
        }
    }
}

/// An integer type that a [`Number`] may become.
pub trait Integer: TryFrom<i128> + TryFrom<u128> {
    /// The type's name, for messages.
    const NAME: &'static str;
}

macro_rules! integer {
    ($($ty:ty)*) => { $(impl Integer for $ty { const NAME: &'static str = stringify!($ty); })* };
}
integer!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128);

impl Number {
    /// The number as an integer type, if the value survives.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] if it does not fit, [`ErrorKind::WrongType`] if it has a fraction.
    pub fn to_integer<T: Integer>(self) -> Result<T> {
        let float = match self {
            Number::Int(v) => return T::try_from(v).map_err(|_| out_of_range(T::NAME, self)),
            Number::UInt(v) => return T::try_from(v).map_err(|_| out_of_range(T::NAME, self)),
            Number::F32(v) => f64::from(v),
            Number::F64(v) => v,
        };
        if float.fract() != 0.0 || !float.is_finite() {
            return Err(Error::wrong_type(T::NAME, self));
        }
        // Casting saturates, so values at the ends of the range are told apart by casting back.
        let int = float as i128;
        let uint = float as u128;
        let value = if int as f64 == float && int != i128::MAX {
            T::try_from(int).ok()
        } else if uint as f64 == float && uint != u128::MAX {
            T::try_from(uint).ok()
        } else {
            None
        };
        value.ok_or_else(|| out_of_range(T::NAME, self))
    }

    /// The number as `f64`, if the value survives.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] for an integer that `f64` cannot hold exactly.
    pub fn to_f64(self) -> Result<f64> {
        match self {
            Number::F32(v) => Ok(v.into()),
            Number::F64(v) => Ok(v),
            Number::Int(v) if (v as f64) as i128 == v && v != i128::MAX => Ok(v as f64),
            Number::UInt(v) if (v as f64) as u128 == v && v != u128::MAX => Ok(v as f64),
            _ => Err(out_of_range("f64", self)),
        }
    }

    /// The number as `f32`: a stored `f64` is rounded, integers must survive.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] for a finite `f64` that would become infinite, and for an integer
    /// that `f32` cannot hold exactly.
    pub fn to_f32(self) -> Result<f32> {
        match self {
            Number::F32(v) => Ok(v),
            Number::F64(v) if v.is_finite() && (v as f32).is_infinite() => {
                Err(out_of_range("f32", self))
            }
            Number::F64(v) => Ok(v as f32),
            Number::Int(v) if (v as f32) as i128 == v && v != i128::MAX => Ok(v as f32),
            Number::UInt(v) if (v as f32) as u128 == v && v != u128::MAX => Ok(v as f32),
            _ => Err(out_of_range("f32", self)),
        }
    }

    /// What a report says of a conversion to that type: that a float became an integer, or that an
    /// `f64` was rounded. Nothing else is worth a note, since nothing is lost: integers of another
    /// width, and integers that a float holds. So all formats note the same, also those whose
    /// numbers have no width.
    pub fn conversion(self, to: Primitive) -> Option<(Primitive, Primitive)> {
        let from = match self {
            Number::Int(_) | Number::UInt(_) => return None,
            Number::F32(_) => Primitive::F32,
            Number::F64(_) => Primitive::F64,
        };
        match (self, to) {
            (Number::F64(v), Primitive::F32) => {
                (f64::from(v as f32) != v && !v.is_nan()).then_some((from, to))
            }
            (_, Primitive::F32 | Primitive::F64) => None,
            _ => Some((from, to)),
        }
    }
}

#[cold]
fn out_of_range(expected: &str, found: Number) -> Error {
    Error::new(ErrorKind::OutOfRange, format_args!("{found} does not fit {expected}"))
}
