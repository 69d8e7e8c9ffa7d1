//! Digits, eight at a time.

/// Appends the digits from `at` on to `value`, which may wrap around. The answer is where they end.
#[inline]
pub(crate) fn digits(bytes: &[u8], mut at: usize, value: &mut u64) -> usize {
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let digits = u64::from_le_bytes(*word) ^ ZEROS;
        let count = leading_digits(digits);
        if count == 0 {
            return at;
        }
        at += count;
        // Those that are none are pushed out at the top, and zeros come in before the first.
        let joined = join_digits(digits << (8 * (8 - count)));
        *value = value.wrapping_mul(SHORT_POWERS[count]).wrapping_add(joined);
        if count < 8 {
            return at;
        }
    }
    while let Some(digit @ 0..=9) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')) {
        *value = value.wrapping_mul(10).wrapping_add(digit.into());
        at += 1;
    }
    at
}

const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);

/// The powers of ten that move digits to the left.
const SHORT_POWERS: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// How many of eight bytes are digits before the first that is none; `b'0'` is taken from each already.
///
/// Adding 0x76 sets the high bit of whatever is more than 9. It carries only out of bytes that have
/// theirs set, so the lowest find is right.
#[inline]
fn leading_digits(digits: u64) -> usize {
    const ONES: u64 = u64::MAX / 0xff;
    let others = (digits.wrapping_add(ONES * 0x76) | digits) & (ONES * 0x80);
    others.trailing_zeros() as usize / 8
}

/// The number that eight digits spell: neighbours are joined to pairs, pairs to fours, fours to eight.
#[inline]
fn join_digits(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul((10 << 8) + 1) >> 8;
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul((100 << 16) + 1) >> 16;
    (fours & 0x0000_ffff_0000_ffff).wrapping_mul((10_000 << 32) + 1) >> 32
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn digits_and_nothing_else() {
        let read = |text: &[u8]| {
            let mut value = 0;
            (digits(text, 0, &mut value), value)
        };
        for len in 0..19 {
            let number = &b"1234567890987654321"[..len];
            let expected = str::from_utf8(number).unwrap().parse().unwrap_or(0);
            assert_eq!(read(number), (len, expected));
            for byte in (0..=255).filter(|byte: &u8| !byte.is_ascii_digit()) {
                for rest in [&b""[..], b"1", b"12345678", b"...................."] {
                    let text = [number, &[byte], rest].concat();
                    assert_eq!(read(&text), (len, expected), "{byte} behind {len}");
                }
            }
        }
    }
}
