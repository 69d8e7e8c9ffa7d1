//! A file's format is told by its first bytes.

use std::collections::BTreeMap;

use archive::{Format, Value, json};

fn check(value: &Value) {
    for format in Format::all() {
        let bytes = format.to_vec(value).unwrap();
        let found = Format::detect(&bytes);
        assert_eq!(found.unwrap(), format, "{}", crate::common::text(&bytes));
        // The start of the file is enough.
        for len in [16, 64, 500] {
            let start = &bytes[..len.min(bytes.len())];
            assert_eq!(Format::detect(start).ok(), Some(format), "{}", crate::common::text(start));
        }
    }
}

#[test]
fn values_of_every_kind() {
    for text in [
        r#"{"name":"Ann","hp":7}"#,
        r#"{"a":{"b":[1,2,{"c":null}]},"d":[true,-1.5]}"#,
        "{}",
        "[]",
        "[1,2,3]",
        r#"[[],[[]],{}]"#,
        "null",
        "true",
        "false",
        "-7",
        "300",
        "1.5",
        "[0]",
        "[\"\\u0000\"]",
        r#""""#,
        r#""text of some length, more than thirty-one bytes""#,
    ] {
        check(&json::from_str(text).unwrap());
    }
    let names: BTreeMap<String, u32> = (0..1000).map(|i| (format!("name {i}"), i)).collect();
    check(&Value::of(&names).unwrap());
    check(&Value::from(vec![Value::from(200); 5000]));
    check(&Value::from(vec![Value::from("text"); 5000]));
}

#[test]
fn text_is_not_messagepack() {
    for text in ["7", "{}", "[1]", "\"x\"", " 1", "\n{}", "t", "plain text", "x", "é", "\u{feff}{}"]
    {
        assert_ne!(Format::detect(text.as_bytes()).ok(), Some(Format::MessagePack), "{text:?}");
    }
    // What is too short to be what it announces may go on; what goes on after its end may not.
    assert_eq!(Format::detect(b"\x05").unwrap(), Format::MessagePack);
    assert_eq!(Format::detect(b"\xdd\xff\xff\xff\xff").unwrap(), Format::MessagePack);
    for bytes in [&b"\xc1"[..], b"\x90\0\0\0", b"\x85\0\0\0\x05\0\0\0name\0", b"\xdc\0\0\0", b""] {
        assert_ne!(Format::detect(bytes).ok(), Some(Format::MessagePack), "{bytes:x?}");
    }
}

#[test]
fn json_is_told_from_other_text() {
    for text in ["{}", " [ ", "[[{\"a\":", "[]", "tru", "null ", "-1", "\"x", "[\n true,", "{ \""] {
        assert_eq!(Format::detect(text.as_bytes()).ok(), Some(Format::Json), "{text:?}");
    }
    for text in [
        "\u{feff}{}",
        "// level 3\n{\"a\"",
        "/* a */ [1",
        "{ // of all\n \"a\": 1",
        "[ /*] */ 7",
        "// so far",
    ] {
        assert_eq!(Format::detect(text.as_bytes()).ok(), Some(Format::Json), "{text:?}");
    }
    for text in
        ["// of C\nint main() {}", "/ 7", "/* a */ x", "\u{feff}name", "\u{feff}", "{ /* a */ b"]
    {
        assert_ne!(Format::detect(text.as_bytes()).ok(), Some(Format::Json), "{text:?}");
    }
    for text in
        ["[package]\nname", "[[bin]]", "{name: 1}", "true_colour", "[truth]", "t=1", "{{", "  "]
    {
        assert_ne!(Format::detect(text.as_bytes()).ok(), Some(Format::Json), "{text:?}");
    }
}

/// A format that is given the file of another one says which it looks like.
#[cfg(all(feature = "json", feature = "binary", feature = "blob", feature = "msgpack"))]
#[test]
fn a_format_given_the_file_of_another() {
    use archive::binary::{bare, fingerprint};
    use archive::{Error, ErrorKind, binary, blob, msgpack};

    let value: BTreeMap<String, u32> = [("hp".into(), 7), ("mp".into(), 3)].into();
    type T = BTreeMap<String, u32>;
    let file = binary::to_vec(&value).unwrap();
    let text = br#"{"name": "Ann", "hp": 7, "mp": 3}"#;
    let says = |error: Error, kind: ErrorKind, words: &str| {
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    };
    let binary_file = "this is a file of `archive::binary`";
    says(fingerprint::from_slice::<T>(&file).unwrap_err(), ErrorKind::Syntax, binary_file);
    says(bare::from_slice::<T>(&file).unwrap_err(), ErrorKind::Syntax, binary_file);
    says(blob::from_slice::<T>(&file).unwrap_err(), ErrorKind::Syntax, "looks like a file of `arc");
    for error in [
        blob::from_slice::<T>(text).unwrap_err(),
        blob::ObjectBlobList::from_slice(text).unwrap_err(),
        binary::from_slice::<T>(text).unwrap_err(),
    ] {
        says(error, ErrorKind::Syntax, "looks like JSON");
    }
    let error = msgpack::from_slice::<T>(text).unwrap_err();
    says(error, ErrorKind::WrongType, "found 123: the input looks like JSON at byte 0");

    // A packet of other types says so before its flag is looked at.
    let error = fingerprint::from_slice::<T>(&[9; 20]).unwrap_err();
    says(error, ErrorKind::WrongType, "found another (fingerprint 0909090909090909)");
    let mut flag = fingerprint::to_vec(&value).unwrap();
    flag[8] = 9;
    says(fingerprint::from_slice::<T>(&flag).unwrap_err(), ErrorKind::Syntax, "there is no flag 9");

    // Cut short.
    let bytes = &blob::to_vec(&value).unwrap()[..5];
    let error = blob::from_slice::<T>(bytes).unwrap_err();
    says(error, ErrorKind::UnexpectedEnd, "1 byte remains: the input is cut short or damaged");
    let error = msgpack::from_slice::<T>(b"\x83").unwrap_err();
    let words = "3 items announced where 0 bytes remain: the input is cut short or damaged";
    says(error, ErrorKind::UnexpectedEnd, words);
}
