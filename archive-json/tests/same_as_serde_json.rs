//! The output, compared with that of `serde_json`.

use crate::common::{DEPTH, read, write, write_value};
use archive_core::{Encoder as _, Error, ErrorKind, Result};
use archive_json::{Decoder, Encoder};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The text of one scalar.
fn text(scalar: impl FnOnce(&mut Encoder<'_>) -> Result) -> String {
    let mut json = Encoder::new(false);
    scalar(&mut json).unwrap();
    json.into_string()
}

#[test]
fn layout_is_that_of_serde_json() {
    let tree = json!({
        "empty": [{}, [], "", null],
        "nested": {"a": [1, [2, {"b": {}}], true], "": {"\u{7f}\u{2028}": false}},
        "last": [[[]]],
    });
    for tree in [tree, json!([]), json!({}), json!(1), json!([[]]), json!({"a": {}})] {
        assert_eq!(write(&tree, false), serde_json::to_string(&tree).unwrap());
        assert_eq!(write(&tree, true), serde_json::to_string_pretty(&tree).unwrap());
    }
}

#[test]
fn every_character_is_escaped_as_serde_json_does() {
    for c in (0..0x300).filter_map(char::from_u32) {
        for text_around in [format!("{c}"), format!("0123456{c}89abcdef{c}{c}{}", "x".repeat(40))] {
            let written = text(|json| json.str(&text_around));
            assert_eq!(written, serde_json::to_string(&text_around).unwrap());
            assert_eq!(read(written.as_bytes()).unwrap(), Value::String(text_around));
        }
    }
}

#[test]
fn numbers_at_their_limits() {
    assert_eq!(text(|json| json.u128(u128::MAX)), u128::MAX.to_string());
    assert_eq!(text(|json| json.i128(i128::MIN)), i128::MIN.to_string());
    assert_eq!(text(|json| json.u64(u64::MAX)), u64::MAX.to_string());
    assert_eq!(text(|json| json.i8(-128)), "-128");
    assert_eq!(text(|json| json.f64(-0.0)), "-0.0");
    assert_eq!(text(|json| json.f32(0.1)), "0.1");
    assert_eq!(text(|json| json.f32(1e30)), "1e+30");
    assert_eq!(text(|json| json.f32(f32::NAN)), r#""NaN""#);
    assert_eq!(text(|json| json.f64(f64::INFINITY)), r#""inf""#);
    assert_eq!(text(|json| json.f64(f64::NEG_INFINITY)), r#""-inf""#);
    assert_eq!(text(|json| json.char('"')), r#""\"""#);
}

#[test]
fn bytes_are_numbers() {
    let bytes: Vec<u8> = (0..=255).collect();
    assert_eq!(text(|json| json.bytes(&bytes)), serde_json::to_string(&bytes).unwrap());
    assert_eq!(text(|json| json.bytes(&[])), "[]");
    let mut json = Encoder::new(true);
    json.bytes(&[1, 2]).unwrap();
    assert_eq!(json.into_bytes(), b"[\n  1,\n  2\n]");
}

#[test]
fn a_sink_gets_all_of_it_in_pieces() {
    let tree = json!(vec![json!({"name": "a unit with a name", "position": [1.5, -2.5]}); 10_000]);
    for pretty in [false, true] {
        let (mut whole, mut pieces) = (Vec::new(), 0);
        let mut sink = |piece: &[u8]| {
            whole.extend_from_slice(piece);
            pieces += 1;
            assert!(piece.len() < 65 * 1024);
            Ok(())
        };
        let mut json = Encoder::with_sink(pretty, &mut sink);
        write_value(&tree, &mut json).unwrap();
        assert!(json.finish().unwrap().is_empty());
        assert!(pieces > 5);
        assert!(whole == write(&tree, pretty).into_bytes());
    }
    let mut json = Encoder::new(false);
    json.null().unwrap();
    assert_eq!(json.finish().unwrap(), b"null");
}

#[test]
fn an_error_of_the_sink_ends_the_encoding() {
    let mut full = |_: &[u8]| Err(Error::new(ErrorKind::Io, "disk full"));
    let mut json = Encoder::with_sink(false, &mut full);
    assert_eq!(json.bytes(&[0; 100_000]).unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(json.finish().unwrap_err().kind(), ErrorKind::Io);
}

proptest! {
    #[test]
    fn floats(bits: u64) {
        use archive_core::Decoder as _;
        let (long, short) = (f64::from_bits(bits), f32::from_bits(bits as u32));
        if long.is_finite() {
            let written = text(|json| json.f64(long));
            prop_assert_eq!(&written, &serde_json::to_string(&long).unwrap());
            let back = Decoder::from_text(&written, DEPTH).f64().unwrap();
            prop_assert_eq!(back.to_bits(), long.to_bits());
        }
        if short.is_finite() {
            let written = text(|json| json.f32(short));
            prop_assert_eq!(&written, &serde_json::to_string(&short).unwrap());
            let back = Decoder::from_text(&written, DEPTH).f32().unwrap();
            prop_assert_eq!(back.to_bits(), short.to_bits());
        }
    }

    #[test]
    fn decimals_are_rounded_once(digits in 0..u64::MAX, shift in 0..64_u32, exponent in -60..60) {
        use archive_core::Decoder as _;
        let text = format!("{}e{exponent}", digits >> shift);
        let mut json = Decoder::from_text(&text, DEPTH);
        prop_assert_eq!(json.f64().unwrap().to_bits(), text.parse::<f64>().unwrap().to_bits());
        let expected = text.parse::<f32>().unwrap();
        match Decoder::from_text(&text, DEPTH).f32() {
            Ok(value) => prop_assert_eq!(value.to_bits(), expected.to_bits()),
            Err(error) => {
                prop_assert!(expected.is_infinite());
                prop_assert_eq!(error.kind(), ErrorKind::OutOfRange);
            }
        }
    }

    #[test]
    fn integers(value: i128, shift in 0..128_u32) {
        use archive_core::Decoder as _;
        let value = value >> shift;
        let written = text(|json| json.i128(value));
        prop_assert_eq!(&written, &value.to_string());
        let json = || Decoder::from_text(&written, DEPTH);
        prop_assert_eq!(json().i128().unwrap(), value);
        prop_assert_eq!(json().u128().ok(), u128::try_from(value).ok());
        prop_assert_eq!(json().i64().ok(), i64::try_from(value).ok());
        prop_assert_eq!(json().u64().ok(), u64::try_from(value).ok());
        prop_assert_eq!(json().u8().ok(), u8::try_from(value).ok());
        prop_assert_eq!(json().i16().ok(), i16::try_from(value).ok());
    }

    #[test]
    fn strings(value: String) {
        let written = text(|json| json.str(&value));
        prop_assert_eq!(&written, &serde_json::to_string(&value).unwrap());
        prop_assert_eq!(read(written.as_bytes()).unwrap(), Value::String(value));
    }
}
