//! Text: read as bytes that are checked in wide steps, and written in few.
#![allow(unsafe_code)] // a seventh of the time of loading short strings; see docs/ARCHITECTURE.md

use crate::varint::put_u64;
use std::str::{Utf8Error, from_utf8, from_utf8_unchecked};

/// Up to this length most text is ASCII, and calling for a more thorough look takes longer than the look.
const SHORT: usize = 64;

/// The bytes as text.
///
/// # Errors
/// If they are no UTF-8.
#[inline]
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Utf8Error> {
    if bytes.len() <= SHORT && is_ascii(bytes) {
        // SAFETY: all bytes are ASCII, and ASCII is UTF-8.
        return Ok(unsafe { from_utf8_unchecked(bytes) });
    }
    from_utf8(bytes)
}

/// Whether all bytes are below 0x80, eight at a time.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word));
    let rest = rest.iter().fold(0, |all, byte| all | byte);
    words & 0x8080_8080_8080_8080 == 0 && rest < 0x80
}

/// Appends a length and so many bytes.
#[inline]
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    const ROOM: usize = 32;
    let len = bytes.len();
    if len > ROOM {
        put_u64(out, len as u64);
        out.extend_from_slice(bytes);
        return;
    }
    // Copies of known length are a few instructions, one of unknown length a call: so the room is all
    // taken first, filled from both ends, and what is too much given back.
    let start = out.len();
    let mut room = [0; ROOM + 1];
    room[0] = len as u8;
    let text = &mut room[1..];
    if let (Some(first), Some(last)) = (bytes.first_chunk::<16>(), bytes.last_chunk::<16>()) {
        text[..16].copy_from_slice(first);
        text[len - 16..len].copy_from_slice(last);
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        text[..8].copy_from_slice(first);
        text[len - 8..len].copy_from_slice(last);
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        text[..4].copy_from_slice(first);
        text[len - 4..len].copy_from_slice(last);
    } else {
        for (place, byte) in text.iter_mut().zip(bytes) {
            *place = *byte;
        }
    }
    out.extend_from_slice(&room);
    out.truncate(start + 1 + len);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_all_kinds() {
        let text: Vec<u8> = (0..200).collect();
        for len in 0..text.len() {
            let mut out = vec![9];
            put_bytes(&mut out, &text[..len]);
            let mut expected = vec![9];
            put_u64(&mut expected, len as u64);
            expected.extend_from_slice(&text[..len]);
            assert_eq!(out, expected);
        }
    }

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
