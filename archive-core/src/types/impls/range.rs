//! Ranges: stored as objects with their bounds, as serde writes them.
// Why: docs/decisions/types.md#a-used-up-rangeinclusive-is-refused

use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};

use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{Class, NameOf, Shape};
use crate::state::options::Options;
use crate::types::derive::Named;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element, unwrap_blank};
use crate::visit::erased::loads;
use crate::visit::serialize::{Save, Serialize};
use crate::{__members, members};

__members!("a range" ((T:)) Range<T> { start () [] end () [] });
__members!("a range from" ((T:)) RangeFrom<T> { start () [] });
__members!("a range to" ((T:)) RangeTo<T> { end () [] });
__members!("a range to and with" ((T:)) RangeToInclusive<T> { end () [] });

macro_rules! blank {
    ($($Range:ident { $($bound:ident),* })*) => { $(
        impl<T: Element> Blank for $Range<T> {
            fn blank(options: &Options<'_>) -> Self {
                unwrap_blank(options)
            }
            fn try_blank(options: &Options<'_>) -> Result<Self> {
                Ok($Range { $($bound: T::fresh(options)?),* })
            }
        }
    )* };
}
blank!(Range { start, end } RangeFrom { start } RangeTo { end } RangeToInclusive { end });

/// The bounds of a [`RangeInclusive`], whose own fields are private.
struct Bounds<T> {
    start: T,
    end: T,
}
members!(impl<T> Bounds<T> { start, end });

/// Returns the error for a range that was iterated to its end. Such a range still has bounds, but a
/// range loaded from them would not be empty, and only iterating could empty it.
#[cold]
fn used_up() -> Error {
    Error::new(
        ErrorKind::Unsupported,
        "a `RangeInclusive` that was iterated to its end cannot be saved: its bounds do not show that it is empty",
    )
}

impl<T: Element + Save + PartialOrd> Serialize for RangeInclusive<T> {
    const NAME: &'static str = "RangeInclusive";
    const SHAPE: &'static Shape = &Shape::Class(
        &Class::new("RangeInclusive", NameOf::Type(std::any::type_name::<Self>), 0)
            .with_members(
                Some(<Bounds<T> as Named<0>>::MEMBERS),
                <Bounds<T> as Named<0>>::CLASS.size,
            )
            .with_meaning("a range with its end"),
    );

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.save(ar);
        }
        let blank = Self::try_blank(ar.options())?;
        let (start, end) = std::mem::replace(self, blank).into_inner();
        let mut bounds = Bounds { start, end };
        let result = bounds.serialize(ar);
        *self = bounds.start..=bounds.end;
        result
    }
}

impl<T: Element + Save + PartialOrd> Save for RangeInclusive<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        if self.is_empty() && self.start() <= self.end() {
            return Err(used_up());
        }
        let [start, end] = <Bounds<T> as Named<0>>::MEMBERS else { unreachable!() };
        ar.named(start, &mut self.start())?;
        ar.named(end, &mut self.end())
    }
}

impl<T: Element> Blank for RangeInclusive<T> {
    fn blank(options: &Options<'_>) -> Self {
        unwrap_blank(options)
    }
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        Ok(T::fresh(options)?..=T::fresh(options)?)
    }
}
