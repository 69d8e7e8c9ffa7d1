//! Bodies for values and for their members, through `&` and through `&mut`; for values that nest
//! without an object around them; and for items of fixed sequences and entries of maps. Also the columns of
//! values that are saved and loaded several at once.

use super::{Save, Serialize};
use crate::model::columns::{Columns, GROUP, Taken};
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{Shape, ShapeOf};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Fresh;
use crate::visit::body::{Body, when};
use crate::visit::facts::BodyFacts;
use crate::visit::only_members;
use crate::visit::walk::misuse;

/// Visits the members with a hand-written function.
fn visit_by_hand<T: Serialize + ?Sized, A: Archive>(value: &mut T, ar: &mut A) -> Result {
    let Shape::Class(class) = T::SHAPE else { return value.serialize(ar) };
    only_members::visit(ar, class, |ar| value.serialize(ar))
}

/// Like [`visit_by_hand`], through a shared reference.
fn save_by_hand<T: Save + ?Sized, A: Archive>(value: &T, ar: &mut A) -> Result {
    let Shape::Class(class) = T::SHAPE else { return value.save(ar) };
    only_members::visit(ar, class, |ar| value.save(ar))
}

/// Saves the members of a derived type. The compiler would inline them in several places.
#[inline(never)]
fn save_by_call<T: Save + ?Sized, A: Archive>(value: &T, ar: &mut A) -> Result {
    value.save(ar)
}

/// A [`Body`] that visits the members of a value.
pub struct Members<'a, T: ?Sized>(pub &'a mut T);

impl<T: Serialize + ?Sized> Body for Members<'_, T> {
    const FACTS: BodyFacts =
        BodyFacts { lookup: T::LOOKUP, completes: T::COMPLETES, ..BodyFacts::members(T::SHAPE) };

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match const { when!(matches!(Self::FACTS.by_hand, Some(true)), visit_by_hand::<T, A>) } {
            Some(visit) => visit(&mut *self.0, ar),
            None => self.0.serialize(ar),
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run_member<A: Archive>(&mut self, index: usize, ar: &mut A) -> Result {
        self.0.members(index, ar)
    }
    fn absent<A: Archive>(&mut self, index: usize, ar: &mut A) {
        self.0.absent_member(index, ar);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.finish_members(ar)
    }
}

/// A [`Body`] that saves the members of a value through a shared reference.
pub struct SavedMembers<'a, T: ?Sized>(pub &'a T);

impl<T: Save + ?Sized> Body for SavedMembers<'_, T> {
    const FACTS: BodyFacts = BodyFacts::members(T::SHAPE);

    #[inline]
    fn as_block(&self) -> Option<&[u8]> {
        self.0.as_block()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match const { when!(matches!(Self::FACTS.by_hand, Some(true)), save_by_hand::<T, A>) } {
            Some(save) => save(self.0, ar),
            None => match const { when!(A::KIND.saves_by_call, save_by_call::<T, A>) } {
                Some(save) => save(self.0, ar),
                None => self.0.save(ar),
            },
        }
    }
}

/// Saves a value in its slot.
impl<T: Save + ?Sized> Body for &T {
    const FACTS: BodyFacts = BodyFacts::value(T::SHAPE);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.save_value(ar)
    }
}

/// Saves or loads a value in its slot.
impl<T: Serialize + ?Sized> Body for &mut T {
    const FACTS: BodyFacts = BodyFacts::value(T::SHAPE);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.value(ar)
    }
}

/// A reference through which a value is saved: `&mut`, or `&` to a type with [`Save`].
pub trait Reference: Source {
    /// The type of the value.
    type Of: Serialize + ?Sized;
}

impl<T: Save + ?Sized> Reference for &T {
    type Of = T;
}

impl<T: Serialize + ?Sized> Reference for &mut T {
    type Of = T;
}

/// The argument of the `to_*` functions: `&value` of a type with [`Save`], or `&mut value` of any
/// type with [`Serialize`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved",
    label = "neither `&T` with `T: Save` nor `&mut T` with `T: Serialize`",
    note = "pass `&mut value`, or give a hand-written type `Save` by `archive::save_by_clone!(Type);`"
)]
pub trait Source: Body {
    /// Returns the shape of the value.
    #[doc(hidden)]
    fn shape(&self) -> &'static Shape;
}

impl<T: Save + ?Sized> Source for &T {
    #[inline]
    fn shape(&self) -> &'static Shape {
        shape_of_value::<T>(self)
    }
}

impl<T: Serialize + ?Sized> Source for &mut T {
    #[inline]
    fn shape(&self) -> &'static Shape {
        shape_of_value::<T>(self)
    }
}

/// Runs `visit` one level deeper, for values that nest without an object or a sequence around them.
///
/// # Errors
/// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit), and errors of `visit`.
#[doc(hidden)]
#[inline]
pub fn nested<A: Archive, R>(ar: &mut A, visit: impl FnOnce(&mut A) -> Result<R>) -> Result<R> {
    let (session, options) = ar.parts_mut();
    session.enter(options)?;
    let result = visit(ar)?;
    ar.session_mut().leave();
    Ok(result)
}

#[cold]
pub(crate) fn too_few(expected: usize, found: usize) -> Error {
    Error::new(ErrorKind::WrongLength, format_args!("expected {expected} items, found {found}"))
}

/// Visits one item of a sequence of `len` items; the item must exist. [`Walk::seq`](crate::Walk::seq) checks that
/// there are no further items.
///
/// # Errors
/// [`ErrorKind::WrongLength`] if the item does not exist, and errors of the body.
#[doc(hidden)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn tuple_item<A: Archive, B: Body>(
    ar: &mut A,
    index: usize,
    len: usize,
    body: &mut B,
) -> Result {
    if ar.item(index, body)? { Ok(()) } else { Err(too_few(len, index)) }
}

/// A key and a value, stored as a sequence of two.
pub(crate) struct Pair<'a, K, V>(pub(crate) &'a mut K, pub(crate) &'a mut V);

/// The shape of a pair for an encoder that has received the shape of the map.
const PAIR: &Shape =
    &Shape::Tuple(&[ShapeOf::untyped(|| &Shape::Any), ShapeOf::untyped(|| &Shape::Any)], None, "");

impl<K: Body, V: Body> Body for Pair<'_, K, V> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        struct Items<'a, K, V>(&'a mut K, &'a mut V);
        impl<K: Body, V: Body> Body for Items<'_, K, V> {
            #[inline]
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                tuple_item(ar, 0, 2, self.0)?;
                tuple_item(ar, 1, 2, self.1)?;
                Ok(())
            }
        }
        ar.seq(PAIR, 2, &mut Items(self.0, self.1))
    }
}

/// Saves values one by one: the default of [`Save::save_group`].
pub fn one_by_one<T: Save + ?Sized, A: Archive>(group: &[&T], ar: &mut A) -> Result {
    let start = columns(ar)?.at;
    for value in group {
        columns(ar)?.at = start;
        value.save_value(ar)?;
    }
    Ok(())
}

/// Returns the columns of an archive that has them.
#[inline(always)]
pub fn columns<A: Archive>(ar: &mut A) -> Result<&mut Columns> {
    match ar.columns() {
        Some(columns) => Ok(columns),
        None => Err(misuse()),
    }
}

/// Returns the shape of a value that is a root.
#[inline]
pub fn shape_of_value<T: Serialize + ?Sized>(value: &T) -> &'static Shape {
    match const { T::OWN_SHAPE } {
        Some(own) => (own.of)(value),
        None => T::SHAPE,
    }
}

/// Returns the shape of a root that is loaded with these options.
#[inline]
pub fn shape_of_new<T: Serialize>(options: &Options<'_>) -> &'static Shape {
    match const { T::OWN_SHAPE } {
        Some(own) => (own.new)(options),
        None => T::SHAPE,
    }
}

/// Saves a part of each value: the default of [`Save::save_part`].
#[inline(always)]
pub fn part_of<S, T: Save, A: Archive>(
    group: &[&S],
    part: impl Fn(&S) -> &T,
    ar: &mut A,
) -> Result {
    let Some(first) = group.first() else { return Ok(()) };
    let mut parts = [part(first); GROUP];
    parts.iter_mut().zip(group).for_each(|(to, value)| *to = part(value));
    T::save_group(&parts[..group.len().min(GROUP)], ar)
}

/// Returns whether the value in memory has the same size as its block.
#[inline]
pub(super) fn is_block<T: Serialize + ?Sized>(value: &T) -> bool {
    matches!(const { T::SHAPE.block_size() }, Some(size) if size.bytes == size_of_val(value))
}

/// Returns whether a value in memory has the same size as its block.
pub(super) const fn is_block_of<T: Serialize>() -> bool {
    match T::SHAPE.block_size() {
        Some(size) => size.bytes == size_of::<T>(),
        None => false,
    }
}

/// Finds the values of columns that a block lacks.
pub trait Fill: Copy {
    /// Whether the block lacks columns.
    fn lacks(self) -> bool;

    /// Fills the columns that the block lacks, from those of a `T` on, with the values of a new `T`. Returns
    /// `None` if they do not have one value each.
    fn fill<T: Save + Fresh>(self, columns: &mut [Taken<'_>]) -> Option<()>;
}

/// The columns of a block, in the order in which the function of a type visits a value.
#[derive(Debug)]
pub struct Takes<'c, 'r, F>(&'c mut [Taken<'r>], F);

impl<'c, 'r, F: Fill> Takes<'c, 'r, F> {
    /// Begins with the first column.
    pub fn new(columns: &'c mut [Taken<'r>], fill: F) -> Self {
        Takes(columns, fill)
    }

    /// Returns the next column.
    #[inline(always)]
    pub fn column(self) -> Option<(&'c mut Taken<'r>, Self)> {
        let (column, rest) = self.0.split_first_mut()?;
        Some((column, Takes(rest, self.1)))
    }

    /// Returns a function that takes values from the columns before these.
    #[inline(always)]
    pub fn with<T>(self, take: T) -> Option<(T, Self)> {
        Some((take, self))
    }

    /// Whether the block lacks columns.
    #[inline(always)]
    pub fn lacks(&self) -> bool {
        self.1.lacks()
    }

    /// Fills the columns that the block lacks, from those of a `T` on.
    #[cold]
    pub fn fill<T: Save + Fresh>(self) -> Option<Self> {
        self.1.fill::<T>(self.0)?;
        Some(self)
    }
}
