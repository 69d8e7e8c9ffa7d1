//! Values that the decoder reads, and its errors.

use crate::common::DEPTH;
use archive_core::shape::OBJECT;
use archive_core::{Decoder as _, ErrorKind, Kind, Number, Position, Primitive, Result, Shape};
use archive_json::Decoder;

fn json(text: &str) -> Decoder<'_> {
    Decoder::from_text(text, DEPTH)
}

/// Opens the object that is the whole text.
fn object(text: &str) -> Decoder<'_> {
    let mut json = json(text);
    json.begin_object(&OBJECT).unwrap();
    json
}

/// Requests members of integers, and returns the values of those that exist.
fn ask(json: &mut Decoder<'_>, names: &[&str]) -> Result<Vec<Option<i32>>> {
    names
        .iter()
        .map(|name| if json.member(name)? { json.i32().map(Some) } else { Ok(None) })
        .collect()
}

/// Closes an object and the input. Returns the names of the members that were not read.
fn unknown(mut json: Decoder<'_>) -> Result<Vec<String>> {
    let mut names = Vec::new();
    json.end_object(&mut |name| {
        names.push(name.to_owned());
        Ok(())
    })?;
    json.end()?;
    Ok(names)
}

#[test]
fn members_are_found_in_any_order() {
    let text = r#" { "a" : 1 , "b":2,"c": 3,"d":4 } "#;
    for names in [["a", "b", "c", "d"], ["d", "c", "b", "a"], ["c", "a", "d", "b"]] {
        let mut json = object(text);
        let expected: Vec<_> =
            names.iter().map(|name| Some((name.as_bytes()[0] - b'a') as i32 + 1)).collect();
        assert_eq!(ask(&mut json, &names).unwrap(), expected);
        assert_eq!(unknown(json).unwrap(), [""; 0]);
    }
}

#[test]
fn absent_and_unknown_members() {
    let mut json = object(r#"{"x":1,"a":2,"y":[{"a":3}],"b":4,"z":"}"}"#);
    assert_eq!(ask(&mut json, &["none", "a", "nil", "b"]).unwrap(), [None, Some(2), None, Some(4)]);
    assert_eq!(unknown(json).unwrap(), ["x", "y", "z"]);

    let mut json = object("{}");
    assert_eq!(ask(&mut json, &["a", "b"]).unwrap(), [None, None]);
    assert_eq!(unknown(json).unwrap(), [""; 0]);

    let mut json = object(r#"{"a":1,"b":2}"#);
    assert_eq!(ask(&mut json, &["a"]).unwrap(), [Some(1)]);
    assert_eq!(unknown(json).unwrap(), ["b"]);
}

#[test]
fn nested_objects_out_of_order() {
    let mut json = object(r#"{"o":{"b":2,"a":1,"u":0},"s":[{"b":4,"a":3}],"k":5}"#);
    assert_eq!(ask(&mut json, &["k"]).unwrap(), [Some(5)]);
    assert!(json.member("s").unwrap());
    json.begin_seq(&Shape::Any).unwrap();
    assert!(json.next_item().unwrap());
    json.begin_object(&OBJECT).unwrap();
    assert_eq!(ask(&mut json, &["a", "b"]).unwrap(), [Some(3), Some(4)]);
    json.end_object(&mut |_| unreachable!()).unwrap();
    assert!(!json.next_item().unwrap());
    json.end_seq().unwrap();
    assert!(json.member("o").unwrap());
    json.begin_object(&OBJECT).unwrap();
    assert_eq!(ask(&mut json, &["a", "b"]).unwrap(), [Some(1), Some(2)]);
    json.end_object(&mut |name| {
        assert_eq!(name, "u");
        Ok(())
    })
    .unwrap();
    assert_eq!(unknown(json).unwrap(), [""; 0]);
}

#[test]
fn keys_with_escapes() {
    let text = r#"{"a\"b":1,"\u0061":2,"c\\":3,"\n":4,"":5}"#;
    let (names, values) = (["", "\n", "c\\", "a", "a\"b"], [5, 4, 3, 2, 1].map(Some));
    assert_eq!(ask(&mut object(text), &names).unwrap(), values);
    let in_order = ["a\"b", "a", "c\\", "\n", ""];
    assert_eq!(ask(&mut object(text), &in_order).unwrap(), [1, 2, 3, 4, 5].map(Some));
    // The text of an escape is not the name, and the name is not the text.
    assert_eq!(ask(&mut object(text), &["\\n", "\\u0061"]).unwrap(), [None, None]);
    assert!(object(r#"{"a"b":1}"#).member("a\"b").is_err());
}

#[test]
fn duplicates_are_errors_if_names_are_requested() {
    for text in [
        r#"{"a":1,"a":2}"#,
        r#"{"a":1,"b":2,"a":3}"#,
        r#"{"b":2,"a":1,"b":3}"#,
        r#"{"b":2,"a":1,"x":[],"x":[]}"#,
        r#"{"a":1,"\u0061":2}"#,
    ] {
        let mut json = object(text);
        ask(&mut json, &["a", "b"]).unwrap();
        let error = unknown(json).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{text}");
        assert!(error.message().contains("duplicate member"), "{error}");
    }
    let text = r#"{"a":1,"b":2,"a":3}"#;
    let error = object(text).end_object(&mut |_| Ok(()));
    assert!(error.is_ok(), "nobody asked");
    let mut json = object(text);
    ask(&mut json, &["a", "b"]).unwrap();
    assert_eq!(
        unknown(json).unwrap_err().to_string(),
        r#"duplicate member "a" at line 1 column 14"#
    );
}

#[test]
fn a_listed_member_may_not_be_a_requested_one() {
    let mut json = object(r#"{"a":1,"b":2,"a":3}"#);
    assert_eq!(ask(&mut json, &["a"]).unwrap(), [Some(1)]);
    while json.next_key().unwrap().is_some() {
        json.skip().unwrap();
    }
    assert_eq!(unknown(json).unwrap_err().kind(), ErrorKind::DuplicateMember);
}

#[test]
fn keys_in_the_order_of_the_file() {
    let mut json = object(r#"{"z":1,"a":2,"z":3,"\u0062":4}"#);
    let mut found = Vec::new();
    while let Some(name) = json.next_key().unwrap() {
        let name = name.into_owned();
        found.push((name, json.i32().unwrap()));
    }
    let expected = [("z", 1), ("a", 2), ("z", 3), ("b", 4)];
    assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value)));
    assert_eq!(unknown(json).unwrap(), [""; 0]);

    // After some members were requested, only the others are left.
    let mut json = object(r#"{"a":1,"b":2,"c":3,"d":4}"#);
    assert_eq!(ask(&mut json, &["c"]).unwrap(), [Some(3)]);
    for expected in ["a", "b", "d"] {
        assert_eq!(json.next_key().unwrap().unwrap(), expected);
        json.skip().unwrap();
    }
    assert_eq!(json.next_key().unwrap(), None);
    assert_eq!(unknown(json).unwrap(), [""; 0]);
}

#[test]
fn a_version_is_found_where_it_is_written() {
    let mut json = object(r#"{"$version":3,"a":1}"#);
    assert_eq!(json.version(&OBJECT).unwrap(), 3);
    assert_eq!(ask(&mut json, &["a"]).unwrap(), [Some(1)]);
    assert_eq!(object(r#"{"a":1}"#).version(&OBJECT).unwrap(), 0);
    assert_eq!(object("{}").version(&OBJECT).unwrap(), 0);
}

#[test]
fn integers() {
    assert_eq!(json("255").u8().unwrap(), 255);
    assert_eq!(json("-128").i8().unwrap(), -128);
    assert_eq!(json("18446744073709551615").u64().unwrap(), u64::MAX);
    assert_eq!(json("-9223372036854775808").i64().unwrap(), i64::MIN);
    assert_eq!(json("340282366920938463463374607431768211455").u128().unwrap(), u128::MAX);
    assert_eq!(json(r#""-170141183460469231731687303715884105728""#).i128().unwrap(), i128::MIN);
    assert_eq!(json("-0").i32().unwrap(), 0);
    assert_eq!(json("1e3").u16().unwrap(), 1000);
    assert_eq!(json("-0.0").u8().unwrap(), 0);

    let mut json = json("3.0");
    assert_eq!(json.i32().unwrap(), 3);
    assert_eq!(json.take_conversion(Primitive::I32), Some((Primitive::F64, Primitive::I32)));
    assert_eq!(json.take_conversion(Primitive::I32), None);
}

#[test]
fn floats() {
    assert!(json("-0").f64().unwrap().is_sign_negative());
    assert!(json("-0.0").f32().unwrap().is_sign_negative());
    assert!(json("-0").number().unwrap() == Number::F64(-0.0));
    assert!(json(r#""NaN""#).f32().unwrap().is_nan());
    assert_eq!(json(r#""-inf""#).f64().unwrap(), f64::NEG_INFINITY);
    assert_eq!(json("7").f32().unwrap(), 7.0);
    // Rounded to f64 first, this would be one step lower.
    assert_eq!(json("1.00000017881393432617187499").f32().unwrap(), 1.0000001);
    assert_eq!(json("1.00000017881393432617187501").f32().unwrap(), 1.0000002);
    assert_eq!(json("2.2250738585072014e-308").f64().unwrap(), f64::MIN_POSITIVE);
    assert_eq!(json("1e-9999999999999999999").f64().unwrap(), 0.0);
    assert_eq!(json(&format!("0.{}1e5001", "0".repeat(5000))).f64().unwrap(), 1.0);
}

#[test]
fn numbers_as_they_are() {
    assert_eq!(json("12").number().unwrap(), Number::Int(12));
    assert_eq!(json("-12").number().unwrap(), Number::Int(-12));
    assert_eq!(json(&u128::MAX.to_string()).number().unwrap(), Number::UInt(u128::MAX));
    let beyond = format!("{}0", u128::MAX);
    assert_eq!(json(&beyond).number().unwrap(), Number::F64(beyond.parse().unwrap()));
    assert_eq!(json("1.0").number().unwrap(), Number::F64(1.0));
}

/// Returns the error of reading a text, as it is displayed.
fn refusal<T: std::fmt::Debug>(
    text: &str,
    read: impl FnOnce(&mut Decoder<'_>) -> Result<T>,
) -> (ErrorKind, String) {
    let mut json = json(text);
    let error = read(&mut json).and_then(|value| json.end().map(|()| value)).unwrap_err();
    (error.kind(), error.to_string())
}

#[test]
fn errors_say_what_was_expected_and_found_and_where() {
    use ErrorKind::*;
    let cases = [
        (
            refusal(r#" "seven""#, |j| j.u32()),
            WrongType,
            r#"expected u32, found "seven" at line 1 column 2"#,
        ),
        (refusal("{}", |j| j.u32()), WrongType, "expected u32, found an object at line 1 column 1"),
        (
            refusal("[1]", |j| j.f32()),
            WrongType,
            "expected f32, found a sequence at line 1 column 1",
        ),
        (refusal("null", |j| j.bool()), WrongType, "expected bool, found null at line 1 column 1"),
        (refusal("1.5", |j| j.i32()), WrongType, "expected i32, found 1.5 at line 1 column 1"),
        (
            refusal("12", |j| j.str().map(drop)),
            WrongType,
            "expected text, found 12 at line 1 column 1",
        ),
        (
            refusal("12", |j| j.begin_object(&OBJECT)),
            WrongType,
            "expected an object, found 12 at line 1 column 1",
        ),
        (
            refusal("{}", |j| j.begin_seq(&Shape::Any)),
            WrongType,
            "expected a sequence, found an object at line 1 column 1",
        ),
        (
            refusal(r#""ab""#, |j| j.char()),
            WrongType,
            r#"expected a character, found "ab" at line 1 column 1"#,
        ),
        (
            refusal(r#""1""#, |j| j.f64()),
            WrongType,
            r#"expected f64, found "1" at line 1 column 1"#,
        ),
        (refusal("true", |j| j.null()), WrongType, "expected null, found true at line 1 column 1"),
        (refusal("300", |j| j.u8()), OutOfRange, "300 does not fit u8 at line 1 column 1"),
        (refusal("-1", |j| j.u64()), OutOfRange, "-1 does not fit u64 at line 1 column 1"),
        (refusal("1e999", |j| j.f64()), OutOfRange, "1e999 does not fit f64 at line 1 column 1"),
        (refusal("1e39", |j| j.f32()), OutOfRange, "1e39 does not fit f32 at line 1 column 1"),
        (
            refusal("nul", |j| j.null()),
            UnexpectedEnd,
            "expected `null`, found the end of the input at line 1 column 4",
        ),
        (refusal("nil", |j| j.bool()), Syntax, "expected `null`, found `i` at line 1 column 2"),
        (refusal("01", |j| j.u8()), Syntax, "a number with a leading zero at line 1 column 1"),
        (
            refusal("1.", |j| j.f64()),
            UnexpectedEnd,
            "expected a digit, found the end of the input at line 1 column 3",
        ),
        (refusal("-x", |j| j.f64()), Syntax, "expected a digit, found `x` at line 1 column 2"),
        (
            refusal("\u{feff}1", |j| j.u8()),
            Syntax,
            "expected a value, found a byte order mark (`Options::relaxed` skips it at the start of the text) \
             at line 1 column 1",
        ),
        (
            refusal("\"\n\"", |j| j.str().map(drop)),
            Syntax,
            "expected `\"` at the end of the text, found the control character U+000A at line 1 column 2",
        ),
        (
            refusal(r#""é\ud800""#, |j| j.str().map(drop)),
            Syntax,
            "an escape for an unpaired surrogate at line 1 column 3",
        ),
        (
            refusal("1 2", |j| j.u8()),
            TrailingData,
            "expected the end of the input, found `2` at line 1 column 3",
        ),
        (refusal("", |j| j.peek()), UnexpectedEnd, "the file is empty at line 1 column 1"),
        (
            refusal("[1,]", |j| j.skip()),
            Syntax,
            "expected a value, found `]` (`Options::relaxed` allows trailing commas) at line 1 \
             column 4",
        ),
        (
            refusal("// x", |j| j.peek()),
            Syntax,
            "expected a value, found `/` (`Options::relaxed` allows comments) at line 1 column 1",
        ),
        (
            refusal("{\"a\":1\n,}", |j| j.skip()),
            Syntax,
            "expected a member name, found `}` (`Options::relaxed` allows trailing commas) at \
             line 2 column 2",
        ),
    ];
    for ((kind, message), expected_kind, expected) in cases {
        assert_eq!(message, expected);
        assert_eq!(kind, expected_kind, "{message}");
    }
}

#[test]
fn positions_count_lines_and_characters() {
    let mut json = object("{\n  \"é\": \"ü\",\n  \"b\": \"seven\" }");
    assert!(json.member("b").unwrap());
    let error = json.u32().unwrap_err();
    assert_eq!(error.to_string(), r#"expected u32, found "seven" at line 3 column 8"#);
    assert!(json.member("é").unwrap());
    assert_eq!(json.peek().unwrap(), Kind::Str);
    assert_eq!(json.position(), Position::Line { line: 2, column: 8 });
    let mark = json.mark();
    assert_eq!(json.position_of(mark), json.position());
}

#[test]
fn input_that_is_not_text() {
    let invalid = Decoder::new(b"\"\xff\"", DEPTH).str().unwrap_err();
    assert_eq!(invalid.kind(), ErrorKind::Syntax);
    assert_eq!(invalid.to_string(), "a byte that is not UTF-8 text at line 1 column 2");
    let cut = Decoder::new(b"\"\xc3", DEPTH).str().unwrap_err();
    assert_eq!(cut.kind(), ErrorKind::UnexpectedEnd);
    for rest in [&b"1 \xff"[..], b"1 \xc3"] {
        let mut json = Decoder::new(rest, DEPTH);
        assert_eq!(json.u8().unwrap(), 1);
        assert_eq!(json.end().unwrap_err().kind(), ErrorKind::TrailingData);
    }
}

#[test]
fn strings_are_borrowed_or_unescaped() {
    assert_eq!(json(r#""plain é""#).str().unwrap(), "plain é");
    assert_eq!(json(r#""\ud83d\ude00\/\b\u0000""#).str().unwrap(), "😀/\u{8}\0");
    let mut text = String::from("before");
    json(r#""a\tb""#).string(&mut text).unwrap();
    assert_eq!(text, "a\tb");
    assert_eq!(json(r#""\u00e9""#).char().unwrap(), 'é');
}

#[test]
fn recovery_forgets_open_objects() {
    let mut json = object(r#"{"a":1,"o":{"y":[{"x":2}],"x":"three"},"b":4}"#);
    assert_eq!(ask(&mut json, &["a"]).unwrap(), [Some(1)]);
    assert!(json.member("o").unwrap());
    let mark = json.mark();
    json.begin_object(&OBJECT).unwrap();
    assert!(ask(&mut json, &["x"]).is_err());
    assert!(json.member("y").unwrap());
    json.begin_seq(&Shape::Any).unwrap();
    json.recover(mark);
    json.skip().unwrap();
    assert_eq!(ask(&mut json, &["b"]).unwrap(), [Some(4)]);
    assert_eq!(unknown(json).unwrap(), [""; 0]);
}

#[test]
fn calls_in_an_invalid_order_are_errors() {
    assert!(json("1").member("a").is_err());
    assert!(json("1").next_item().is_err());
    let mut json = json("[1,2]");
    json.begin_seq(&Shape::Any).unwrap();
    assert!(json.next_key().is_err());
    assert!(json.next_item().unwrap());
    json.skip().unwrap();
    assert_eq!(json.end_seq().unwrap_err().kind(), ErrorKind::WrongLength);
}
