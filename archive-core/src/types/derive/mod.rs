//! The functions called by the code that `#[derive(Serialize)]` and the macros write. Not part of
//! the interface: names here change without notice.
// Why: docs/decisions/compile-time.md#as-little-as-possible-is-compiled-for-a-type

mod constants;
mod enums;

pub use constants::*;
pub use enums::*;

pub use crate::model::members::Named;
pub use crate::pointer::{Contains, InCell, save_cell_mut};

use crate::model::block_size::BlockSize;
use crate::model::error::Result;
use crate::model::shape::{Member, Shape, ShapeOf};
use crate::visit::archive::Archive;
use crate::visit::body::Body;
use crate::visit::facts::BodyFacts;
use crate::visit::restore::{Copies, Restore, Restoring};
use crate::visit::serialize::bodies::tuple_item;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::start::StartOver;

/// The items of a tuple struct (if `VARIANT` is 0) or of the tuple variant with the index
/// `VARIANT`.
pub trait Items<const VARIANT: usize> {
    /// The shape of each field that is not skipped.
    const ITEMS: &'static [ShapeOf];
    /// The shape of the sequence.
    const SHAPE: &'static Shape = &Shape::Tuple(Self::ITEMS, Self::SIZE, "");
    /// The [`block_size`](Shape::block_size) of the items together; variants have none.
    const SIZE: Option<BlockSize> = None;
}

/// Visits the fields of a tuple struct or of the current variant, without the object or sequence
/// around them.
pub trait Fields {
    /// [`BodyFacts::block`].
    const BLOCK: Option<BlockSize> = None;
    /// [`BodyFacts::typed`].
    const NEVER_ANY: bool = false;
    /// Whether all classes that contain the fields have lists of their members.
    const LISTED: bool;
    /// Visits the fields.
    fn fields<A: Archive>(&mut self, ar: &mut A) -> Result;
}

/// Like [`Fields`], through a shared reference.
pub trait SavedFields: Fields {
    /// Visits the fields.
    fn save_fields<A: Archive>(&self, ar: &mut A) -> Result;
}

const fn facts_of<T: Fields + ?Sized>() -> BodyFacts {
    BodyFacts {
        by_hand: if T::LISTED { Some(false) } else { None },
        ..BodyFacts::items(T::BLOCK, T::NEVER_ANY)
    }
}

/// A [`Body`] that visits [`Fields`].
pub struct FieldsOf<'a, T: ?Sized>(pub &'a mut T);

impl<T: Fields + ?Sized> Body for FieldsOf<'_, T> {
    const FACTS: BodyFacts = facts_of::<T>();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.fields(ar)
    }
}

/// A [`Body`] that saves [`SavedFields`].
pub struct SavedFieldsOf<'a, T: ?Sized>(pub &'a T);

impl<T: SavedFields + ?Sized> Body for SavedFieldsOf<'_, T> {
    const FACTS: BodyFacts = facts_of::<T>();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save_fields(ar)
    }
}

/// Used as an index of a member: all members, one after the other.
pub const ALL: usize = usize::MAX;

/// Visits a member. Unless the index is [`ALL`], the member was found before.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn member<T: Serialize, C: Copies<T>, S: StartOver<T>, A: Archive>(
    ar: &mut A,
    at: usize,
    info: &'static Member,
    mut value: &mut T,
    restore: Restore<C, S>,
) -> Result {
    if const { T::BY_HAND || T::ITEMS_BY_HAND } {
        member_body(ar, at, info, Restoring { value, restore })
    } else if const { !A::KIND.chooses_order } || at == ALL {
        ar.named(info, &mut value)
    } else {
        ar.found(info, &mut value)
    }
}

/// Like [`member`], with a body.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn member_body<B: Body, A: Archive>(
    ar: &mut A,
    at: usize,
    info: &'static Member,
    mut body: B,
) -> Result {
    if const { !A::KIND.chooses_order } || at == ALL {
        ar.named(info, &mut body)
    } else {
        ar.found(info, &mut body)
    }
}

/// Visits the item `index` of a sequence of exactly `count` items.
///
/// # Errors
/// [`ErrorKind::WrongLength`](crate::ErrorKind::WrongLength) if the sequence has no such item.
#[inline]
pub fn item<T: Serialize, C: Copies<T>, S: StartOver<T>, A: Archive>(
    ar: &mut A,
    index: usize,
    count: usize,
    mut value: &mut T,
    restore: Restore<C, S>,
) -> Result {
    if const { T::BY_HAND || T::ITEMS_BY_HAND } {
        tuple_item(ar, index, count, &mut Restoring { value, restore })
    } else {
        tuple_item(ar, index, count, &mut value)
    }
}

/// Like [`item`], through a shared reference.
#[inline]
pub fn save_item<T: Save + ?Sized, A: Archive>(
    ar: &mut A,
    index: usize,
    count: usize,
    mut value: &T,
) -> Result {
    tuple_item(ar, index, count, &mut value)
}

/// Visits the value of a newtype one level deeper. A type whose size is known cannot contain
/// itself, so it adds no level.
#[inline]
pub fn of_newtype<T: Serialize + ?Sized, A: Archive>(
    ar: &mut A,
    visit: impl FnOnce(&mut A) -> Result,
) -> Result {
    if const { T::SHAPE.block_size().is_some() } {
        visit(ar)
    } else {
        crate::visit::serialize::bodies::nested(ar, visit)
    }
}

/// Visits the only field of a type that is saved as that field.
#[inline]
pub fn inner<T: Serialize, C: Copies<T>, S: StartOver<T>, A: Archive>(
    ar: &mut A,
    value: &mut T,
    restore: Restore<C, S>,
) -> Result {
    of_newtype::<T, A>(ar, |ar| payload(ar, value, restore))
}

/// Visits the only value of a variant.
#[inline]
pub fn payload<T: Serialize, C: Copies<T>, S: StartOver<T>, A: Archive>(
    ar: &mut A,
    value: &mut T,
    restore: Restore<C, S>,
) -> Result {
    if const { T::BY_HAND || T::ITEMS_BY_HAND } {
        Restoring { value, restore }.run(ar)
    } else {
        value.value(ar)
    }
}

/// Visits the only field of the type `T`, which is saved as the value that the body visits.
#[inline]
pub fn inner_body<T: Serialize + ?Sized, B: Body, A: Archive>(ar: &mut A, mut body: B) -> Result {
    of_newtype::<T, A>(ar, |ar| body.run(ar))
}

/// Visits the item `index` of a sequence of `len` items.
///
/// # Errors
/// Errors of the body and of the archive; an error for a wrong number of items.
#[inline]
pub fn item_body<B: Body, A: Archive>(ar: &mut A, index: usize, len: usize, mut body: B) -> Result {
    tuple_item(ar, index, len, &mut body)
}

/// Like [`inner`], through a shared reference.
#[inline]
pub fn save_inner<T: Save + ?Sized, A: Archive>(ar: &mut A, value: &T) -> Result {
    of_newtype::<T, A>(ar, |ar| value.save_value(ar))
}
