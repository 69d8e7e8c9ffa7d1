//! Tuples: stored as sequences of fixed length whose items differ in type.

use crate::model::block_size::tuple_size;
use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element, unwrap_blank};
use crate::visit::body::{Body, New};
use crate::visit::columns::tuples;
use crate::visit::erased::loads;
use crate::visit::facts::BodyFacts;
use crate::visit::restore::load_element_item;
use crate::visit::serialize::bodies::{Fill, Takes, tuple_item};
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};

/// One item of an array or a tuple, loaded over the existing one. Nothing of the old item remains.
pub(super) struct OverItem<'a, T>(pub(super) &'a mut T);

impl<T: Element> Body for OverItem<'_, T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        load_element_item(self.0, ar)
    }
}

/// Like [`OverItem`], for types that may have no blank values. Also used for saving.
pub(super) struct ItemOf<'a, T>(pub(super) &'a mut T);

impl<T: Serialize> Body for ItemOf<'_, T> {
    const FACTS: BodyFacts = BodyFacts::value(T::SHAPE);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if loads!(A, ar) { self.0.load_item(ar) } else { self.0.value(ar) }
    }
}

macro_rules! tuple {
    ($len:literal: $($T:ident $index:tt $item:ident),*) => {
        impl<$($T: Serialize),*> Serialize for ($($T,)*) {
            const SHAPE: &'static Shape = &Shape::Tuple(
                &[$(shape_of::<$T>()),*],
                tuple_size(&[$($T::SHAPE),*]),
                "",);
            const OVERWRITES: bool = $($T::OVERWRITES)&&*;
            const ITEMS_BY_HAND: bool = $($T::BY_HAND || $T::ITEMS_BY_HAND)||*;

            #[inline]
            fn taker<'c, 'r, F: Fill + 'c>(
                from: Takes<'c, 'r, F>,
            ) -> Option<(impl FnMut() -> Self, Takes<'c, 'r, F>)> where Self: 'c {
                $(let (mut $item, from) = $T::taker(from)?;)*
                from.with(#[inline(always)] move || ($($item(),)*))
            }

            #[inline]
            fn serialize<Ar: Archive>(&mut self, ar: &mut Ar) -> Result {
                struct Items<'a, T>(&'a mut T);
                impl<$($T: Serialize),*> Body for Items<'_, ($($T,)*)> {
                    const FACTS: BodyFacts = BodyFacts::items(
                        tuple_size(&[$($T::SHAPE),*]),
                        $(!$T::SHAPE.is_any())&&*,
                    );

                    #[inline]
                    fn run<Ar: Archive>(&mut self, ar: &mut Ar) -> Result {
                        $(tuple_item(ar, $index, $len, &mut ItemOf(&mut (self.0).$index))?;)*
                        Ok(())
                    }
                }
                ar.seq(Self::SHAPE, $len, &mut Items(self))
            }
        }
        impl<$($T: Save),*> Save for ($($T,)*) {
            #[inline]
            fn save<Ar: Archive>(&self, ar: &mut Ar) -> Result {
                struct Items<'a, T>(&'a T);
                impl<$($T: Save),*> Body for Items<'_, ($($T,)*)> {
                    const FACTS: BodyFacts = BodyFacts::items(
                        tuple_size(&[$($T::SHAPE),*]),
                        $(!$T::SHAPE.is_any())&&*,
                    );

                    #[inline]
                    fn run<Ar: Archive>(&mut self, ar: &mut Ar) -> Result {
                        $(tuple_item(ar, $index, $len, &mut &(self.0).$index)?;)*
                        Ok(())
                    }
                }
                ar.seq(Self::SHAPE, $len, &mut Items(self))
            }
            #[inline]
            fn save_group<Ar: Archive>(group: &[&Self], ar: &mut Ar) -> Result {
                tuples($len, group.len(), ar, |ar| {
                    $($T::save_part(group, |tuple| &tuple.$index, ar)?;)*
                    Ok(())
                })
            }
        }
        impl<$($T: Element),*> Blank for ($($T,)*) {
            fn blank(options: &Options<'_>) -> Self {
                unwrap_blank(options)
            }
            #[inline]
            fn try_blank(options: &Options<'_>) -> Result<Self> {
                Ok(($($T::fresh(options)?,)*))
            }
            #[inline]
            fn load_new<Ar: Archive>(ar: &mut Ar) -> Result<Self> {
                struct Items<'a, T>(&'a mut T);
                impl<$($T: Element),*> Body for Items<'_, ($(New<$T>,)*)> {
                    const FACTS: BodyFacts =
                        BodyFacts { block: tuple_size(&[$($T::SHAPE),*]), ..BodyFacts::NONE };

                    #[inline]
                    fn run<Ar: Archive>(&mut self, ar: &mut Ar) -> Result {
                        $(tuple_item(ar, $index, $len, &mut (self.0).$index)?;)*
                        Ok(())
                    }
                }
                let mut items = ($(New::<$T>(None),)*);
                ar.seq(Self::SHAPE, $len, &mut Items(&mut items))?;
                // An item is only missing if its error went into the report.
                let ($($item,)*) = items;
                Ok(($(match $item.0 {
                    Some(item) => item,
                    None => $T::fresh(ar.options())?,
                },)*))
            }
            #[inline]
            fn load_over<Ar: Archive>(&mut self, ar: &mut Ar) -> Result {
                struct Items<'a, T>(&'a mut T);
                impl<$($T: Element),*> Body for Items<'_, ($($T,)*)> {
                    const FACTS: BodyFacts =
                        BodyFacts { block: tuple_size(&[$($T::SHAPE),*]), ..BodyFacts::NONE };

                    #[inline]
                    fn run<Ar: Archive>(&mut self, ar: &mut Ar) -> Result {
                        $(tuple_item(ar, $index, $len, &mut OverItem(&mut (self.0).$index))?;)*
                        Ok(())
                    }
                }
                ar.seq(Self::SHAPE, $len, &mut Items(self))
            }
        }
    };
}

tuple!(1: T0 0 a);
tuple!(2: T0 0 a, T1 1 b);
tuple!(3: T0 0 a, T1 1 b, T2 2 c);
tuple!(4: T0 0 a, T1 1 b, T2 2 c, T3 3 d);
tuple!(5: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e);
tuple!(6: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e, T5 5 f);
tuple!(7: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e, T5 5 f, T6 6 g);
tuple!(8: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e, T5 5 f, T6 6 g, T7 7 h);
tuple!(9: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e, T5 5 f, T6 6 g, T7 7 h, T8 8 i);
tuple!(10: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e, T5 5 f, T6 6 g, T7 7 h, T8 8 i, T9 9 j);
tuple!(11: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e, T5 5 f, T6 6 g, T7 7 h, T8 8 i, T9 9 j, T10 10 k);
tuple!(12: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e, T5 5 f, T6 6 g, T7 7 h, T8 8 i, T9 9 j, T10 10 k,
    T11 11 l);
tuple!(13: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e, T5 5 f, T6 6 g, T7 7 h, T8 8 i, T9 9 j, T10 10 k,
    T11 11 l, T12 12 m);
tuple!(14: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e, T5 5 f, T6 6 g, T7 7 h, T8 8 i, T9 9 j, T10 10 k,
    T11 11 l, T12 12 m, T13 13 n);
tuple!(15: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e, T5 5 f, T6 6 g, T7 7 h, T8 8 i, T9 9 j, T10 10 k,
    T11 11 l, T12 12 m, T13 13 n, T14 14 o);
tuple!(16: T0 0 a, T1 1 b, T2 2 c, T3 3 d, T4 4 e, T5 5 f, T6 6 g, T7 7 h, T8 8 i, T9 9 j, T10 10 k,
    T11 11 l, T12 12 m, T13 13 n, T14 14 o, T15 15 p);
