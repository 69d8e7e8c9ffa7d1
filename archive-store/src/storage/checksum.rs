//! [`checksum`]: finds damaged rows.
// Why: docs/decisions/store.md#rows-have-checksums

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Returns the checksum of a row, for an engine that keeps one with each row because it does not verify its own files. It
/// covers the key, so that a value is not mistaken for that of another key.
///
/// It is the lower half of the XXH3-64 of the value, whose seed is the XXH3-64 of the key.
///
/// ```
/// use archive::store::storage::checksum;
///
/// assert_eq!(checksum(b"key", b"abc"), 0xfa0c_9796);
/// ```
#[must_use]
pub fn checksum(key: &[u8], value: &[u8]) -> u32 {
    xxh3_64_with_seed(value, xxh3_64(key)) as u32
}
