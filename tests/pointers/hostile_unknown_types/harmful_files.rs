//! Malicious files end in errors, or in values that can be saved and loaded.

use std::cell::RefCell;
use std::rc::Rc;

use archive::{ErrorKind, Limits, Result, Unknown, json};

use super::game_and_mod::*;

type Orders = Vec<Rc<RefCell<dyn Command>>>;

fn load(text: &str) -> Result<Orders> {
    json::from_str_with(text, &plain())
}

fn refused(text: &str, kind: ErrorKind) -> String {
    let error = load(text).err().unwrap_or_else(|| panic!("loaded: {text:.200}"));
    assert_eq!(error.kind(), kind, "{error:.200}: {text:.200}");
    error.to_string()
}

#[test]
fn forged_ids() {
    use ErrorKind::{BadPointer, WrongType};
    let object = |inner: &str| format!(r#"[{{"$id":1,"$type":"Mod","$value":{inner}}}]"#);
    // Dangling references.
    let error = refused(&object(r#"{"a":{"$id":9}}"#), BadPointer);
    assert!(error.contains("object 9 is not in the file, but a pointer refers to it"), "{error}");
    refused(&object(r#"{"a":{"$id":9,"$later":true}}"#), BadPointer);
    // No ids.
    for id in ["0", "-1", "1.5", "1e300"] {
        refused(&object(&format!(r#"{{"a":{{"$id":{id}}}}}"#)), BadPointer);
        refused(&object(&format!(r#"{{"a":{{"$weak":{id}}}}}"#)), BadPointer);
    }
    for id in ["\"x\"", "null", "[]"] {
        refused(&object(&format!(r#"{{"a":{{"$id":{id}}}}}"#)), WrongType);
    }
    refused(&object(r#"{"a":{"$later":true}}"#), BadPointer);
    // Dangling weak references are null.
    let kept = load(&object(r#"{"a":{"$weak":9},"b":{"$id":18446744073709551615,"$value":1}}"#));
    let text = json::to_string_with(&kept.unwrap(), &plain()).unwrap();
    assert_eq!(text, object(r#"{"a":null,"b":{"$id":2,"$value":1}}"#));
}

#[test]
fn an_object_that_is_stored_twice() {
    let kind = ErrorKind::BadPointer;
    // The object itself, what is inside it, and what is in both.
    refused(r#"[{"$id":1,"$type":"Mod","$value":{}},{"$id":1,"$type":"Mod","$value":{}}]"#, kind);
    refused(r#"[{"$id":1,"$type":"Mod","$value":{"a":{"$id":1,"$value":3}}}]"#, kind);
    refused(
        r#"[{"$id":1,"$type":"Mod","$value":{"a":{"$id":2,"$value":3},"b":{"$id":2,"$value":3}}}]"#,
        kind,
    );
    refused(
        r#"[{"$id":1,"$type":"Mod","$value":{"a":{"$id":2,"$value":{"c":{"$id":2,"$value":3}}}}}]"#,
        kind,
    );
}

#[test]
fn cycles() {
    for text in [
        r#"[{"$id":1,"$type":"Mod","$value":{"me":{"$id":1}}}]"#,
        r#"[{"$id":1,"$type":"Mod","$value":{"me":{"$weak":1}}}]"#,
        r#"[{"$id":1,"$type":"Mod","$value":{"$id":1}}]"#,
        r#"[{"$id":1,"$type":"Mod","$value":{"a":{"$id":2,"$value":{"b":{"$id":2},"c":{"$id":1}}}}}]"#,
        r#"[{"$id":1,"$type":"Mod","$value":{"a":{"$id":2,"$type":"Mod","$value":{"b":{"$id":1}}}}},{"$id":2}]"#,
    ] {
        let kept = load(text).unwrap();
        assert_eq!(json::to_string_with(&kept, &plain()).unwrap(), text);
        for format in super::formats() {
            let bytes = format.to_vec_with(&kept, &plain()).unwrap();
            let again: Orders = format.from_slice_with(&bytes, &plain()).unwrap();
            assert_eq!(json::to_string_with(&again, &plain()).unwrap(), text, "{format}");
        }
    }
}

#[test]
fn type_ids_that_are_none() {
    let object = |id: &str| format!(r#"[{{"$id":1,"$type":"{id}","$value":{{"a":1}}}}]"#);
    let error = refused(&object(""), ErrorKind::UnknownType);
    assert!(error.contains("the type id of an unknown object is empty"), "{error}");
    let error = refused(&object(&"x".repeat(1 << 20)), ErrorKind::UnknownType);
    assert!(error.contains("is too long") && error.len() < 200, "{error:.200}");
    let longest = object(&"x".repeat(4096));
    assert_eq!(json::to_string_with(&load(&longest).unwrap(), &plain()).unwrap(), longest);
    refused(r#"[{"$id":1,"$value":{"a":1}}]"#, ErrorKind::WrongType);
    refused(r#"[{"$id":1,"$type":7,"$value":{"a":1}}]"#, ErrorKind::WrongType);
    // The type is with the reference, and not with the object.
    refused(
        r#"[{"$id":1,"$type":"Mod","$later":true},{"$id":2,"$type":"Mod","$value":{},"$deferred":[{"$id":1,"$value":3}]}]"#,
        ErrorKind::UnknownType,
    );
}

#[test]
fn nested_100_000_deep() {
    let n = 100_000;
    for (open, close) in [
        ("[", "]"),
        (r#"{"a":"#, "}"),
        (r#"{"$value":"#, "}"),
        (r#"{"$type":"Mod","$value":"#, "}"),
    ] {
        let text = format!(
            r#"[{{"$id":1,"$type":"Mod","$value":{}1{}}}]"#,
            open.repeat(n),
            close.repeat(n)
        );
        refused(&text, ErrorKind::DepthLimit);
    }
    let objects: String = (2..n).map(|id| format!(r#"{{"$id":{id},"$value":"#)).collect();
    let text = format!(r#"[{{"$id":1,"$type":"Mod","$value":{objects}1{}}}]"#, "}".repeat(n - 2));
    refused(&text, ErrorKind::DepthLimit);
}

#[test]
fn limits_are_kept() {
    let text = |n: u64| {
        let objects: Vec<String> =
            (2..n + 2).map(|id| format!(r#"{{"$id":{id},"$value":1}}"#)).collect();
        format!(r#"[{{"$id":1,"$type":"Mod","$value":[{}]}}]"#, objects.join(","))
    };
    let mut limits = Limits::default();
    limits.pointers = 11;
    let options = plain().limits(limits);
    assert!(json::from_str_with::<Orders>(&text(10), &options).is_ok());
    let error = json::from_str_with::<Orders>(&text(11), &options).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::SizeLimit);
    let mut limits = Limits::default();
    limits.elements = 10;
    let error = json::from_str_with::<Orders>(&text(11), &plain().limits(limits)).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::SizeLimit);
}

/// An error in the data of an unknown object affects one member of it, as in any other object.
#[test]
fn keep_going() {
    let text = r#"[
        {"$id":1,"$type":"Mod","$value":{"a":{"$id":0},"b":2}},
        {"$id":2,"$type":"","$value":{}},
        {"$id":3,"$type":"Mod","$value":{"a":1}},
        {"$id":4,"$type":"MoveTo","$value":{"x":4}}
    ]"#;
    let options = plain().keep_going(true).each_error(true);
    let (orders, report) = json::from_slice_report::<Orders>(text.as_bytes(), &options).unwrap();
    assert_eq!(report.errors().len(), 2, "{report}");
    assert_eq!(report.unknown_types().collect::<Vec<_>>(), [("[0]", "Mod")]);
    assert_eq!(report.notes()[0].count, 2);
    assert_eq!(
        json::to_string_with(&orders, &plain()).unwrap(),
        r#"[{"$id":1,"$type":"Mod","$value":{"b":2}},{"$id":2,"$type":"Mod","$value":{"a":1}},{"$id":3,"$type":"MoveTo","$value":{"x":4}}]"#
    );
    // A dangling reference is an error of the whole file.
    let text = r#"[{"$id":1,"$type":"Mod","$value":{"a":{"$id":9}}}]"#;
    let (orders, report) = json::from_slice_report::<Orders>(text.as_bytes(), &options).unwrap();
    assert_eq!((orders.len(), report.errors().len()), (1, 1));
    let saved = json::to_string_with(&orders, &plain()).unwrap();
    assert_eq!(saved, r#"[{"$id":1,"$type":"Mod","$value":{"a":{"$id":2,"$value":null}}}]"#);
}

/// A long type id occurs once in a binary file, however many objects have it, and once in memory.
#[test]
fn type_ids_are_shared() {
    #[derive(archive::Serialize)]
    struct Three {
        a: Box<dyn Command>,
        b: Box<dyn Command>,
        c: Box<dyn Command>,
    }
    let long = || Box::new(Unknown::new(&"x".repeat(4000), 1.into())) as Box<dyn Command>;
    let mut long = Three { a: long(), b: long(), c: long() };
    let bytes = archive::binary::to_vec_with(&mut long, &plain()).unwrap();
    let (_, report) = archive::binary::from_slice_report::<Three>(&bytes, &plain()).unwrap();
    let ids: Vec<*const u8> = report.unknown_types().map(|(_, id)| id.as_ptr()).collect();
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().all(|id| *id == ids[0]) && bytes.len() < 5000);
}
