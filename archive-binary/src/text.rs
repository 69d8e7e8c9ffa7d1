//! [`text`]: converts bytes to text, with a fast check for ASCII.
// Why: docs/decisions/limits-and-unsafe.md#five-files-of-the-library-have-unsafe-code
#![allow(unsafe_code)] // the check takes a good part of the time of loading short text; `bench/`, workload `log`

use std::str::{Utf8Error, from_utf8, from_utf8_unchecked};

/// The maximum length for which bytes are tested for ASCII first. Most text this short is ASCII,
/// and calling the complete validation takes longer than the test.
const SHORT: usize = 64;

/// Returns the bytes as text.
///
/// # Errors
/// An error if the bytes are not UTF-8.
#[inline]
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Utf8Error> {
    if bytes.len() <= SHORT && is_ascii(bytes) {
        // SAFETY: all bytes are ASCII, and ASCII is UTF-8.
        return Ok(unsafe { from_utf8_unchecked(bytes) });
    }
    from_utf8(bytes)
}

/// Returns whether all bytes are below 0x80. Tests eight at a time.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word));
    let rest = rest.iter().fold(0, |all, byte| all | byte);
    words & 0x8080_8080_8080_8080 == 0 && rest < 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library_has_it() {
        for len in 0..=SHORT + 9 {
            let mut bytes = vec![b'a'; len];
            assert_eq!(text(&bytes), from_utf8(&bytes));
            for at in 0..len {
                for odd in [0x7f, 0x80, 0xc3, 0xff] {
                    let kept = std::mem::replace(&mut bytes[at], odd);
                    assert_eq!(text(&bytes), from_utf8(&bytes), "{odd:#x} at {at} of {len}");
                    bytes[at] = kept;
                }
            }
        }
        assert_eq!(text("größer".as_bytes()), Ok("größer"));
    }
}
