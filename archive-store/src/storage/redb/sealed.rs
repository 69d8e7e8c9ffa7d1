//! Values with a checksum, because redb verifies its own only when it repairs a file.
// Why: docs/decisions/store.md#rows-have-checksums

use crate::storage::checksum;

/// The length of the checksum at the end of a value, in bytes.
pub(super) const SEAL: usize = 4;

/// Writes a value and its checksum to a place that is [`SEAL`] bytes longer.
pub(super) fn seal(key: &[u8], value: &[u8], into: &mut [u8]) {
    let (bytes, end) = into.split_at_mut(value.len());
    bytes.copy_from_slice(value);
    end.copy_from_slice(&checksum(key, value).to_le_bytes());
}

/// Returns the value, or `None` if it is damaged.
pub(super) fn unseal<'a>(key: &[u8], sealed: &'a [u8]) -> Option<&'a [u8]> {
    let (value, end) = sealed.split_last_chunk::<SEAL>()?;
    (*end == checksum(key, value).to_le_bytes()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::{SEAL, seal, unseal};

    #[test]
    fn each_changed_bit_is_seen() {
        for value in [&b""[..], b"x", &[7; 300]] {
            let mut sealed = vec![0; value.len() + SEAL];
            seal(b"key", value, &mut sealed);
            assert_eq!(unseal(b"key", &sealed), Some(value));
            assert_eq!(unseal(b"kez", &sealed), None);
            for bit in 0..sealed.len() * 8 {
                sealed[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(unseal(b"key", &sealed), None, "bit {bit}");
                sealed[bit / 8] ^= 1 << (bit % 8);
            }
            assert_eq!(unseal(b"key", &sealed[..SEAL - 1]), None);
        }
    }

    #[test]
    fn the_checksum_is_that_of_existing_files() {
        let mut sealed = [0; 7];
        seal(b"key", b"abc", &mut sealed);
        assert_eq!(sealed[3..], [150, 151, 12, 250]);
    }
}
