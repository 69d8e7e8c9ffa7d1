//! Checks numbers of items: no more than the input has bytes, and few that take no bytes.

use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Result};

use super::late::Late;
use crate::cursor::{Cursor, offset, too_many};
use crate::shapes::{self, is_empty};

/// Reads the number of items that consist of the given parts. Each item takes at least a byte, or
/// the decoder counts the items. `beyond` more bytes follow the data.
#[inline(always)]
pub(super) fn count<const N: usize>(
    data: &mut Cursor<'_>,
    beyond: usize,
    item: &[&'static Shape; N],
    decoder: &mut Late<'_, '_>,
) -> Result<u64> {
    let at = data.at();
    let count = data.u64()?;
    let left = data.left() + beyond;
    // An iterator would be a function of its own, which does not know the shapes.
    let mut has_bytes = false;
    let mut part = 0;
    while part < N {
        has_bytes |= shapes::has_bytes(item[part]);
        part += 1;
    }
    if !has_bytes {
        count_empty(count, item, (left, at), decoder)?;
    } else if count > left as u64 {
        return Err(too_many(count, left, at));
    }
    Ok(count)
}

#[cold]
fn count_empty(
    count: u64,
    item: &[&'static Shape],
    (left, at): (usize, usize),
    decoder: &mut Late<'_, '_>,
) -> Result {
    if item.iter().all(|part| is_empty(part)) {
        decoder.get().count_empty(count, at)
    } else if count > left as u64 {
        Err(too_many(count, left, at))
    } else {
        Ok(())
    }
}

#[cold]
pub(crate) fn more_items(at: usize) -> Error {
    let message = "the sequence has more items than were loaded";
    Error::new(ErrorKind::WrongLength, message).at(offset(at))
}
