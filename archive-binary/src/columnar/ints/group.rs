//! Opens a column of integers that is read in groups.

use archive_core::Result;
use archive_core::columns;

use super::{Int, Ints, SIGN, mask, too_large};
use crate::cursor::{Cursor, offset};

/// Reads the column at the cursor, which has at least a value. `size` is the number of bytes of an
/// integer in memory, and `most` the largest one, if it is less than those bytes can store.
pub(crate) fn open_group<'r>(
    int: Int,
    rows: u64,
    size: usize,
    most: u64,
    from: &mut Cursor<'r>,
) -> Result<columns::Ints<'r>> {
    let at = from.at();
    let Ints { width, least, bytes, .. } = Ints::open(int, rows, from)?;
    let of = |least, flip| columns::Ints::new(bytes, (width, rows), (least, flip));
    let (flip, low) = if int.signed { (SIGN, SIGN - (1 << (8 * size - 1))) } else { (0, 0) };
    let high = most.min(u64::MAX >> (64 - 8 * size)).wrapping_add(low);
    let is_high = |difference| least.checked_add(difference).is_none_or(|value| value > high);
    if least < low || is_high(mask(width)) && is_high(of(0, 0).most()) {
        return Err(too_large().at(offset(at)));
    }
    Ok(of(least, flip))
}
