//! `Wrapping`, `Saturating` and `Reverse`: stored as the value inside. `PhantomData` and the range
//! of everything: stored as nothing.

use std::cmp::Reverse;
use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};
use std::ops::RangeFull;

use crate::archive::Archive;
use crate::blank::{Blank, Element, unwrap_blank};
use crate::error::Result;
use crate::options::Options;
use crate::scalar::Scalar;
use crate::shape::Shape;
use crate::{Save, Serialize};

macro_rules! newtype {
    ($($Newtype:ident),*) => { $(
        impl<T: Serialize> Serialize for $Newtype<T> {
            const SHAPE: &'static Shape = T::SHAPE;
            const NULLABLE: bool = T::NULLABLE;
            const ITEMS_BY_HAND: bool = T::ITEMS_BY_HAND;

            #[inline]
            fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.0.load_item(ar)
            }

            #[inline]
            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.0.serialize(ar)
            }
            #[inline]
            fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.0.value(ar)
            }
        }
        impl<T: Save> Save for $Newtype<T> {
            #[inline]
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                self.0.save(ar)
            }
            #[inline]
            fn save_value<A: Archive>(&self, ar: &mut A) -> Result {
                self.0.save_value(ar)
            }
        }
        impl<T: Element> Blank for $Newtype<T> {
            fn blank(options: &Options<'_>) -> Self {
                unwrap_blank(Self::try_blank(options))
            }
            #[inline]
            fn try_blank(options: &Options<'_>) -> Result<Self> {
                T::fresh(options).map($Newtype)
            }
            #[inline]
            fn load_new<A: Archive>(ar: &mut A) -> Result<Self> {
                T::load_element(ar).map($Newtype)
            }
            #[inline]
            fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.0.load_element_over(ar)
            }
        }
    )* };
}
newtype!(Wrapping, Saturating, Reverse);

macro_rules! unit {
    ($([$($T:ident)?] $Unit:ty = $value:expr;)*) => { $(
        impl<$($T: ?Sized)?> Serialize for $Unit {
            const SHAPE: &'static Shape = <() as Serialize>::SHAPE;
            const NULLABLE: bool = true;

            #[inline]
            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                ar.scalar(Scalar::Unit)
            }
        }
        impl<$($T: ?Sized)?> Save for $Unit {
            #[inline]
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                ar.scalar(Scalar::Unit)
            }
        }
        impl<$($T: ?Sized)?> Blank for $Unit {
            fn blank(_: &Options<'_>) -> Self {
                $value
            }
        }
    )* };
}
unit! {
    [T] PhantomData<T> = PhantomData;
    [] RangeFull = ..;
}
