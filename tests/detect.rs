//! A file's format is told by its first bytes.

mod common;

use std::collections::BTreeMap;

use archive::{Format, Value, json};

fn check(value: &Value) {
    for format in Format::all() {
        let bytes = format.to_vec(value).unwrap();
        let found = Format::detect(&bytes);
        assert_eq!(found.unwrap(), format, "{}", common::text(&bytes));
        // The start of the file is enough.
        for len in [16, 64, 500] {
            let start = &bytes[..len.min(bytes.len())];
            assert_eq!(Format::detect(start).ok(), Some(format), "{}", common::text(start));
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

#[cfg(feature = "msgpack")]
#[test]
fn text_is_not_messagepack() {
    for text in ["7", "{}", "[1]", "\"x\"", " 1", "\n{}", "t", "plain text", "x", "é", "\u{feff}{}"]
    {
        assert_ne!(Format::detect(text.as_bytes()).ok(), Some(Format::MessagePack), "{text:?}");
    }
    // What is too short to be what it announces may go on; what goes on behind its end may not.
    assert_eq!(Format::detect(b"\x05").unwrap(), Format::MessagePack);
    assert_eq!(Format::detect(b"\xdd\xff\xff\xff\xff").unwrap(), Format::MessagePack);
    for bytes in [&b"\xc1"[..], b"\x90\0\0\0", b"\x85\0\0\0\x05\0\0\0name\0", b"\xdc\0\0\0", b""] {
        assert_ne!(Format::detect(bytes).ok(), Some(Format::MessagePack), "{bytes:x?}");
    }
}

#[cfg(feature = "json")]
#[test]
fn json_is_told_from_other_text() {
    for text in ["{}", " [ ", "[[{\"a\":", "[]", "tru", "null ", "-1", "\"x", "[\n true,", "{ \""] {
        assert_eq!(Format::detect(text.as_bytes()).ok(), Some(Format::Json), "{text:?}");
    }
    for text in
        ["[package]\nname", "[[bin]]", "{name: 1}", "true_colour", "[truth]", "t=1", "{{", "  "]
    {
        assert_ne!(Format::detect(text.as_bytes()).ok(), Some(Format::Json), "{text:?}");
    }
}
