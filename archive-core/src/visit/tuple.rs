//! [`tuple_item`]: an item of a sequence of fixed length; [`Pair`]: an entry of a map as such a
//! sequence.

use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{Shape, ShapeOf};
use crate::visit::archive::Archive;
use crate::visit::body::Body;

#[cold]
pub(crate) fn too_few(expected: usize, found: usize) -> Error {
    Error::new(ErrorKind::WrongLength, format_args!("expected {expected} items, found {found}"))
}

/// Visits one item of a sequence of `len` items; the item must exist. [`Archive::seq`] checks that
/// there are no further items.
///
/// # Errors
/// [`ErrorKind::WrongLength`] if the item does not exist, and those of the body.
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
