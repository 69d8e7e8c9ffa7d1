//! How many items there are: no more than the input has bytes, and few that take none.

use archive_core::session::EmptyElements;
use archive_core::{Error, ErrorKind, Result, Shape};

use crate::cursor::{Cursor, offset, too_many};
use crate::shapes::{has_bytes, is_empty};

/// The number of items that are made of such parts: either each takes a byte at least, or they are
/// counted.
#[inline(always)]
pub(super) fn count(
    data: &mut Cursor<'_>,
    item: &[&'static Shape],
    empty: &mut EmptyElements,
) -> Result<u64> {
    let at = data.at();
    let count = data.u64()?;
    if !item.iter().any(|part| has_bytes(part)) {
        count_empty(count, item, data, (at, empty))?;
    } else if count > data.left() as u64 {
        return Err(too_many(count, data.left(), at));
    }
    Ok(count)
}

#[cold]
fn count_empty(
    count: u64,
    item: &[&'static Shape],
    data: &Cursor<'_>,
    (at, empty): (usize, &mut EmptyElements),
) -> Result {
    if item.iter().all(|part| is_empty(part)) {
        return empty.count(count).map_err(|error| error.at(offset(at)));
    }
    if count <= data.left() as u64 { Ok(()) } else { Err(too_many(count, data.left(), at)) }
}

#[cold]
pub(super) fn more_items(at: usize) -> Error {
    let message = "the sequence has more items than were asked for";
    Error::new(ErrorKind::WrongLength, message).at(offset(at))
}
