//! Whether a tree of pages leads to the place of a key.

use std::ops::Bound;

use redb::StorageError;

use super::handle::Table;

/// Returns whether the keys next to the place of `key` are on its two sides. A damaged page of the
/// tree above the rows leads to another place, where a row seems not to exist.
pub(super) fn is_found(table: &Table, key: &[u8]) -> Result<bool, StorageError> {
    let from = (Bound::Included(key), Bound::Unbounded);
    let before = (Bound::Unbounded, Bound::Excluded(key));
    if let Some(next) = table.range::<&[u8]>(from)?.next()
        && next?.0.value() < key
    {
        return Ok(false);
    }
    match table.range::<&[u8]>(before)?.next_back() {
        Some(last) => Ok(last?.0.value() < key),
        None => Ok(true),
    }
}
