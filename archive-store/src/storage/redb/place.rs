//! Checks that the tree of pages is sound around a key.

use std::ops::Bound;

use redb::StorageError;

use super::handle::Table;
use super::sealed::unseal;

/// Returns whether the rows before and after the place of `key` are sound and in order. A damaged
/// page above the rows leads to another place, and a damaged key hides its row: the row seems not
/// to exist. `is_absent` says that no row with the key was found.
pub(super) fn is_sound(table: &Table, key: &[u8], is_absent: bool) -> Result<bool, StorageError> {
    let from = (Bound::Included(key), Bound::Unbounded);
    let before = (Bound::Unbounded, Bound::Excluded(key));
    if let Some(next) = table.range::<&[u8]>(from)?.next() {
        let (found, value) = next?;
        let is_after = if is_absent { found.value() > key } else { found.value() >= key };
        if !is_after || unseal(found.value(), value.value()).is_none() {
            return Ok(false);
        }
    }
    if let Some(last) = table.range::<&[u8]>(before)?.next_back() {
        let (found, value) = last?;
        return Ok(found.value() < key && unseal(found.value(), value.value()).is_some());
    }
    Ok(true)
}
