//! Numbers load unchanged, and are written as short as possible.

use archive::{ErrorKind, json};
use proptest::prelude::*;

fn same<T>(value: T) -> T
where
    T: archive::Serialize + archive::Save + archive::Blank,
{
    json::from_str(&json::to_string(&value).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(crate::common::search::config(256))]

    #[test]
    fn floats_of_any_bits(bits in any::<u64>(), short in any::<u32>()) {
        let (float, short) = (f64::from_bits(bits), f32::from_bits(short));
        if float.is_nan() {
            prop_assert!(same(float).is_nan());
        } else {
            prop_assert_eq!(same(float).to_bits(), float.to_bits());
        }
        if !short.is_nan() {
            prop_assert_eq!(same(short).to_bits(), short.to_bits());
        }
    }

    #[test]
    fn decimals_are_rounded_as_the_standard_library_does(
        digits in "[0-9]{1,40}", fraction in "(\\.[0-9]{1,40})?", exponent in -400_i32..400, has in any::<bool>(),
        blanks in 0_usize..40,
    ) {
        let digits = digits.trim_start_matches('0');
        let whole = if digits.is_empty() { "0" } else { digits };
        let text = match has {
            true => format!("-{whole}{fraction}e{exponent}"),
            false => format!("{whole}{}", if fraction.is_empty() { ".0" } else { &fraction }),
        };
        let expected: f64 = text.parse().unwrap();
        let short: f32 = text.parse().unwrap();
        // Numbers are read in steps, as far as there is text.
        let text = text + &" ".repeat(blanks);
        match json::from_str::<f64>(&text) {
            Ok(value) => prop_assert_eq!(value.to_bits(), expected.to_bits(), "{}", text),
            Err(error) => {
                prop_assert_eq!(error.kind(), ErrorKind::OutOfRange);
                prop_assert!(expected.is_infinite(), "{}", text);
            }
        }
        if let Ok(value) = json::from_str::<f32>(&text) {
            prop_assert_eq!(value.to_bits(), short.to_bits(), "{}", text);
        }
    }

    #[test]
    fn integers_of_all_widths(a in any::<i128>(), b in any::<u128>(), shift in 0_u32..128) {
        let (a, b) = (a >> shift, b >> shift);
        prop_assert_eq!((same(a), same(b)), (a, b));
        prop_assert_eq!((same(a as i64), same(b as u64)), (a as i64, b as u64));
        prop_assert_eq!((same(a as i32), same(b as u16)), (a as i32, b as u16));
        prop_assert_eq!(json::to_string(&(a as i64)).unwrap(), (a as i64).to_string());
        prop_assert_eq!(json::to_string(&(b as u64)).unwrap(), (b as u64).to_string());
    }
}

/// Other characters after a number, or none.
#[test]
fn numbers_end_anywhere() {
    for len in 1..40 {
        let digits = &"1234567890".repeat(4)[..len];
        for count in 0..40 {
            let blanks = " ".repeat(count);
            let read = json::from_str::<u64>(&format!("{digits}{blanks}"));
            assert_eq!(read.ok(), digits.parse().ok(), "{digits} and {count} blanks");
            let read = json::from_str::<i64>(&format!("-{digits}{blanks}"));
            assert_eq!(read.ok(), format!("-{digits}").parse().ok(), "{digits} and {count} blanks");
            let text = format!("-{digits}.{digits}{blanks}");
            let expected: f64 = text.trim_end().parse().unwrap();
            assert_eq!(json::from_str::<f64>(&text).unwrap(), expected, "{text:?}");
            for wrong in ["-", "-.", ".", ".e1", "e", "x"] {
                let text = format!("{digits}{wrong}{blanks}");
                assert!(json::from_str::<f64>(&text).is_err(), "{text:?}");
                assert!(json::from_str::<u64>(&text).is_err(), "{text:?}");
                // A number that is not loaded.
                let text = format!("[[{text}]{blanks}]");
                assert!(json::from_str::<[(); 0]>(&text).is_err(), "{text:?}");
                assert!(
                    json::from_str::<Unread>(&format!("{{\"other\":{text}}}")).is_err(),
                    "{text:?}"
                );
            }
            for right in [digits.to_owned(), format!("-{digits}.{digits}"), format!("{digits}e5")] {
                let text = format!("{{\"other\":[{right}{blanks},[0],-0.5]{blanks}}}");
                json::from_str::<Unread>(&text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            }
        }
    }
}

#[derive(Debug, Default, archive::Serialize)]
struct Unread {
    value: u8,
}

#[test]
fn the_ends_of_the_ranges() {
    assert_eq!(
        same((u64::MAX, i64::MIN, i128::MIN, u128::MAX)),
        (u64::MAX, i64::MIN, i128::MIN, u128::MAX)
    );
    for float in [
        0.0,
        -0.0,
        5e-324,
        -5e-324,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ] {
        assert_eq!(same(float).to_bits(), float.to_bits(), "{float}");
    }
    for float in [0.0, -0.0, 1e-45_f32, f32::MIN_POSITIVE, f32::MAX, f32::INFINITY] {
        assert_eq!(same(float).to_bits(), float.to_bits(), "{float}");
    }
    assert!(same(f64::NAN).is_nan());
    // Halfway between two floats, and one more digit.
    for (text, expected) in [
        ("9007199254740993.0", 9007199254740992.0),
        ("9007199254740993.00000000000000000001", 9007199254740994.0),
        ("2.2250738585072011e-308", 2.225073858507201e-308),
        ("1.7976931348623157e308", f64::MAX),
    ] {
        assert_eq!(json::from_str::<f64>(text).unwrap(), expected, "{text}");
    }
    for text in ["1e-2147483648", "0.1e-99999999999", "0.0e2147483647", "0e99999999999"] {
        assert_eq!(json::from_str::<f64>(text).unwrap(), 0.0, "{text}");
        assert_eq!(json::from_str::<f32>(text).unwrap(), 0.0, "{text}");
    }
    for text in ["1e2147483647", "0.4e99999999999", "1.7976931348623159e308", "1e309", "-1e400"] {
        assert_eq!(json::from_str::<f64>(text).unwrap_err().kind(), ErrorKind::OutOfRange);
    }
}
