//! `Pin<Box<T>>`: stored as the box. Loading replaces it by a new box, so that a pinned value never
//! moves.

use std::pin::Pin;

use crate::model::error::Result;
use crate::model::shape::{About, Shape, TypeInfo};
use crate::pointer::{Boxed, BoxedSave};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, unwrap_blank};
use crate::visit::erased::loads;
use crate::visit::serialize::{Save, Serialize};

impl<P: BoxedSave + ?Sized> Serialize for Pin<Box<P>> {
    const SHAPE: &'static Shape = P::SHAPE;
    const ABOUT: &'static About = &About::around("Pin", TypeInfo::of::<Box<P>>());
    const NULLABLE: bool = P::NULLABLE;

    #[inline]
    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        P::box_saves_null(self, options, levels)
    }

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.save(ar);
        }
        let mut new = P::box_blank(ar.options())?;
        P::box_members(&mut new, ar)?;
        *self = Box::into_pin(new);
        Ok(())
    }
    fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.save_value(ar);
        }
        *self = Box::into_pin(P::box_new(ar)?);
        Ok(())
    }
}

impl<P: BoxedSave + ?Sized> Save for Pin<Box<P>> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        (**self).box_save_members(ar)
    }
    fn save_value<A: Archive>(&self, ar: &mut A) -> Result {
        (**self).box_save(ar)
    }
}

impl<P: Boxed + ?Sized> Blank for Pin<Box<P>> {
    fn blank(options: &Options<'_>) -> Self {
        unwrap_blank(options)
    }
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        P::box_blank(options).map(Box::into_pin)
    }
}
