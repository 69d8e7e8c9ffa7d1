//! Numbers and truth values, each by a visitor of its own type.

use std::fmt;

use archive_core::bridge;
use archive_core::{Error, ErrorKind, Integer, Number, Primitive, Result, Scalar, Value};
use serde::de::{Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};

use super::scalar::{One, ask_for};
use super::visit::Visit;
use crate::shared::Shared;

/// A type into which numbers are loaded.
pub(crate) trait Numeric: Sized {
    const PRIMITIVE: Primitive;
    /// Returns the value as a scalar to be loaded.
    fn place(&mut self) -> Scalar<'_>;
    /// Converts any number.
    fn convert(number: Number, is_text: bool) -> Result<Self>;
    /// Converts from the types that most formats use, if nothing is lost and nothing must be noted.
    fn from_u64(value: u64) -> Option<Self>;
    fn from_i64(value: i64) -> Option<Self>;
    fn from_f32(value: f32) -> Option<Self>;
    fn from_f64(value: f64) -> Option<Self>;
}

macro_rules! integers {
    ($($ty:ident $Variant:ident)*) => { $(
        impl Numeric for $ty {
            const PRIMITIVE: Primitive = Primitive::$Variant;
            fn place(&mut self) -> Scalar<'_> {
                Scalar::$Variant(self)
            }
            fn convert(number: Number, is_text: bool) -> Result<Self> {
                integer(number, is_text)
            }
            #[inline]
            fn from_u64(value: u64) -> Option<Self> {
                value.try_into().ok()
            }
            #[inline]
            fn from_i64(value: i64) -> Option<Self> {
                value.try_into().ok()
            }
            #[inline]
            fn from_f32(_: f32) -> Option<Self> {
                None
            }
            #[inline]
            fn from_f64(_: f64) -> Option<Self> {
                None
            }
        }
    )* };
}
integers!(u8 U8 u16 U16 u32 U32 u64 U64 u128 U128 i8 I8 i16 I16 i32 I32 i64 I64 i128 I128);

/// Converts a number to an integer. A float that was text may have lost digits.
fn integer<T: Integer>(number: Number, is_text: bool) -> Result<T> {
    /// Below this one, no two integers have the same nearest float.
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    match number {
        Number::F64(value) if is_text && value.abs() >= EXACT && value.is_finite() => {
            let message = format_args!("the float {number} is not exact enough for {}", T::NAME);
            Err(Error::new(ErrorKind::OutOfRange, message))
        }
        _ => number.to_integer(),
    }
}

impl Numeric for f32 {
    const PRIMITIVE: Primitive = Primitive::F32;
    fn place(&mut self) -> Scalar<'_> {
        Scalar::F32(self)
    }
    fn convert(number: Number, _: bool) -> Result<Self> {
        number.to_f32()
    }
    #[inline]
    fn from_u64(_: u64) -> Option<Self> {
        None
    }
    #[inline]
    fn from_i64(_: i64) -> Option<Self> {
        None
    }
    #[inline]
    fn from_f32(value: f32) -> Option<Self> {
        Some(value)
    }
    /// Rounds, if the result is finite. The rounding is noted only if a report is requested.
    #[inline]
    fn from_f64(value: f64) -> Option<Self> {
        let rounded = value as f32;
        rounded.is_finite().then_some(rounded)
    }
}

impl Numeric for f64 {
    const PRIMITIVE: Primitive = Primitive::F64;
    fn place(&mut self) -> Scalar<'_> {
        Scalar::F64(self)
    }
    fn convert(number: Number, _: bool) -> Result<Self> {
        number.to_f64()
    }
    #[inline]
    fn from_u64(_: u64) -> Option<Self> {
        None
    }
    #[inline]
    fn from_i64(_: i64) -> Option<Self> {
        None
    }
    #[inline]
    fn from_f32(value: f32) -> Option<Self> {
        Some(value.into())
    }
    #[inline]
    fn from_f64(value: f64) -> Option<Self> {
        Some(value)
    }
}

/// Loads a number.
#[inline]
pub(crate) fn load<'de, T: Numeric, D: Deserializer<'de>>(
    to: &mut T,
    from: D,
    shared: &mut Shared<'_>,
) -> Result<(), D::Error> {
    let (is_text, describes) = (from.is_human_readable(), shared.manner.describes);
    let visit = NumberVisitor { to, is_text, shared };
    if describes { from.deserialize_any(visit) } else { ask_for(T::PRIMITIVE, from, visit) }
}

/// The visitor.
struct NumberVisitor<'v, 'a, 's, T> {
    to: &'v mut T,
    is_text: bool,
    shared: &'a mut Shared<'s>,
}

impl<'v, 'a, 's, T: Numeric> NumberVisitor<'v, 'a, 's, T> {
    /// Loads a number by the rules of all formats.
    fn number<E: serde::de::Error>(self, number: Number) -> Result<(), E> {
        match T::convert(number, self.is_text) {
            Ok(value) => {
                *self.to = value;
                bridge::converted(self.shared.session, number, T::PRIMITIVE, self.is_text);
                Ok(())
            }
            Err(error) => Err(E::custom(self.shared.stash_error(error))),
        }
    }

    /// Returns the visitor for values that are not numbers.
    #[cold]
    fn other(self) -> Visit<'a, 's, One<'v>> {
        Visit(One(self.to.place()), self.shared)
    }
}

macro_rules! quick {
    ($($name:ident $from:ident |$value:ident: $ty:ty| $number:expr;)*) => { $(
        #[inline]
        fn $name<E: serde::de::Error>(self, $value: $ty) -> Result<(), E> {
            match T::$from($value) {
                Some(value) if !self.shared.session.looks() => {
                    *self.to = value;
                    Ok(())
                }
                _ => self.number($number),
            }
        }
    )* };
}

macro_rules! narrow {
    ($($name:ident $wide:ident: $ty:ty;)*) => { $(
        #[inline]
        fn $name<E: serde::de::Error>(self, value: $ty) -> Result<(), E> {
            self.$wide(value.into())
        }
    )* };
}

macro_rules! others {
    ($($name:ident: $ty:ty;)*) => { $(
        fn $name<E: serde::de::Error>(self, value: $ty) -> Result<(), E> {
            self.other().$name(value)
        }
    )* };
}

impl<'de, T: Numeric> Visitor<'de> for NumberVisitor<'_, '_, '_, T> {
    type Value = ();

    quick! {
        visit_u64 from_u64 |value: u64| Number::Int(value.into());
        visit_i64 from_i64 |value: i64| Number::Int(value.into());
        visit_f32 from_f32 |value: f32| Number::F32(value);
        visit_f64 from_f64 |value: f64| Number::F64(value);
    }
    narrow! {
        visit_u8 visit_u64: u8; visit_u16 visit_u64: u16; visit_u32 visit_u64: u32;
        visit_i8 visit_i64: i8; visit_i16 visit_i64: i16; visit_i32 visit_i64: i32;
    }
    others! {
        visit_bool: bool; visit_char: char; visit_str: &str; visit_string: String;
        visit_bytes: &[u8]; visit_byte_buf: Vec<u8>;
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::PRIMITIVE.name())
    }
    fn visit_i128<E: serde::de::Error>(self, value: i128) -> Result<(), E> {
        self.number(Number::Int(value))
    }
    fn visit_u128<E: serde::de::Error>(self, value: u128) -> Result<(), E> {
        match Value::from(value) {
            Value::Number(number) => self.number(number),
            _ => self.number(Number::UInt(value)),
        }
    }
    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.other().visit_none()
    }
    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.other().visit_unit()
    }
    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.other().visit_some(from)
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.other().visit_newtype_struct(from)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        self.other().visit_seq(seq)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.other().visit_map(map)
    }
    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<(), A::Error> {
        self.other().visit_enum(data)
    }
}
