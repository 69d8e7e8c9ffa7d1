//! Integers, floats, `bool`, `char` and `()`.

use crate::archive::Archive;
use crate::blank::Blank;
use crate::error::Result;
use crate::options::Options;
use crate::scalar::Scalar;
use crate::shape::{Primitive, Shape};
use crate::{Save, Serialize};

macro_rules! scalar {
    ($($ty:ty => $variant:ident),* $(,)?) => { $(
        impl Serialize for $ty {
            const SHAPE: &'static Shape = &Shape::Primitive(Primitive::$variant);

            #[inline]
            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                ar.scalar(Scalar::$variant(self))
            }
        }
        impl Save for $ty {
            #[inline]
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                let mut copy = *self;
                ar.scalar(Scalar::$variant(&mut copy))
            }
        }
        impl Blank for $ty {
            #[inline]
            fn blank(_: &Options<'_>) -> Self {
                <$ty>::default()
            }
        }
    )* };
}

scalar! {
    bool => Bool, char => Char,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, u128 => U128,
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, i128 => I128,
    f32 => F32, f64 => F64,
}

impl Serialize for () {
    const SHAPE: &'static Shape = &Shape::Primitive(Primitive::Unit);
    const NULLABLE: bool = true;

    #[inline]
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.scalar(Scalar::Unit)
    }
}

impl Save for () {
    #[inline]
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.scalar(Scalar::Unit)
    }
}

impl Blank for () {
    fn blank(_: &Options<'_>) -> Self {}
}

/// `usize` and `isize` are stored with 64 bits, whatever the machine.
macro_rules! size {
    ($($ty:ident as $wide:ident),*) => { $(
        impl Serialize for $ty {
            const SHAPE: &'static Shape = <$wide as Serialize>::SHAPE;

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                let mut wide = *self as $wide;
                wide.serialize(ar)?;
                *self = $ty::try_from(wide).map_err(|_| {
                    crate::Error::new(
                        crate::ErrorKind::OutOfRange,
                        format_args!("{wide} does not fit {} on this machine", stringify!($ty)),
                    )
                })?;
                Ok(())
            }
        }
        impl Save for $ty {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                (*self as $wide).save(ar)
            }
        }
        impl Blank for $ty {
            fn blank(_: &Options<'_>) -> Self {
                0
            }
        }
    )* };
}
size!(usize as u64, isize as i64);
