//! Parses digits, eight at a time.

/// Appends the digits from `at` on to `value`, which may wrap around. Returns the offset after
/// them.
#[inline]
pub(crate) fn digits(bytes: &[u8], mut at: usize, value: &mut u64) -> usize {
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let digits = u64::from_le_bytes(*word) ^ ZEROS;
        let non_digit_bits = non_digit_bits(digits);
        if non_digit_bits == 0 {
            // Advancing `at` does not depend on these digits, so the processor need not wait for
            // them.
            *value = value.wrapping_mul(SHORT_POWERS[8]).wrapping_add(join_digits(digits));
            at += 8;
            continue;
        }
        let count = non_digit_bits.trailing_zeros() as usize / 8;
        if count > 0 {
            // The shift drops the bytes that are not digits and puts zeros before the first digit.
            let joined = join_digits(digits << (8 * (8 - count)));
            *value = value.wrapping_mul(SHORT_POWERS[count]).wrapping_add(joined);
        }
        return at + count;
    }
    while let Some(digit @ 0..=9) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')) {
        *value = value.wrapping_mul(10).wrapping_add(digit.into());
        at += 1;
    }
    at
}

/// A text with a number and the text after it. The constant length makes bounds checks cheap.
pub(crate) type PaddedText = [u8; 32];

/// Like [`digits`], but returns `None` if the digits reach the end of the text.
#[inline(always)]
pub(crate) fn parse_padded(text: &PaddedText, mut at: usize, value: &mut u64) -> Option<usize> {
    loop {
        let digits = u64::from_le_bytes(*text.get(at..)?.first_chunk()?) ^ ZEROS;
        let non_digit_bits = non_digit_bits(digits);
        if non_digit_bits == 0 {
            *value = value.wrapping_mul(SHORT_POWERS[8]).wrapping_add(join_digits(digits));
            at += 8;
            continue;
        }
        let count = non_digit_bits.trailing_zeros() as usize / 8;
        // Shifts in two steps, since the count may be 0 and a shift by 64 overflows.
        let joined = join_digits(digits << (8 * (7 - count)) << 8);
        *value = value.wrapping_mul(SHORT_POWERS[count]).wrapping_add(joined);
        return Some(at + count);
    }
}

/// Copies a text that is shorter than `PaddedText` into `room`, which is filled with zeros.
#[cold]
pub(crate) fn padded<'r>(text: &[u8], room: &'r mut PaddedText) -> &'r PaddedText {
    for (to, from) in room.iter_mut().zip(text) {
        *to = *from;
    }
    room
}

/// Returns the offset after the digits that begin at `at`.
#[inline]
pub(crate) fn digits_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let non_digit_bits = non_digit_bits(u64::from_le_bytes(*word) ^ ZEROS);
        if non_digit_bits != 0 {
            return at + non_digit_bits.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);

/// The powers of ten that shift digits to the left.
const SHORT_POWERS: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Returns the high bit of each of the eight bytes that is not a digit. The result is exact up to
/// the first such byte. `b'0'` has already been removed from each byte (with XOR).
///
/// Adding 0x76 sets the high bit of every byte above 9. Carries come only from bytes whose high bit
/// was already set, so the lowest bit found is right.
#[inline]
fn non_digit_bits(digits: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    (digits.wrapping_add(ONES * 0x76) | digits) & (ONES * 0x80)
}

/// Returns the number of eight digits. Joins digits to pairs, pairs to fours, fours to eight.
#[inline]
fn join_digits(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul((10 << 8) + 1) >> 8;
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul((100 << 16) + 1) >> 16;
    (fours & 0x0000_ffff_0000_ffff).wrapping_mul((10_000 << 32) + 1) >> 32
}

#[cfg(test)]
mod tests {
    use super::{digits, digits_end, padded, parse_padded};

    #[test]
    fn a_stretch_of_digits_has_no_end() {
        assert_eq!(parse_padded(&[b'1'; 32], 0, &mut 0), None);
        assert_eq!(digits_end(&[b'1'; 100], 3), 100);
    }

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
                    assert_eq!(read(&text), (len, expected), "{byte} after {len}");
                    assert_eq!(digits_end(&text, 0), len, "{byte} after {len}");
                    let (mut room, mut value) = ([0; _], 0);
                    let text = text.first_chunk().unwrap_or_else(|| padded(&text, &mut room));
                    assert_eq!(parse_padded(text, 0, &mut value), Some(len), "{byte} after {len}");
                    assert_eq!(value, expected, "{byte} after {len}");
                }
            }
        }
    }
}
