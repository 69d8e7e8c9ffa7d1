//! `io::Cursor`: stored as an object with the inner value and the position.

use std::io::Cursor;

use crate::members;
use crate::model::error::Result;
use crate::model::shape::{Class, NameOf, Shape};
use crate::state::options::Options;
use crate::types::derive::Named;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element, unwrap_blank};
use crate::visit::erased::loads;
use crate::visit::serialize::{Save, Serialize};

/// The parts of a [`Cursor`], whose own fields are private.
struct Parts<T> {
    inner: T,
    position: u64,
}
members!(impl<T> Parts<T> { inner, position });

impl<T: Element + Save> Serialize for Cursor<T> {
    const NAME: &'static str = "Cursor";
    const SHAPE: &'static Shape = &Shape::Class(
        &Class::new("Cursor", NameOf::Type(std::any::type_name::<Self>), 0)
            .with_members(Some(<Parts<T> as Named<0>>::MEMBERS), <Parts<T> as Named<0>>::CLASS.size)
            .with_meaning("a cursor"),
    );

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.save(ar);
        }
        let [inner, position] = <Parts<T> as Named<0>>::MEMBERS else { unreachable!() };
        ar.named(inner, &mut self.get_mut())?;
        let mut at = self.position();
        ar.named(position, &mut &mut at)?;
        self.set_position(at);
        Ok(())
    }
}

impl<T: Element + Save> Save for Cursor<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        let [inner, position] = <Parts<T> as Named<0>>::MEMBERS else { unreachable!() };
        ar.named(inner, &mut self.get_ref())?;
        ar.named(position, &mut &self.position())
    }
}

impl<T: Element> Blank for Cursor<T> {
    fn blank(options: &Options<'_>) -> Self {
        unwrap_blank(options)
    }
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        T::fresh(options).map(Cursor::new)
    }
}
