//! `Option`: null or the value.

use crate::archive::{Archive, Body, loads};
use crate::blank::{Blank, Element};
use crate::body::Nothing;
use crate::error::Result;
use crate::options::Options;
use crate::serialize::{SavedValueOf, ValueOf};
use crate::shape::{Shape, shape_of};
use crate::{Save, Serialize};

/// Loads the value over the one that is there, or a new one.
struct Load<'a, T>(&'a mut Option<T>);

impl<T: Element> Body for Load<'_, T> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match self.0 {
            Some(value) => value.load_element_over(ar),
            None => {
                *self.0 = Some(T::load_element(ar)?);
                Ok(())
            }
        }
    }
}

impl<T: Element> Serialize for Option<T> {
    const SHAPE: &'static Shape = &Shape::Option(shape_of::<T>);
    const NULLABLE: bool = true;
    const TREES: bool = T::TREES;
    const OVERWRITES: bool = true;

    #[inline]
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if loads!(A, ar) {
            if !ar.option(Self::SHAPE, false, T::NULLABLE, &mut Load(self))? {
                *self = None;
            }
            return Ok(());
        }
        match self {
            Some(value) => ar.option(Self::SHAPE, true, T::NULLABLE, &mut ValueOf(value))?,
            None => ar.option(Self::SHAPE, false, T::NULLABLE, &mut Nothing)?,
        };
        Ok(())
    }
    #[inline]
    fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.value(ar).inspect_err(|_| *self = None)
    }
}

impl<T: Element + Save> Save for Option<T> {
    #[inline]
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        save(self.as_ref(), ar)
    }
}

/// Saves null or the value.
#[inline]
pub(super) fn save<T: Element + Save, A: Archive>(value: Option<&T>, ar: &mut A) -> Result {
    let shape = <Option<T> as Serialize>::SHAPE;
    match value {
        Some(value) => ar.option(shape, true, T::NULLABLE, &mut SavedValueOf(value))?,
        None => ar.option(shape, false, T::NULLABLE, &mut Nothing)?,
    };
    Ok(())
}

impl<T> Blank for Option<T> {
    #[inline]
    fn blank(_: &Options<'_>) -> Self {
        None
    }
    /// In place: the value is loaded over, from blank.
    #[inline]
    fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result
    where
        Self: Serialize,
    {
        self.value(ar)
    }
}
