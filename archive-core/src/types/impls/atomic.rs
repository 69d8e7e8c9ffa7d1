//! Atomics: stored as the number inside. Saving through a shared reference reads it once
//! (`SeqCst`).

use std::sync::atomic::*;

use crate::model::error::Result;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::serialize::{Save, Serialize};

macro_rules! atomic {
    ($($width:literal $Atomic:ident $inside:ident;)*) => { $(
        #[cfg(target_has_atomic = $width)]
        impl Serialize for $Atomic {
            const SHAPE: &'static Shape = <$inside as Serialize>::SHAPE;
            const ABOUT: &'static About = &About::named(stringify!($Atomic));

            #[inline]
            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.get_mut().serialize(ar)
            }
        }
        #[cfg(target_has_atomic = $width)]
        impl Save for $Atomic {
            #[inline]
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                self.load(Ordering::SeqCst).save(ar)
            }
        }
        #[cfg(target_has_atomic = $width)]
        impl Blank for $Atomic {
            #[inline]
            fn blank(_: &Options<'_>) -> Self {
                $Atomic::default()
            }
        }
    )* };
}
atomic! {
    "8" AtomicBool bool;
    "8" AtomicU8 u8;
    "16" AtomicU16 u16;
    "32" AtomicU32 u32;
    "64" AtomicU64 u64;
    "ptr" AtomicUsize usize;
    "8" AtomicI8 i8;
    "16" AtomicI16 i16;
    "32" AtomicI32 i32;
    "64" AtomicI64 i64;
    "ptr" AtomicIsize isize;
}
