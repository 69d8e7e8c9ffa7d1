//! `OnceCell` and `OnceLock`: stored like an `Option`, as null or the value. Loading may replace an
//! existing value, because it has exclusive access.

use std::cell::OnceCell;
use std::sync::OnceLock;

use crate::model::error::Result;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element};
use crate::visit::serialize::{Save, Serialize};

macro_rules! once {
    ($($Once:ident),*) => { $(
        impl<T: Element> Serialize for $Once<T> {
            const SHAPE: &'static Shape = <Option<T> as Serialize>::SHAPE;
            const ABOUT: &'static About = &About::generic(stringify!($Once));
            const NULLABLE: bool = true;

            #[inline]
            fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
                super::option::saves_null(self.get(), options, levels)
            }

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                let mut value = self.take();
                let result = value.serialize(ar);
                if let Some(value) = value {
                    *self = $Once::from(value);
                }
                result
            }
        }
        impl<T: Element + Save> Save for $Once<T> {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                super::option::save(self.get(), ar)
            }
        }
        impl<T> Blank for $Once<T> {
            fn blank(_: &Options<'_>) -> Self {
                $Once::new()
            }
        }
    )* };
}
once!(OnceCell, OnceLock);
