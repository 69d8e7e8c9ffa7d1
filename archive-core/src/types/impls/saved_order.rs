//! The order in which sets and maps are written if their own order may differ between equal values. That is
//! the case for hash tables, and for keys with pointers, which may be ordered by address.

use std::vec::IntoIter;

use crate::format::saving::Saving;
use crate::format::sort_key::{self, SortKeyEncoder};
use crate::model::error::Result;
use crate::model::shape::{Shape, may_point};
use crate::visit::archive::Archive;
use crate::visit::body::Body;
use crate::visit::erased::Erased;
use crate::visit::facts::BodyFacts;
use crate::visit::serialize::Save;

/// Returns the items of a set or a map with an order of its own. The order is kept unless the keys
/// contain pointers.
pub(crate) fn keep_order<I: Iterator, K: Save>(
    items: I,
    key: impl for<'a> Fn(&'a I::Item) -> &'a K,
    ar: &mut impl Archive,
) -> Result<Either<I>> {
    if const { matches!(K::SHAPE, Shape::Primitive(..)) } || !may_point(K::SHAPE) {
        return Ok(Either::Kept(items));
    }
    Ok(Either::Sorted(sorted(items, key, ar)?.into_iter()))
}

/// Items in their own order, or sorted.
pub(crate) enum Either<I: Iterator> {
    Kept(I),
    Sorted(IntoIter<I::Item>),
}

impl<I: Iterator> Iterator for Either<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        match self {
            Either::Kept(items) => items.next(),
            Either::Sorted(items) => items.next(),
        }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Either<I> {
    fn len(&self) -> usize {
        match self {
            Either::Kept(items) => items.len(),
            Either::Sorted(items) => items.len(),
        }
    }
}

/// The items of a hash table. They are sorted when they are visited: an archive that only needs their number does not visit
/// them.
pub(crate) struct Unsorted<I, K, B> {
    items: Option<I>,
    key: K,
    body: B,
}

impl<I: Iterator, K, B> Unsorted<I, K, B> {
    /// `body` makes a body of the sorted items.
    pub(crate) fn new<T: ?Sized, R: Body>(items: I, key: K, body: B) -> Self
    where
        K: for<'a> Fn(&'a I::Item) -> &'a T,
        B: Fn(IntoIter<I::Item>) -> R,
    {
        Unsorted { items: Some(items), key, body }
    }
}

impl<I: Iterator, T: Save + ?Sized, K, B, R: Body> Body for Unsorted<I, K, B>
where
    K: for<'a> Fn(&'a I::Item) -> &'a T,
    B: Fn(IntoIter<I::Item>) -> R,
{
    const FACTS: BodyFacts = R::FACTS;

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let Some(items) = self.items.take() else { return Ok(()) };
        let items = sorted(items, &self.key, ar)?;
        (self.body)(items.into_iter()).run(ar)
    }
}

/// Returns the items in the order of their encoded keys.
///
/// In a key, a shared pointer is encoded as a number that identifies its object in the file. An
/// object without such a number is encoded as its content, without the content of other such
/// objects. The time is therefore proportional to the length of the keys, even for cycles.
pub(crate) fn sorted<I: Iterator, K: Save + ?Sized>(
    items: I,
    key: impl for<'a> Fn(&'a I::Item) -> &'a K,
    ar: &mut impl Archive,
) -> Result<Vec<I::Item>> {
    let (session, options) = ar.parts_mut();
    let mut sorted = Vec::new();
    // The order of these items may differ between equal values.
    if session.saved.is_in_order() && may_point(K::SHAPE) {
        return Ok(sorted);
    }
    sorted.extend(items);
    // Inside a key, the encoder sorts the items that it has encoded.
    if !session.saved.is_sorting() {
        let ranks = sort_key::ranks(sorted.len(), session, options, &mut |index, ar| {
            save_key(key(&sorted[index]), ar)
        })?;
        arrange(&mut sorted, ranks);
    }
    Ok(sorted)
}

/// Returns the ranks of keys without pointers in the order of their encodings. `save` saves the key with
/// an index. Returns `None` if these keys are part of a key, whose encoder sorts them.
///
/// # Errors
/// Those of `save`.
pub fn ranks_of(
    count: usize,
    ar: &mut impl Archive,
    save: &mut dyn FnMut(usize, &mut Erased<'_>) -> Result,
) -> Result<Option<Vec<usize>>> {
    let (session, options) = ar.parts_mut();
    if session.saved.is_sorting() {
        return Ok(None);
    }
    let ranks =
        sort_key::ranks(count, session, options, &mut |index, ar| save(index, &mut ar.erased()));
    ranks.map(Some)
}

/// Saves a key. Only keys that are one number or one text are compiled for the encoder. Most keys
/// are.
pub(super) fn save_key<K: Save + ?Sized>(key: &K, ar: &mut Saving<'_, SortKeyEncoder>) -> Result {
    if const { matches!(K::SHAPE, Shape::Primitive(..)) } {
        key.save_value(ar)
    } else {
        key.save_value(&mut ar.erased())
    }
}

/// Moves each item to the index given by its rank.
fn arrange<T>(items: &mut [T], mut ranks: Vec<usize>) {
    for index in 0..ranks.len() {
        while ranks[index] != index {
            let rank = ranks[index];
            items.swap(index, rank);
            ranks.swap(index, rank);
        }
    }
}
