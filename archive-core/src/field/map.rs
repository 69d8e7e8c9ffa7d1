//! `#[archive(as_object)]`: a map as an object whose names are the keys.

use crate::archive::{Archive, Body, loads};
use crate::blank::Element;
use crate::error::Result;
use crate::impls::{sorted, wraps};
use crate::key;
use crate::serialize::{SavedValueOf, ValueOf};
use crate::shape::Shape;
use crate::value::CLASS;
use crate::{Save, Serialize};

/// A map, for fields with `#[archive(as_object)]`. It is loaded as its [`Serialize`] does, which
/// gets pairs and objects alike from [`Archive::map`] and [`Archive::entry`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no map",
    label = "has no `archive::field::Map`",
    note = "`#[archive(as_object)]` is for `BTreeMap`, `HashMap`, an `Option` of these, and types with `archive::field::Map`"
)]
#[allow(clippy::len_without_is_empty)] // nobody asks
pub trait Map: Serialize {
    /// The keys.
    type Key: Save;
    /// The values.
    type Value: Serialize;

    /// Whether the entries come in no particular order, so that they are sorted by their encoded
    /// keys to give the same file every time.
    const ARBITRARY: bool = false;

    /// The number of entries.
    fn len(&self) -> usize;
    /// The entries.
    fn entries(&self) -> impl Iterator<Item = (&Self::Key, &Self::Value)>;
    /// The entries, with values to be changed.
    fn entries_mut(&mut self) -> impl Iterator<Item = (&Self::Key, &mut Self::Value)>;
}

/// A field that `#[archive(as_object)]` can stand on: a [`Map`], or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no map",
    label = "has no `archive::field::Map`",
    note = "`#[archive(as_object)]` is for `BTreeMap`, `HashMap`, an `Option` of these, and types with `archive::field::Map`"
)]
pub trait ObjectField: Serialize {
    /// Saves the field; `sort` asks for an order that is the same every time.
    ///
    /// # Errors
    /// Those of the archive; a key that cannot be a name.
    fn save_object<A: Archive>(&mut self, ar: &mut A, sort: bool) -> Result;
}

/// The shape of the field.
pub const fn object_shape<T: ObjectField>() -> &'static Shape {
    T::SHAPE
}

/// As [`ObjectField`], through a shared reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no map that can be saved through a shared reference",
    label = "no map with `Save`"
)]
pub trait SavedObjectField: ObjectField {
    /// As [`ObjectField::save_object`].
    ///
    /// # Errors
    /// As there.
    fn save_shared_object<A: Archive>(&self, ar: &mut A, sort: bool) -> Result;
}

#[diagnostic::do_not_recommend]
impl<M: Map> ObjectField for M {
    fn save_object<A: Archive>(&mut self, ar: &mut A, sort: bool) -> Result {
        let len = self.len();
        let entries = self.entries_mut().map(|(key, value)| (key, ValueOf(value)));
        save::<M, _, _, _>(ar, len, sort, entries)
    }
}

#[diagnostic::do_not_recommend]
impl<M: Map<Value: Save>> SavedObjectField for M {
    fn save_shared_object<A: Archive>(&self, ar: &mut A, sort: bool) -> Result {
        let entries = self.entries().map(|(key, value)| (key, SavedValueOf(value)));
        save::<M, _, _, _>(ar, self.len(), sort, entries)
    }
}

#[diagnostic::do_not_recommend]
impl<M: Map + Element> ObjectField for Option<M> {
    fn save_object<A: Archive>(&mut self, ar: &mut A, sort: bool) -> Result {
        struct Content<'a, M>(&'a mut Option<M>, bool);
        impl<M: Map> Body for Content<'_, M> {
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.0.as_mut().map_or(Ok(()), |map| map.save_object(ar, self.1))
            }
        }
        let present = self.is_some();
        let null = self.as_ref().is_some_and(|map| wraps(map, ar));
        ar.option(Self::SHAPE, present, null, &mut Content(self, sort)).map(drop)
    }
}

#[diagnostic::do_not_recommend]
impl<M: Map<Value: Save> + Element> SavedObjectField for Option<M> {
    fn save_shared_object<A: Archive>(&self, ar: &mut A, sort: bool) -> Result {
        struct Content<'a, M>(&'a Option<M>, bool);
        impl<M: Map<Value: Save>> Body for Content<'_, M> {
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.0.as_ref().map_or(Ok(()), |map| map.save_shared_object(ar, self.1))
            }
        }
        let present = self.is_some();
        let null = self.as_ref().is_some_and(|map| wraps(map, ar));
        ar.option(Self::SHAPE, present, null, &mut Content(self, sort)).map(drop)
    }
}

fn save<'k, M: Map, K: Save + 'k, V: Body, A: Archive>(
    ar: &mut A,
    len: usize,
    sort: bool,
    entries: impl Iterator<Item = (&'k K, V)>,
) -> Result {
    if sort && M::ARBITRARY {
        let entries = sorted(entries, |(key, _)| *key, ar.options())?;
        save_in_order(ar, M::SHAPE, len, entries.into_iter())
    } else {
        save_in_order(ar, M::SHAPE, len, entries)
    }
}

fn save_in_order<'k, K: Save + 'k, V: Body, A: Archive>(
    ar: &mut A,
    shape: &'static Shape,
    len: usize,
    entries: impl Iterator<Item = (&'k K, V)>,
) -> Result {
    if ar.fixed_shape() {
        ar.map(shape, len, &mut Pairs(Some(entries)))
    } else {
        ar.session_mut().size_hint = len;
        ar.object(&CLASS, &mut Names(Some(entries)))
    }
}

/// The entries as pairs.
pub(super) struct Pairs<I>(pub(super) Option<I>);

impl<'k, K: Save + 'k, V: Body, I: Iterator<Item = (&'k K, V)>> Body for Pairs<I> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, (key, mut value)) in self.0.take().into_iter().flatten().enumerate() {
            ar.entry(index, &mut SavedValueOf(key), &mut value)?;
        }
        Ok(())
    }
}

/// The entries as members.
struct Names<I>(Option<I>);

impl<'k, K: Save + 'k, V: Body, I: Iterator<Item = (&'k K, V)>> Body for Names<I> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, (key, mut value)) in self.0.take().into_iter().flatten().enumerate() {
            let name = key::name(key, ar.options()).map_err(|error| error.in_item(index))?;
            ar.save_key(&name, &mut Entry(&mut value))?;
        }
        Ok(())
    }
}

/// The value of an entry, which counts as the pair that it is elsewhere.
struct Entry<'a, V>(&'a mut V);

impl<V: Body> Body for Entry<'_, V> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (session, options) = ar.parts_mut();
        session.enter_entry(options)?;
        self.0.run(ar)?;
        ar.session_mut().leave();
        Ok(())
    }
}

/// The field as a [`Body`].
pub struct ObjectOf<'a, T, const SORT: bool>(pub &'a mut T);

impl<T: ObjectField, const SORT: bool> Body for ObjectOf<'_, T, SORT> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if loads!(A, ar) { self.0.value(ar) } else { self.0.save_object(ar, SORT) }
    }
}

/// The field behind a shared reference as a [`Body`].
pub struct SavedObjectOf<'a, T, const SORT: bool>(pub &'a T);

impl<T: SavedObjectField, const SORT: bool> Body for SavedObjectOf<'_, T, SORT> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save_shared_object(ar, SORT)
    }
}
