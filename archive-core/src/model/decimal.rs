//! [`integer`]: converts a decimal in text, in any spelling, to an integer.

/// A decimal, converted to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// An integer.
    Int(i128),
    /// An integer above `i128::MAX`.
    UInt(u128),
    /// An integer that does not fit 128 bits.
    Large,
    /// Not an integer.
    Fraction,
}

/// Converts a decimal to an integer: `12`, `12.0`, `1.20e1` and `120e-1` are the same one. The text
/// has digits, and may have a sign, a point with digits after it and an exponent.
#[must_use]
pub fn integer(decimal: &str) -> Whole {
    let (mantissa, exponent) = decimal.split_once(['e', 'E']).unwrap_or((decimal, "0"));
    let is_negative = mantissa.starts_with('-');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = whole.trim_start_matches(['-', '+']).trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    // Without a fraction, zeros at the end belong to the power of ten.
    let last = if fraction.is_empty() { whole.trim_end_matches('0') } else { whole };
    let digits = || last.bytes().chain(fraction.bytes()).map(|digit| u128::from(digit & 0xf));
    if digits().all(|digit| digit == 0) {
        return Whole::Int(0);
    }
    let places = (whole.len() - last.len()) as i64 - fraction.len() as i64;
    let power = power(exponent).saturating_add(places);
    if power < 0 {
        return Whole::Fraction;
    }
    let append = |value: u128, digit| value.checked_mul(10)?.checked_add(digit);
    let mut value = digits().try_fold(0, append);
    for _ in 0..power {
        // At most 38 times, as the value is not zero.
        value = value.and_then(|value| value.checked_mul(10));
        if value.is_none() {
            return Whole::Large;
        }
    }
    match value {
        None => Whole::Large,
        Some(value) if is_negative => match 0_i128.checked_sub_unsigned(value) {
            Some(value) => Whole::Int(value),
            None => Whole::Large,
        },
        Some(value) => i128::try_from(value).map_or(Whole::UInt(value), Whole::Int),
    }
}

/// Returns an exponent. An exponent that does not fit is replaced by the largest one.
fn power(exponent: &str) -> i64 {
    match exponent.parse() {
        Ok(power) => power,
        Err(_) if exponent.starts_with('-') => i64::MIN,
        Err(_) => i64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_integers() {
        for (decimal, wanted) in [
            ("0", Whole::Int(0)),
            ("-0.0", Whole::Int(0)),
            ("0e999999999999999999999", Whole::Int(0)),
            ("0.000e-5", Whole::Int(0)),
            ("36561198138808038.0", Whole::Int(36_561_198_138_808_038)),
            ("1e3", Whole::Int(1000)),
            ("12.50e1", Whole::Int(125)),
            ("1250e-1", Whole::Int(125)),
            ("1250e-2", Whole::Fraction),
            ("-1.5", Whole::Fraction),
            ("1e-400", Whole::Fraction),
            ("1e-99999999999999999999", Whole::Fraction),
            ("0.99999999999999999999", Whole::Fraction),
            ("-170141183460469231731687303715884105728", Whole::Int(i128::MIN)),
            ("-1.70141183460469231731687303715884105728e38", Whole::Int(i128::MIN)),
            ("-170141183460469231731687303715884105729", Whole::Large),
            ("170141183460469231731687303715884105727.000", Whole::Int(i128::MAX)),
            ("170141183460469231731687303715884105728", Whole::UInt(1 << 127)),
            ("340282366920938463463374607431768211455.0", Whole::UInt(u128::MAX)),
            ("340282366920938463463374607431768211456", Whole::Large),
            ("1e99999999999999999999", Whole::Large),
            ("100000000000000000000000000000000000000000e-3", Whole::Int(10_i128.pow(38))),
        ] {
            assert_eq!(integer(decimal), wanted, "{decimal}");
        }
    }
}
