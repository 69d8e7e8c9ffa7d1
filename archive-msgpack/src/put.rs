//! Appends scalars, each with one check of the capacity. The width of a number is computed without
//! branches, because a branch on the width is unpredictable.

use archive_core::put::{self, padded};

/// Appends an integer in its smallest form. `value` has all its bits, sign-extended if it is
/// negative.
#[inline]
pub(crate) fn integer(out: &mut Vec<u8>, value: u64, negative: bool) {
    if value.wrapping_add(32) < 32 + 128 && (negative || value < 128) {
        out.push(value as u8);
    } else {
        wide(out, value, negative);
    }
}

/// Appends an integer that does not fit in a marker.
#[inline]
fn wide(out: &mut Vec<u8>, value: u64, negative: bool) {
    let sign = u64::from(negative);
    let bits = 64 - (value ^ sign.wrapping_neg()).leading_zeros() + u32::from(negative);
    // The widths are those of 8, 16, 32 and 64 bits.
    let width = 32 - (bits.wrapping_sub(1) >> 3).leading_zeros();
    let marker = 0xcc + 4 * sign as u8 + width as u8;
    number(out, marker, (value << (64 - (8 << width))).to_be_bytes(), 1 << width);
}

/// Appends an unsigned integer of one byte.
#[inline]
pub(crate) fn byte(out: &mut Vec<u8>, value: u8) {
    let large = u16::from(value >> 7);
    let bytes = (u16::from(value) << (8 * large)) | (0xcc * large);
    padded(out, &bytes.to_le_bytes(), 1 + usize::from(large));
}

/// Appends a signed integer of one byte.
#[inline]
pub(crate) fn signed_byte(out: &mut Vec<u8>, value: i8) {
    let large = u16::from(value < -32);
    let bytes = (u16::from(value as u8) << (8 * large)) | (0xd0 * large);
    padded(out, &bytes.to_le_bytes(), 1 + usize::from(large));
}

/// Appends an unsigned integer of two bytes.
#[inline]
pub(crate) fn short(out: &mut Vec<u8>, value: u16) {
    match value.to_be_bytes() {
        [0, low] => byte(out, low),
        [high, low] => out.extend_from_slice(&[0xcd, high, low]),
    }
}

/// Appends a marker, and the first `len` bytes of a number.
#[inline]
fn number(out: &mut Vec<u8>, marker: u8, bytes: [u8; 8], len: usize) {
    let [a, b, c, d, e, f, g, h] = bytes;
    padded(out, &[marker, a, b, c, d, e, f, g, h], 1 + len);
}

/// Appends the name of a member. `quoted` is the text of a JSON token: a quote, the name, a quote
/// and a colon. The first quote is replaced by the marker of the text.
#[inline]
pub(crate) fn name<const N: usize>(out: &mut Vec<u8>, quoted: &[u8; N], len: usize) {
    let at = out.len();
    padded(out, quoted, 1 + len);
    if let Some(first) = out.get_mut(at) {
        *first = 0xa0 | len as u8;
    }
}

/// Appends a text of less than 32 bytes.
#[inline]
pub(crate) fn text(out: &mut Vec<u8>, text: &[u8]) {
    put::all::<{ put::TEXT }>(out, 1 + text.len(), [&[0xa0 | text.len() as u8], text]);
}
