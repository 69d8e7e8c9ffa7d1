//! Integers, floats, `bool`, `char` and `()`.

use crate::model::columns::GROUP;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::scalar::Scalar;
use crate::model::shape::{About, Primitive, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::block::{Raw, raw};
use crate::visit::restore::or_blank;
use crate::visit::serialize::bodies::{Fill, Takes, columns};
use crate::visit::serialize::{Save, Serialize};

macro_rules! scalar {
    ($(
        $ty:ty => $variant:ident $([$bits:ident])? $(($raw:expr))? $({ $($block:item)* })?
        $($add:ident |$value:ident| $bytes:expr, |$word:pat_param| $taken:expr)?
    ),* $(,)?) => { $(
        impl Serialize for $ty {
            const SHAPE: &'static Shape = &Shape::Primitive(Primitive::$variant, "");
            const OVERWRITES: bool = true;
            $(const RAW: Option<Raw<Self>> = $raw;)?

            #[inline]
            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                ar.scalar(Scalar::$variant(self))
            }
            #[inline]
            fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
                let result = self.serialize(ar);
                or_blank(self, result, ar)
            }
            $($($block)*)?
            $(
                #[inline]
                fn taker<'c, 'r, F: Fill + 'c>(
                    from: Takes<'c, 'r, F>,
                ) -> Option<(impl FnMut() -> Self, Takes<'c, 'r, F>)> where Self: 'c {
                    let (column, from) = from.column()?;
                    from.with(#[inline(always)] move || column.$add().next(|$word| $taken))
                }
                #[inline]
                fn list_taker<'c, 'r, F: Fill + 'c>(
                    from: Takes<'c, 'r, F>,
                ) -> Option<(impl FnMut(usize) -> Vec<Self>, Takes<'c, 'r, F>)>
                where
                    Self: 'c,
                {
                    let (column, from) = from.column()?;
                    from.with(#[inline(always)] move |len| column.$add().list(len, |$word| $taken))
                }
            )?
        }
        impl Save for $ty {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                let mut copy = *self;
                ar.scalar(Scalar::$variant(&mut copy))?;
                // The archives of formats only read the values that they save. An archive of the
                // program might write to the copy, and the change would be lost.
                if !A::KIND.only_reads && copy$(.$bits())? != (*self)$(.$bits())? {
                    return Err(Error::read_only());
                }
                Ok(())
            }
            $(
                #[inline]
                fn save_group<A: Archive>(group: &[&Self], ar: &mut A) -> Result {
                    Self::save_part(group, |value| value, ar)
                }
                #[inline(always)]
                fn save_part<S, A: Archive>(
                    group: &[&S],
                    part: impl Fn(&S) -> &Self,
                    ar: &mut A,
                ) -> Result {
                    columns(ar)?.$add(group.iter().map(|value| {
                        let $value = *part(value);
                        $bytes
                    }));
                    Ok(())
                }
            )?
        }
        impl Blank for $ty {
            // Zero and negative zero are equal floats.
            const EQUAL_IS_SAME: bool =
                !matches!(Primitive::$variant, Primitive::F32 | Primitive::F64);

            #[inline]
            fn blank(_: &Options<'_>) -> Self {
                <$ty>::default()
            }
        }
    )* };
}

scalar! {
    bool => Bool {
        #[inline]
        fn block_of(values: &[Self]) -> Option<&[u8]> {
            Some(raw::flags(values))
        }
        #[inline]
        fn take_block(block: &[u8], into: &mut Vec<Self>) -> bool {
            raw::load_flags(block, into)
        }
    } ints |value| [u8::from(value)], |[flag]| Some(flag != 0),
    char => Char ints |value| u32::from(value).to_le_bytes(), |word| char::from_u32(u32::from_le_bytes(word)),
    u8 => U8 (Raw::<u8>::NUMBER) ints |value| [value], |[byte]| Some(byte),
    u16 => U16 (Raw::<u16>::NUMBER) ints |value| value.to_le_bytes(), |word| Some(u16::from_le_bytes(word)),
    u32 => U32 (Raw::<u32>::NUMBER) ints |value| value.to_le_bytes(), |word| Some(u32::from_le_bytes(word)),
    u64 => U64 (Raw::<u64>::NUMBER) ints |value| value.to_le_bytes(), |word| Some(u64::from_le_bytes(word)),
    u128 => U128 (Raw::<u128>::NUMBER),
    i8 => I8 (Raw::<i8>::NUMBER) ints |value| (value ^ i8::MIN).to_le_bytes(), |word| Some(i8::from_le_bytes(word)),
    i16 => I16 (Raw::<i16>::NUMBER) ints |value| (value ^ i16::MIN).to_le_bytes(), |word| Some(i16::from_le_bytes(word)),
    i32 => I32 (Raw::<i32>::NUMBER) ints |value| (value ^ i32::MIN).to_le_bytes(), |word| Some(i32::from_le_bytes(word)),
    i64 => I64 (Raw::<i64>::NUMBER) ints |value| (value ^ i64::MIN).to_le_bytes(), |word| Some(i64::from_le_bytes(word)),
    i128 => I128 (Raw::<i128>::NUMBER),
    f32 => F32 [to_bits] (Raw::<f32>::NUMBER) fixed |value| value.to_le_bytes(), |word| Some(f32::from_le_bytes(word)),
    f64 => F64 [to_bits] (Raw::<f64>::NUMBER) fixed |value| value.to_le_bytes(), |word| Some(f64::from_le_bytes(word)),
}

impl Serialize for () {
    const SHAPE: &'static Shape = &Shape::Primitive(Primitive::Unit, "");
    const OVERWRITES: bool = true;
    const NULLABLE: bool = true;

    #[inline]
    fn saves_null(&self, _: &Options<'_>, _: u32) -> bool {
        true
    }

    #[inline]
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.scalar(Scalar::Unit)
    }
    #[inline]
    fn taker<'c, 'r, F: Fill + 'c>(
        from: Takes<'c, 'r, F>,
    ) -> Option<(impl FnMut() -> Self, Takes<'c, 'r, F>)>
    where
        Self: 'c,
    {
        from.with(|| ())
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

/// `usize` and `isize` are stored with 64 bits on every platform.
macro_rules! size {
    ($($ty:ident as $wide:ident),*) => { $(
        impl Serialize for $ty {
            const SHAPE: &'static Shape = <$wide as Serialize>::SHAPE;
            const ABOUT: &'static About = &About::named(stringify!($ty));
            const OVERWRITES: bool = true;

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                let mut wide = *self as $wide;
                wide.serialize(ar)?;
                *self = $ty::try_from(wide).map_err(|_| {
                    Error::new(
                        ErrorKind::OutOfRange,
                        format_args!("{wide} does not fit {} on this machine", stringify!($ty)),
                    )
                })?;
                Ok(())
            }
            #[inline]
            fn taker<'c, 'r, F: Fill + 'c>(
                from: Takes<'c, 'r, F>,
            ) -> Option<(impl FnMut() -> Self, Takes<'c, 'r, F>)>
            where
                Self: 'c,
            {
                let (column, from) = from.column()?;
                let own = |word| $ty::try_from($wide::from_le_bytes(word)).ok();
                from.with(#[inline(always)] move || column.ints.next(own))
            }
        }
        impl Save for $ty {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                (*self as $wide).save(ar)
            }
            fn save_group<A: Archive>(group: &[&Self], ar: &mut A) -> Result {
                let mut wide = [0; GROUP];
                wide.iter_mut().zip(group).for_each(|(to, value)| *to = **value as $wide);
                let wide: [&$wide; GROUP] = std::array::from_fn(|at| &wide[at]);
                $wide::save_group(&wide[..group.len().min(GROUP)], ar)
            }
        }
        impl Blank for $ty {
            const EQUAL_IS_SAME: bool = true;

            fn blank(_: &Options<'_>) -> Self {
                0
            }
        }
    )* };
}
size!(usize as u64, isize as i64);
