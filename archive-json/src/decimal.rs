//! Finds the float nearest to a decimal, after Eisel and Lemire ("Number Parsing at a Gigabyte per
//! Second", 2021). Covers the powers of ten that fit 128 bits exactly, and those whose reciprocals
//! have enough precision in 128 bits for the result to be always right. The standard library
//! handles all other decimals.

/// The least and the greatest covered exponent of ten.
const MIN_EXPONENT: i32 = -27;
const MAX_EXPONENT: i32 = 55;

/// The powers of five, shifted so that the highest bit is set; rounded down, reciprocals rounded
/// up.
const POWERS: [u128; (MAX_EXPONENT - MIN_EXPONENT + 1) as usize] = {
    let mut powers = [0; (MAX_EXPONENT - MIN_EXPONENT + 1) as usize];
    let mut five = 1_u128;
    let mut q = 0;
    while q <= MAX_EXPONENT {
        powers[(q - MIN_EXPONENT) as usize] = five << five.leading_zeros();
        if q > 0 && q <= -MIN_EXPONENT {
            powers[(-q - MIN_EXPONENT) as usize] = reciprocal(five);
        }
        if q < MAX_EXPONENT {
            five *= 5;
        }
        q += 1;
    }
    powers
};

/// Returns the reciprocal of `divisor`, scaled by a power of two so that the highest bit is set,
/// and rounded up.
const fn reciprocal(divisor: u128) -> u128 {
    let (mut quotient, mut rest) = (0_u128, 1_u128);
    let mut left = 128 - divisor.leading_zeros() + 127;
    while left > 0 {
        rest <<= 1;
        quotient <<= 1;
        if rest >= divisor {
            rest -= divisor;
            quotient |= 1;
        }
        left -= 1;
    }
    quotient + 1
}

/// Returns the `f64` nearest to `digits` times ten to the power `exponent`, if that `f64` is a
/// normal number and the exponent is covered.
#[inline]
pub(crate) fn nearest(digits: u64, exponent: i32) -> Option<f64> {
    const BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let power = *POWERS.get(usize::try_from(exponent.checked_sub(MIN_EXPONENT)?).ok()?)?;
    if digits == 0 {
        return Some(0.0);
    }
    let zeros = digits.leading_zeros();
    let digits = digits << zeros;
    let (high, low) = product(digits, power);
    let upper = (high >> 63) as u32;
    let dropped = upper + 64 - BITS - 3;
    let mut mantissa = high >> dropped;
    // The power of two for the power of ten.
    let two = ((exponent * (152_170 + 65_536)) >> 16) + 63;
    let mut two = two + upper as i32 - zeros as i32 + 1023;
    if two <= 0 {
        return None;
    }
    // Halfway between two floats: round to the even one, if no bits were cut off.
    if low <= 1 && (-4..=23).contains(&exponent) && mantissa & 3 == 1 && mantissa << dropped == high
    {
        mantissa &= !1;
    }
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    if mantissa >= 2 << BITS {
        mantissa = 1 << BITS;
        two += 1;
    }
    if two >= 0x7ff {
        return None;
    }
    Some(f64::from_bits((two as u64) << BITS | (mantissa & !(1 << BITS))))
}

/// Returns the upper 64 bits of the product and the 64 bits below them. They are exact if the
/// result depends on them.
#[inline]
fn product(digits: u64, power: u128) -> (u64, u64) {
    const UNSURE: u64 = u64::MAX >> (f64::MANTISSA_DIGITS + 2);
    let digits = u128::from(digits);
    let first = digits * (power >> 64);
    let (mut high, mut low) = ((first >> 64) as u64, first as u64);
    if high & UNSURE == UNSURE {
        let second = ((digits * (power as u64 as u128)) >> 64) as u64;
        low = low.wrapping_add(second);
        high += u64::from(second > low);
    }
    (high, low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_what_the_standard_library_finds() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut draw = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut found = 0;
        for _ in 0..200_000 {
            let digits = draw() >> (draw() % 64);
            for exponent in MIN_EXPONENT - 1..=MAX_EXPONENT + 1 {
                if draw() % 16 != 0 {
                    continue;
                }
                let expected: f64 = format!("{digits}e{exponent}").parse().unwrap();
                if let Some(value) = nearest(digits, exponent) {
                    assert_eq!(value.to_bits(), expected.to_bits(), "{digits}e{exponent}");
                    found += 1;
                }
            }
        }
        assert!(found > 500_000, "{found}");
    }

    /// Decimals halfway between two floats, or as close to that as 19 digits allow.
    #[test]
    fn is_right_where_it_is_close() {
        for bits in 0..2_000_u64 {
            let float = f64::from_bits((1023 + 52 + bits % 11) << 52 | (bits * 0x1_2345_6789));
            let step = float.to_bits() + 1;
            let between = (float as u128 + f64::from_bits(step) as u128) / 2;
            for near in [between - 1, between, between + 1] {
                for exponent in [-3, 0, 2] {
                    let Ok(digits) = u64::try_from(near) else { continue };
                    let expected: f64 = format!("{digits}e{exponent}").parse().unwrap();
                    assert_eq!(nearest(digits, exponent), Some(expected), "{digits}e{exponent}");
                }
            }
        }
    }
}
