//! `Box`, `Rc` and `Arc` of text, paths and slices. They are loaded through the corresponding owned
//! type (`String`, `PathBuf`, `Vec`). An `Rc` or an `Arc` of these is a plain value, not a tracked
//! pointer: data shared by two of them is stored twice and is not shared after loading.
// Why: docs/decisions/types.md#rc-of-str-is-a-value

use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::model::error::Result;
use crate::model::shape::{About, Shape, TypeInfo};
use crate::pointer::{Boxed, BoxedSave};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element};
use crate::visit::erased::loads;
use crate::visit::serialize::{Save, Serialize};

/// Implements the traits for a boxed value of an unsized type.
macro_rules! boxed {
    ([$($T:ident)?] $Unsized:ty, $Owned:ty) => {
        impl<$($T: Element)?> Boxed for $Unsized {
            const SHAPE: &'static Shape = <$Unsized as Serialize>::SHAPE;
            const INFO: &'static TypeInfo = &TypeInfo::of_unsized(<$Unsized as Serialize>::ABOUT);
            const NULLABLE: bool = false;

            fn box_value<A: Archive>(this: &mut Box<Self>, ar: &mut A) -> Result {
                if !loads!(A, ar) {
                    return (**this).serialize(ar);
                }
                *this = Self::box_new(ar)?;
                Ok(())
            }
            fn box_blank(options: &Options<'_>) -> Result<Box<Self>> {
                <$Owned>::try_blank(options).map(Box::from)
            }
            fn box_new<A: Archive>(ar: &mut A) -> Result<Box<Self>> {
                <$Owned>::load_new(ar).map(Box::from)
            }
        }
        impl<$($T: Element + Save)?> BoxedSave for $Unsized {
            fn box_save<A: Archive>(&self, ar: &mut A) -> Result {
                self.save(ar)
            }
        }
    };
}

/// Implements the traits for a shared value of an unsized type.
macro_rules! shared {
    ($Pointer:ident [$($T:ident)?] $Unsized:ty, $Owned:ty) => {
        impl<$($T: Element + Save)?> Serialize for $Pointer<$Unsized> {
            const SHAPE: &'static Shape = <$Unsized as Serialize>::SHAPE;
            const ABOUT: &'static About = &About::around(
                stringify!($Pointer),
                &TypeInfo::of_unsized(<$Unsized as Serialize>::ABOUT),
            );

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                if !loads!(A, ar) {
                    return (**self).save(ar);
                }
                *self = <$Owned>::load_new(ar)?.into();
                Ok(())
            }
        }
        impl<$($T: Element + Save)?> Save for $Pointer<$Unsized> {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                (**self).save(ar)
            }
        }
        impl<$($T: Element + Save)?> Blank for $Pointer<$Unsized> {
            fn blank(options: &Options<'_>) -> Self {
                <$Owned>::blank(options).into()
            }
        }
    };
}

macro_rules! unsized_ {
    ($($generics:tt $Unsized:ty as $Owned:ty;)*) => { $(
        boxed!($generics $Unsized, $Owned);
        shared!(Rc $generics $Unsized, $Owned);
        shared!(Arc $generics $Unsized, $Owned);
    )* };
}
unsized_! {
    [] str as String;
    [] Path as PathBuf;
    [] OsStr as OsString;
    [] CStr as CString;
    [T] [T] as Vec<T>;
}
