//! `Cow`: stored as its value, whether borrowed or owned; loaded as owned.

use std::borrow::Cow;

use crate::model::error::Result;
use crate::model::shape::{About, Shape, TypeInfo};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element, Fresh, unwrap_blank};
use crate::visit::erased::loads;
use crate::visit::serialize::{Save, Serialize};

impl<B: Save + ToOwned + ?Sized> Serialize for Cow<'_, B>
where
    B::Owned: Element,
{
    const SHAPE: &'static Shape = <B::Owned as Serialize>::SHAPE;
    const ABOUT: &'static About = &About::around("Cow", TypeInfo::of::<B::Owned>());
    const NULLABLE: bool = <B::Owned as Serialize>::NULLABLE;

    #[inline]
    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        (**self).saves_null(options, levels)
    }

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        // A borrowed value is copied only when it is loaded over.
        if loads!(A, ar) { self.to_mut().serialize(ar) } else { (**self).save(ar) }
    }
    fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
        if loads!(A, ar) { self.load_over(ar) } else { (**self).save_value(ar) }
    }
}

impl<B: Save + ToOwned + ?Sized> Save for Cow<'_, B>
where
    B::Owned: Element,
{
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        (**self).save(ar)
    }
    fn save_value<A: Archive>(&self, ar: &mut A) -> Result {
        (**self).save_value(ar)
    }
}

impl<B: Save + ToOwned + ?Sized> Blank for Cow<'_, B>
where
    B::Owned: Element,
{
    fn blank(options: &Options<'_>) -> Self {
        unwrap_blank(options)
    }
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        B::Owned::fresh(options).map(Cow::Owned)
    }
    fn load_new<A: Archive>(ar: &mut A) -> Result<Self> {
        B::Owned::load_element(ar).map(Cow::Owned)
    }
    fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result {
        match self {
            Cow::Owned(value) => value.load_element_over(ar),
            Cow::Borrowed(_) => {
                *self = Self::load_new(ar)?;
                Ok(())
            }
        }
    }
}
