//! The order in which sets and maps are written if their own order may differ between equal values: that of
//! hash tables, and any order of pointers, which may be that of addresses.

use crate::format::sort_key;
use crate::model::error::Result;
use crate::model::shape::{Shape, may_point};
use crate::visit::archive::Archive;
use crate::visit::serialize::Save;

/// Saves the items of a set or a map with an order of its own, which is kept unless the keys contain
/// pointers.
///
/// # Errors
/// Those of the items.
pub(crate) fn keep_order<I: Iterator, K: Save, A: Archive>(
    items: I,
    key: impl for<'a> Fn(&'a I::Item) -> &'a K,
    ar: &mut A,
    save: impl FnOnce(Either<I>, &mut A) -> Result,
) -> Result {
    let points = const { !matches!(K::SHAPE, Shape::Primitive(..)) } && may_point(K::SHAPE);
    let items = if points {
        Either::Sorted(sorted(items, key, ar)?.into_iter())
    } else {
        Either::Kept(items)
    };
    save(items, ar)
}

/// Items in their own order, or sorted.
pub(crate) enum Either<I: Iterator> {
    Kept(I),
    Sorted(std::vec::IntoIter<I::Item>),
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

/// Returns the items in the order of their encoded keys.
///
/// In a key, a shared pointer is encoded as what identifies its object in the file. An object that
/// nothing identifies so far is encoded as its content, in which other such objects are left out.
/// So the time that this takes is proportional to the length of the keys, also in cycles.
///
/// # Errors
/// Those of the keys.
pub(crate) fn sorted<I: Iterator, K: Save + ?Sized>(
    items: I,
    key: impl for<'a> Fn(&'a I::Item) -> &'a K,
    ar: &mut impl Archive,
) -> Result<Vec<I::Item>> {
    let (session, options) = ar.parts_mut();
    // Equal values may have these items in another order.
    if session.saved.is_in_order() && may_point(K::SHAPE) {
        return Ok(Vec::new());
    }
    // Inside of a key, the encoder sorts what it has encoded.
    if session.saved.is_sorting() {
        return Ok(items.collect());
    }
    let outer = session.begin_sorting(false);
    let keyed = items.map(|item| {
        let bytes = sort_key::encode(session, options, |ar| key(&item).save_value(ar))?;
        Ok((bytes, item))
    });
    let keyed: Result<Vec<_>> = keyed.collect();
    session.end_sorting(outer);
    let mut keyed = keyed?;
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(keyed.into_iter().map(|(_, item)| item).collect())
}
