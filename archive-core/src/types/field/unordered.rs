//! `#[archive(unordered)]`: saves hash maps and hash sets in the order of their tables.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::types::impls::map::Entries;
use crate::types::impls::{Items, wraps};
use crate::visit::archive::Archive;
use crate::visit::blank::Element;
use crate::visit::body::Body;
use crate::visit::erased::loads;
use crate::visit::serialize::{Save, Serialize};

/// A container without an order of its own, for fields with `#[archive(unordered)]`. It is saved
/// without sorting.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has an order of its own",
    label = "has no `archive::field::Unordered`",
    note = "`#[archive(unordered)]` is for `HashMap`, `HashSet`, an `Option` of these, and types with `archive::field::Unordered`"
)]
pub trait Unordered: Serialize {
    /// Saves the items in any order.
    fn save_unordered<A: Archive>(&mut self, ar: &mut A) -> Result;
}

/// If this is in the [context](crate::Options::provide), fields with `#[archive(unordered)]` are
/// sorted like all others, so that equal values are saved equally.
#[derive(Clone, Copy, Debug)]
pub struct Sorted;

fn sorts<A: Archive>(ar: &A) -> bool {
    ar.context::<Sorted>().is_some() || ar.session().saved.is_in_order()
}

/// Returns the shape of the field.
pub const fn unordered_shape<T: Unordered>() -> &'static Shape {
    T::SHAPE
}

/// Like [`Unordered`], through a shared reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has an order of its own, or no `Save`",
    label = "has no `archive::field::SavedUnordered`"
)]
pub trait SavedUnordered: Unordered + Save {
    /// Saves the items in any order.
    fn save_shared_unordered<A: Archive>(&self, ar: &mut A) -> Result;
}

impl<K: Element + Save + Eq + Hash, V: Element, S: BuildHasher> Unordered for HashMap<K, V, S> {
    fn save_unordered<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.map(Self::SHAPE, self.len(), &mut Entries(self.iter_mut()))
    }
}

impl<K, V, S> SavedUnordered for HashMap<K, V, S>
where
    K: Element + Save + Eq + Hash,
    V: Element + Save,
    S: BuildHasher,
{
    fn save_shared_unordered<A: Archive>(&self, ar: &mut A) -> Result {
        ar.map(Self::SHAPE, self.len(), &mut Entries(self.iter()))
    }
}

impl<T: Element + Save + Eq + Hash, S: BuildHasher> Unordered for HashSet<T, S> {
    fn save_unordered<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.save_shared_unordered(ar)
    }
}

impl<T: Element + Save + Eq + Hash, S: BuildHasher> SavedUnordered for HashSet<T, S> {
    fn save_shared_unordered<A: Archive>(&self, ar: &mut A) -> Result {
        ar.seq(Self::SHAPE, self.len(), &mut Items(self.iter()))
    }
}

/// The value of an option, if there is one.
struct Present<B>(Option<B>);

impl<B: Body> Body for Present<B> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.as_mut().map_or(Ok(()), |body| body.run(ar))
    }
}

impl<T: Unordered + Element> Unordered for Option<T> {
    fn save_unordered<A: Archive>(&mut self, ar: &mut A) -> Result {
        let null = self.as_ref().is_some_and(|value| wraps(value, ar));
        let mut body = Present(self.as_mut().map(UnorderedOf));
        ar.option(Self::SHAPE, body.0.is_some(), null, &mut body).map(drop)
    }
}

impl<T: SavedUnordered + Element> SavedUnordered for Option<T> {
    fn save_shared_unordered<A: Archive>(&self, ar: &mut A) -> Result {
        let null = self.as_ref().is_some_and(|value| wraps(value, ar));
        let mut body = Present(self.as_ref().map(SavedUnorderedOf));
        ar.option(Self::SHAPE, body.0.is_some(), null, &mut body).map(drop)
    }
}

/// A [`Body`] that visits the field.
pub struct UnorderedOf<'a, T>(pub &'a mut T);

impl<T: Unordered> Body for UnorderedOf<'_, T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if loads!(A, ar) || sorts(ar) { self.0.value(ar) } else { self.0.save_unordered(ar) }
    }
}

/// A [`Body`] that saves the field through a shared reference.
pub struct SavedUnorderedOf<'a, T>(pub &'a T);

impl<T: SavedUnordered> Body for SavedUnorderedOf<'_, T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if sorts(ar) { self.0.save_value(ar) } else { self.0.save_shared_unordered(ar) }
    }
}
