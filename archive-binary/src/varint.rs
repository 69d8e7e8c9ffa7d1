//! Variable-length integers: LEB128, seven bits per byte, the lowest first; signed ones are
//! zigzag-coded before, so that small magnitudes are short whatever their sign.

/// Appends an unsigned integer of 64 bits or less.
#[inline]
pub(crate) fn put_u64(out: &mut Vec<u8>, value: u64) {
    if value < 1 << 7 {
        out.push(value as u8);
    } else if value < 1 << 14 {
        out.extend_from_slice(&[value as u8 | 0x80, (value >> 7) as u8]);
    } else {
        put_long(out, value);
    }
}

/// Appends a length and so many bytes.
#[inline]
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_u64(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn put_long(out: &mut Vec<u8>, mut value: u64) {
    let mut bytes = [0; 10];
    let mut len = 0;
    while value >= 0x80 {
        bytes[len] = value as u8 | 0x80;
        value >>= 7;
        len += 1;
    }
    bytes[len] = value as u8;
    // A copy of known length is a few instructions, one of unknown length a call.
    let end = out.len() + len + 1;
    out.extend_from_slice(&bytes);
    out.truncate(end);
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

/// How many bytes [`put_u64`] takes.
pub(crate) fn len_u64(value: u64) -> u64 {
    u64::from(64 - (value | 1).leading_zeros()).div_ceil(7)
}

/// Small magnitudes to small numbers: 0, -1, 1, -2 to 0, 1, 2, 3.
#[inline]
pub(crate) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// The inverse of [`zigzag`].
#[inline]
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// The inverse of the coding of [`put_i128`].
pub(crate) fn unzigzag_wide(value: u128) -> i128 {
    (value >> 1) as i128 ^ -((value & 1) as i128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        for shift in 0..64 {
            for value in [(1_u64 << shift) - 1, 1 << shift] {
                let mut out = Vec::new();
                put_u64(&mut out, value);
                assert_eq!(out.len() as u64, len_u64(value), "{value}");
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
