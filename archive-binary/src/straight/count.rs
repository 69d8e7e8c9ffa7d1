//! How many items there are: no more than the input has bytes, and few that take none.

use archive_core::shape::{Class, Primitive, Shape};
use archive_core::{Error, ErrorKind, Options, Result};

use crate::cursor::{Cursor, offset, too_many};
use crate::shapes::is_empty;

/// Counts elements without bytes.
pub(super) struct Empty {
    left: u64,
    max: u64,
}

impl Empty {
    pub(super) fn new(options: &Options<'_>) -> Self {
        let max = options.get_limits().empty_elements;
        Empty { left: max, max }
    }

    /// The number of items that are made of such parts: either each takes a byte at least, or they are
    /// counted.
    #[inline(always)]
    pub(super) fn count(&mut self, data: &mut Cursor<'_>, item: &[&'static Shape]) -> Result<u64> {
        let at = data.at();
        let count = data.u64()?;
        if !item.iter().any(|part| has_bytes(part)) {
            self.count_empty(count, item, data, at)?;
        } else if count > data.left() as u64 {
            return Err(too_many(count, data.left(), at));
        }
        Ok(count)
    }

    #[cold]
    fn count_empty(
        &mut self,
        count: u64,
        item: &[&'static Shape],
        data: &Cursor<'_>,
        at: usize,
    ) -> Result {
        if !item.iter().all(|part| is_empty(part)) {
            let fits = count <= data.left() as u64;
            return if fits { Ok(()) } else { Err(too_many(count, data.left(), at)) };
        }
        match self.left.checked_sub(count) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                let what = "elements that take no bytes";
                Err(Error::too_many(self.max, what, "max_empty_elements").at(offset(at)))
            }
        }
    }
}

/// Whether values of that shape take a byte at least, where that is seen at once: in the shape, which is
/// a constant in most places, or in that of their first part.
#[inline(always)]
pub(crate) fn has_bytes(shape: &'static Shape) -> bool {
    match shape {
        Shape::Class(Class { members: Some([first, ..]), size: None, .. }) => {
            begins_with_bytes((first.shape)())
        }
        Shape::Tuple([first, ..], None) | Shape::Array(first, 1.., None) => {
            begins_with_bytes(first())
        }
        shape => begins_with_bytes(shape),
    }
}

#[inline(always)]
fn begins_with_bytes(shape: &'static Shape) -> bool {
    match shape {
        Shape::Primitive(primitive) => *primitive != Primitive::Unit,
        Shape::Class(Class { size, .. }) | Shape::Tuple(_, size) | Shape::Array(_, _, size) => {
            size.is_some()
        }
        _ => true,
    }
}

#[cold]
pub(super) fn more_items(at: usize) -> Error {
    let message = "the sequence has more items than were asked for";
    Error::new(ErrorKind::WrongLength, message).at(offset(at))
}
