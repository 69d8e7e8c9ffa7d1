//! A number that is an integer in the text and fits loads exactly, in every spelling; anything else is an
//! error. The model calculates with digits and uses nothing of the library.

use std::collections::BTreeMap;
use std::fmt::Display;

use archive::{Options, Value, json};
use archive_test_support::search;
use proptest::prelude::*;

/// A decimal: digits, and the power of ten by which they are multiplied.
#[derive(Clone, Debug)]
struct Big {
    is_negative: bool,
    digits: Vec<u8>,
    power: i64,
}

impl Big {
    /// Returns the digits of the integer without leading zeros; `None` if it is not an integer, or a
    /// very long one.
    fn integer(&self) -> Option<String> {
        let mut digits: Vec<u8> = self.digits.clone();
        let mut power = self.power;
        while power < 0 && digits.last().is_some_and(|digit| *digit == 0) {
            digits.pop();
            power += 1;
        }
        if digits.iter().all(|digit| *digit == 0) {
            return Some("0".to_owned());
        }
        if !(0..=60).contains(&power) {
            return None;
        }
        digits.extend((0..power).map(|_| 0));
        let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        let text = text.trim_start_matches('0');
        Some(if self.is_negative { format!("-{text}") } else { text.to_owned() })
    }
}

/// One spelling of a decimal.
#[derive(Clone, Debug)]
struct Spelled {
    text: String,
    big: Big,
}

/// Writes digits with a point in front of the last `places`, or of zeros after them, and an exponent.
fn spell(
    is_negative: bool,
    mut digits: Vec<u8>,
    places: usize,
    exponent: Option<i64>,
    style: u8,
) -> Spelled {
    let at_least = if style & 1 == 0 { 0 } else { places + 1 };
    while digits.len() < at_least.max(1) {
        digits.insert(0, 0);
    }
    let places = places.min(digits.len() - 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let text_of =
        |digits: &[u8]| -> String { digits.iter().map(|digit| char::from(b'0' + digit)).collect() };
    let whole = match text_of(whole).trim_start_matches('0') {
        "" => "0".to_owned(),
        whole => whole.to_owned(),
    };
    let mut text = if is_negative { format!("-{whole}") } else { whole };
    if !fraction.is_empty() {
        text += &format!(".{}", text_of(fraction));
    }
    if let Some(exponent) = exponent {
        let sign = if exponent >= 0 && style & 2 != 0 { "+" } else { "" };
        let zeros = if style & 4 != 0 { "00" } else { "" };
        let letter = if style & 8 != 0 { 'E' } else { 'e' };
        let minus = if exponent < 0 { "-" } else { "" };
        text += &format!("{letter}{sign}{minus}{zeros}{}", exponent.unsigned_abs());
    }
    let power = exponent.unwrap_or(0) - places as i64;
    Spelled { text, big: Big { is_negative, digits, power } }
}

/// Digits around interesting numbers: limits of types, powers of two and of ten, and others.
fn digits() -> impl Strategy<Value = Vec<u8>> {
    let near = |number: u128, off: i8| match off {
        off if off < 0 => number.saturating_sub(off.unsigned_abs().into()),
        off => number.saturating_add(off.unsigned_abs().into()),
    };
    let power_of_two = (0..128_u32, -2..3_i8).prop_map(move |(bits, off)| near(1 << bits, off));
    let power_of_ten =
        (0..39_u32, -2..3_i8).prop_map(move |(places, off)| near(10_u128.pow(places), off));
    let known =
        prop::sample::select(vec![36_561_198_138_808_038, u128::MAX, 0, 9_007_199_254_740_993]);
    let number = prop_oneof![power_of_two, power_of_ten, any::<u128>(), known, (0..300_u128)];
    let text = number.prop_map(|number| number.to_string().bytes().map(|b| b - b'0').collect());
    prop_oneof![9 => text, 1 => prop::collection::vec(0..10_u8, 1..45)]
}

fn spelled() -> impl Strategy<Value = Spelled> {
    (any::<bool>(), digits(), 0..8_usize, 0..12_usize, prop::option::of(-45..45_i64), 0..16_u8)
        .prop_map(|(is_negative, mut digits, zeros, places, exponent, style)| {
            digits.extend((0..zeros).map(|_| 0));
            spell(is_negative, digits, places, exponent, style)
        })
}

/// Another spelling of a number, so that most are integers: the point moves, and the exponent with it.
fn integral() -> impl Strategy<Value = Spelled> {
    (any::<bool>(), digits(), 0..45_usize, 0..12_usize, 0..16_u8, any::<bool>()).prop_map(
        |(is_negative, mut digits, places, zeros, style, exponent)| {
            digits.extend((0..zeros).map(|_| 0));
            let places = places.min(digits.len().saturating_sub(1));
            let exponent = places as i64 - if exponent { zeros as i64 } else { 0 };
            let exponent = (exponent != 0 || style & 1 == 0).then_some(exponent);
            spell(is_negative, digits, places, exponent, style)
        },
    )
}

/// Compares the loaded value with the model.
fn check<T: Display>(
    how: &str,
    spelled: &Spelled,
    limits: [T; 2],
    loaded: Result<T, archive::Error>,
) -> Result<(), TestCaseError> {
    let wanted = spelled
        .big
        .integer()
        .filter(|digits| fits(digits, &limits[0].to_string(), &limits[1].to_string()));
    let name = std::any::type_name::<T>();
    match (loaded, wanted) {
        (Ok(value), Some(wanted)) => {
            prop_assert_eq!(value.to_string(), wanted, "{} {}: {}", how, name, &spelled.text);
        }
        (Ok(value), None) => {
            prop_assert!(false, "{how} {name}: {} became {value}", spelled.text);
        }
        // Through a float in a tree, a number may be refused.
        (Err(error), Some(wanted)) => {
            let is_refused = how == "tree" && error.to_string().contains("not exact enough");
            prop_assert!(is_refused, "{how} {name}: {} is {wanted}: {error}", spelled.text);
        }
        (Err(_), None) => {}
    }
    Ok(())
}

/// Compares integers as text.
fn fits(digits: &str, min: &str, max: &str) -> bool {
    let at_most = |one: &str, other: &str| (one.len(), one) <= (other.len(), other);
    match (digits.strip_prefix('-'), min.strip_prefix('-')) {
        (Some(digits), Some(min)) => at_most(digits, min),
        (Some(_), None) => false,
        (None, _) => at_most(digits, max),
    }
}

macro_rules! each {
    ($spelled:ident: $($ty:ty)*) => { $(
        let limits = [<$ty>::MIN, <$ty>::MAX];
        let text = &$spelled.text;
        check("typed", $spelled, limits, json::from_str::<$ty>(text))?;
        check("in a list", $spelled, limits, json::from_str::<Vec<$ty>>(&format!("[{text}]")).map(|list| list[0]))?;
        let read = json::from_reader::<$ty>(text.as_bytes());
        check("read", $spelled, limits, read)?;
        let report = json::from_slice_report::<$ty>(text.as_bytes(), &Options::new());
        check("reported", $spelled, limits, report.map(|(value, _)| value))?;
        // A fraction that a float cannot represent is lost in a tree.
        let tree = json::from_str::<Value>(text).ok();
        if let Some(tree) = tree.filter(|_| $spelled.big.integer().is_some()) {
            check("tree", $spelled, limits, tree.to::<$ty>())?;
            let again: Value = json::from_str(&json::to_string(&tree).unwrap()).unwrap();
            check("tree", $spelled, limits, again.to::<$ty>())?;
        }
        // In keys, only the form without leading zeros is a number.
        let keyed = json::from_str::<BTreeMap<$ty, u8>>(&format!("{{\"{text}\":1}}"));
        check("key", $spelled, limits, keyed.map(|map| *map.keys().next().unwrap()))?;
    )* };
}

fn all_types(spelled: &Spelled) -> Result<(), TestCaseError> {
    each!(spelled: u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);
    Ok(())
}

proptest! {
    #![proptest_config(search::config(8_000))]

    #[test]
    fn integers_are_exact_in_every_spelling(spelled in integral()) {
        all_types(&spelled)?;
    }

    #[test]
    fn other_numbers_are_not_integers(spelled in spelled()) {
        all_types(&spelled)?;
    }

    /// Floats are the nearest ones, also through trees.
    #[test]
    fn floats_are_the_nearest_ones(spelled in prop_oneof![spelled(), integral()]) {
        let (text, wanted) = (&spelled.text, spelled.text.parse::<f64>().unwrap());
        prop_assert_eq!(json::from_str::<f64>(text).unwrap().to_bits(), wanted.to_bits());
        let tree: Value = json::from_str(text).unwrap();
        prop_assert_eq!(tree.to::<f64>().unwrap(), wanted, "{}", text);
        // A tree is the same after a round trip.
        let again: Value = json::from_str(&json::to_string(&tree).unwrap()).unwrap();
        prop_assert_eq!(again, tree, "{}", text);
    }

    /// A tree contains exactly the floats that were written.
    #[test]
    fn trees_keep_floats(bits in any::<u64>(), exponent in 1023..1200_u64) {
        let float = f64::from_bits(bits & !(0x7ff << 52) | exponent << 52);
        let tree = Value::from(float);
        let again: Value = json::from_str(&json::to_string(&tree).unwrap()).unwrap();
        prop_assert_eq!(again, tree);
    }
}

#[test]
fn reported_numbers() {
    assert_eq!(json::from_str::<i64>("36561198138808038.0").unwrap(), 36_561_198_138_808_038);
    assert_eq!(json::from_str::<i64>("1e3").unwrap(), 1000);
    assert_eq!(json::from_str::<u8>("12.50e1").unwrap(), 125);
    assert_eq!(json::from_str::<u8>("-0.0").unwrap(), 0);
    assert_eq!(json::from_str::<i128>("1e23").unwrap(), 10_i128.pow(23));
    assert_eq!(
        json::from_str::<u128>("340282366920938463463374607431768211455.0").unwrap(),
        u128::MAX
    );
    assert_eq!(
        json::from_str::<i128>("-1.70141183460469231731687303715884105728e38").unwrap(),
        i128::MIN
    );
    let tree: Value = json::from_str("[36561198138808038.0,1e23]").unwrap();
    assert_eq!(tree[0].as_i64(), Some(36_561_198_138_808_038));
    assert_eq!(tree[0].to::<i64>().unwrap(), 36_561_198_138_808_038);
    let error = tree[1].to::<i128>().unwrap_err();
    assert_eq!(error.to_string(), "the float 1e23 is not exact enough for i128");
    for (text, message) in [
        ("0.99999999999999999999", "expected u8, found a number with a fraction"),
        ("1e-400", "expected u8, found a number with a fraction"),
        ("2.5", "expected u8, found 2.5"),
        ("25.6e1", "256.0 does not fit u8"),
        ("1e400", "a long number"),
    ] {
        let error = json::from_str::<u8>(text).unwrap_err();
        assert!(error.to_string().contains(message) || text == "1e400", "{text}: {error}");
    }
}
