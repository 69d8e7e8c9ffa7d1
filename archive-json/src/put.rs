//! Appends short pieces of text, and integers eight digits at a time.

pub(crate) use archive_core::put::{TEXT, all, padded, short};

/// Appends an integer.
#[inline]
pub(crate) fn integer(out: &mut Vec<u8>, value: u64) {
    const EIGHT: u64 = 100_000_000;
    if value < 1_000 {
        let digits = THREE[value as usize];
        let zeros = digits >> 24;
        padded(out, &(digits >> (8 * zeros)).to_le_bytes(), 3 - zeros as usize);
    } else if value < EIGHT {
        leading(out, value);
    } else if value < EIGHT * EIGHT {
        leading(out, value / EIGHT);
        out.extend_from_slice(&(spread(value % EIGHT) | ZEROS).to_le_bytes());
    } else {
        leading(out, value / (EIGHT * EIGHT));
        out.extend_from_slice(&(spread(value / EIGHT % EIGHT) | ZEROS).to_le_bytes());
        out.extend_from_slice(&(spread(value % EIGHT) | ZEROS).to_le_bytes());
    }
}

/// For each number below 1,000 its three digits as text, and in the last byte how many of them are
/// zeros in front of it.
static THREE: [u32; 1_000] = {
    let mut all = [0; 1_000];
    let mut value = 0;
    while value < all.len() {
        let zeros = (value < 10) as u8 + (value < 100) as u8;
        let (first, second, third) = (value / 100, value / 10 % 10, value % 10);
        let digits = [b'0' + first as u8, b'0' + second as u8, b'0' + third as u8, zeros];
        all[value] = u32::from_le_bytes(digits);
        value += 1;
    }
    all
};

const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);

/// Appends a number of one to eight digits that is not 0.
#[inline]
fn leading(out: &mut Vec<u8>, value: u64) {
    let digits = spread(value);
    let zeros = digits.trailing_zeros() / 8;
    let text = (digits | ZEROS) >> (8 * zeros);
    padded(out, &text.to_le_bytes(), 8 - zeros as usize);
}

/// Returns the eight digits of a number, one in each byte, the first in the lowest byte. Splits
/// eight digits into fours, fours into pairs, pairs into single digits. Divides by multiplying with
/// rounded reciprocals, which is exact in their range.
#[inline]
fn spread(value: u64) -> u64 {
    let fours = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let pairs = hundreds | ((fours - 100 * hundreds) << 16);
    let tens = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    tens | ((pairs - 10 * tens) << 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_what_the_standard_library_writes() {
        let written = |value: u64| {
            let mut out = b"<".to_vec();
            integer(&mut out, value);
            String::from_utf8(out).unwrap()
        };
        for value in (0..100_000).chain((0..100_000_000).step_by(997)) {
            assert_eq!(written(value), format!("<{value}"));
        }
        for shift in 0..64 {
            for around in [u64::MAX >> shift, 1 << shift, 0x9e37_79b9_7f4a_7c15 >> shift] {
                for value in [around.wrapping_sub(1), around, around.wrapping_add(1)] {
                    assert_eq!(written(value), format!("<{value}"));
                }
            }
        }
        for power in (0..20).map(|power| 10_u64.pow(power)) {
            for value in [power - 1, power, power + 1] {
                assert_eq!(written(value), format!("<{value}"));
            }
        }
    }
}
