//! `Wrapping`, `Saturating`, `Reverse`, `AssertUnwindSafe` and `ManuallyDrop`: stored as the value
//! inside. `PhantomData` and `RangeFull`: stored as nothing.

use std::cmp::Reverse;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::num::{Saturating, Wrapping};
use std::ops::RangeFull;
use std::panic::AssertUnwindSafe;

use crate::model::error::Result;
use crate::model::scalar::Scalar;
use crate::model::shape::{About, Shape, TypeInfo};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element, unwrap_blank};
use crate::visit::serialize::{Save, Serialize};

macro_rules! newtype {
    ($($Newtype:ident = $new:path, |$value:ident| $inner:expr;)*) => { $(
        impl<T: Serialize> Serialize for $Newtype<T> {
            const SHAPE: &'static Shape = T::SHAPE;
            const ABOUT: &'static About = &About::around(stringify!($Newtype), TypeInfo::of::<T>());
            const NULLABLE: bool = T::NULLABLE;
            const ITEMS_BY_HAND: bool = T::ITEMS_BY_HAND;

            #[inline]
            fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
                let $value = self;
                $inner.load_item(ar)
            }

            #[inline]
            fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
                let $value = self;
                $inner.saves_null(options, levels)
            }

            #[inline]
            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                let $value = self;
                $inner.serialize(ar)
            }
            #[inline]
            fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
                let $value = self;
                $inner.value(ar)
            }
        }
        impl<T: Save> Save for $Newtype<T> {
            #[inline]
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                let $value = self;
                $inner.save(ar)
            }
            #[inline]
            fn save_value<A: Archive>(&self, ar: &mut A) -> Result {
                let $value = self;
                $inner.save_value(ar)
            }
        }
        impl<T: Element> Blank for $Newtype<T> {
            fn blank(options: &Options<'_>) -> Self {
                unwrap_blank(options)
            }
            #[inline]
            fn try_blank(options: &Options<'_>) -> Result<Self> {
                T::fresh(options).map($new)
            }
            #[inline]
            fn load_new<A: Archive>(ar: &mut A) -> Result<Self> {
                T::load_element(ar).map($new)
            }
            #[inline]
            fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result {
                let $value = self;
                $inner.load_element_over(ar)
            }
        }
    )* };
}
newtype! {
    Wrapping = Wrapping, |it| it.0;
    Saturating = Saturating, |it| it.0;
    Reverse = Reverse, |it| it.0;
    AssertUnwindSafe = AssertUnwindSafe, |it| it.0;
    ManuallyDrop = ManuallyDrop::new, |it| **it;
}

macro_rules! unit {
    ($($name:literal [$($T:ident)?] $Unit:ty = $value:expr;)*) => { $(
        impl<$($T: ?Sized)?> Serialize for $Unit {
            const SHAPE: &'static Shape = <() as Serialize>::SHAPE;
            const ABOUT: &'static About = &About::named($name);
            const NULLABLE: bool = true;

            #[inline]
            fn saves_null(&self, _: &Options<'_>, _: u32) -> bool {
                true
            }

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
    "PhantomData" [T] PhantomData<T> = PhantomData;
    "RangeFull" [] RangeFull = ..;
}
