//! Variable-length integers: LEB128, seven bits per byte, the lowest bits first. Signed integers
//! are zigzag encoded first, so that small magnitudes are short with either sign.

/// Appends an unsigned integer of 64 bits or less.
#[inline]
pub(crate) fn put_u64(out: &mut Vec<u8>, value: u64) {
    if value < 1 << 7 {
        out.push(value as u8);
    } else if value < 1 << 14 {
        out.extend_from_slice(&[value as u8 | 0x80, (value >> 7) as u8]);
    } else {
        let (bytes, len) = encode_u64::<16>(value);
        // Copying a constant number of bytes takes one instruction, a variable number a call.
        let end = out.len() + len;
        out.extend_from_slice(&bytes);
        out.truncate(end);
    }
}

/// Appends the length of `bytes`, then the bytes.
#[inline]
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_u64(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Encodes an unsigned integer without a loop. Returns `N` bytes, and the number of them that are
/// used. `N` is 4 for less than 2^28, 8 for less than 2^56, and 16 for any value.
#[inline(always)]
pub(crate) fn encode_u64<const N: usize>(value: u64) -> ([u8; N], usize) {
    let len = len_u64(value) as usize;
    let mut bytes = [0; N];
    match N {
        4 => {
            let value = value as u32;
            let x = (value & 0x3fff) | (value & 0x0fff_c000) << 2;
            let x = (x & 0x007f_007f) | (x & 0x3f80_3f80) << 1;
            let more = CONTINUED as u32 & ((1 << (8 * len - 8)) - 1);
            bytes.copy_from_slice(&(x | more).to_le_bytes());
        }
        8 => {
            let more = CONTINUED & ((1 << (8 * len - 8)) - 1);
            bytes.copy_from_slice(&(spread(value) | more).to_le_bytes());
        }
        _ => {
            // The ninth byte holds seven bits, and the tenth the last one.
            let high = value >> 56;
            let high = (high & 0x7f) | (high & 0x80) << 1;
            let more = (u128::from(CONTINUED) | 0x80 << 64) & ((1 << (8 * len - 8)) - 1);
            let low = spread(value & ((1 << 56) - 1));
            let all = u128::from(low) | u128::from(high) << 64 | more;
            bytes.copy_from_slice(&all.to_le_bytes());
        }
    }
    (bytes, len)
}

/// Decodes the unsigned integer at the start of eight bytes without a loop. Returns it with the
/// number of bytes that it takes, or `None` if it is longer than eight bytes.
#[inline(always)]
pub(crate) fn decode_u64(word: u64) -> Option<(u64, usize)> {
    let ends = !word & CONTINUED;
    if ends == 0 {
        return None;
    }
    // Only the last byte of the integer has its highest bit clear.
    let bits = ends.trailing_zeros() + 1;
    let x = word & (u64::MAX >> (64 - bits)) & !CONTINUED;
    let x = (x & 0x007f_007f_007f_007f) | (x & 0x7f00_7f00_7f00_7f00) >> 1;
    let x = (x & 0x0000_3fff_0000_3fff) | (x & 0x3fff_0000_3fff_0000) >> 2;
    let x = (x & 0x0fff_ffff) | (x & 0x0fff_ffff_0000_0000) >> 4;
    Some((x, bits as usize / 8))
}

/// For each of eight bytes, the bit that is set if another byte follows.
const CONTINUED: u64 = 0x8080_8080_8080_8080;

/// Spreads the bits of a number below 2^56, seven to a byte.
#[inline(always)]
fn spread(value: u64) -> u64 {
    let x = (value & 0x0fff_ffff) | (value & 0x00ff_ffff_f000_0000) << 4;
    let x = (x & 0x0000_3fff_0000_3fff) | (x & 0x0fff_c000_0fff_c000) << 2;
    (x & 0x007f_007f_007f_007f) | (x & 0x3f80_3f80_3f80_3f80) << 1
}

/// Appends a signed integer of 64 bits or less.
#[inline]
pub(crate) fn put_i64(out: &mut Vec<u8>, value: i64) {
    put_u64(out, zigzag(value));
}

/// Appends an unsigned integer of 128 bits.
pub(crate) fn put_u128(out: &mut Vec<u8>, mut value: u128) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed integer of 128 bits.
pub(crate) fn put_i128(out: &mut Vec<u8>, value: i128) {
    put_u128(out, ((value << 1) ^ (value >> 127)) as u128);
}

/// Returns the number of bytes that [`put_u64`] writes.
#[inline]
pub(crate) fn len_u64(value: u64) -> u64 {
    // The number of bits divided by seven, rounded up, without a division.
    u64::from((64 - (value | 1).leading_zeros()) * 37 + 222) >> 8
}

/// Maps small magnitudes to small numbers: 0, -1, 1, -2 to 0, 1, 2, 3.
#[inline]
pub(crate) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// The inverse of [`zigzag`].
#[inline]
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Decodes the result of the varint of [`put_i128`].
pub(crate) fn unzigzag_wide(value: u128) -> i128 {
    (value >> 1) as i128 ^ -((value & 1) as i128)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes byte by byte, following the definition of LEB128.
    fn one_by_one(mut value: u64) -> Vec<u8> {
        let mut out = Vec::new();
        while value >= 0x80 {
            out.push(value as u8 | 0x80);
            value >>= 7;
        }
        out.push(value as u8);
        out
    }

    #[test]
    fn without_loops() {
        for shift in 0..64 {
            for value in [(1_u64 << shift) - 1, 1 << shift] {
                let mut out = Vec::new();
                put_u64(&mut out, value);
                assert_eq!(out.len() as u64, len_u64(value), "{value}");
                assert_eq!(out, one_by_one(value));
                let mut word = [0xa5; 8];
                let len = out.len();
                if len <= 8 {
                    word[..len].copy_from_slice(&out);
                    assert_eq!(decode_u64(u64::from_le_bytes(word)), Some((value, len)));
                    let (bytes, found) = encode_u64::<8>(value);
                    assert_eq!(&bytes[..found], out);
                } else {
                    word.copy_from_slice(&out[..8]);
                    assert_eq!(decode_u64(u64::from_le_bytes(word)), None);
                }
                if len <= 4 {
                    let (bytes, found) = encode_u64::<4>(value);
                    assert_eq!(&bytes[..found], out);
                }
            }
        }
        let mut out = Vec::new();
        put_u128(&mut out, u128::MAX);
        assert_eq!(out.len(), 19);
    }

    #[test]
    fn zigzags() {
        for value in [0, 1, -1, 2, i64::MAX, i64::MIN] {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
    }
}
