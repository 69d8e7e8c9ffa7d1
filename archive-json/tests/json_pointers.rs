//! Pointers: objects with reserved names.

use crate::common::DEPTH;
use archive_core::shape::OBJECT;
use archive_core::{Decoder as _, ErrorKind, PointerKind};
use archive_json::Decoder;

fn json(text: &str) -> Decoder<'_> {
    Decoder::from_text(text, DEPTH)
}

#[test]
fn heads_in_their_written_order() {
    use PointerKind::*;
    for (text, kind, id, type_name) in [
        ("null", Null, 0, None),
        ("7", Plain, 0, None),
        (r#"{"x":7}"#, Plain, 0, None),
        ("{}", Plain, 0, None),
        (r#"{"$":7}"#, Plain, 0, None),
        (r#"{ "$id":5}"#, Seen, 5, None),
        (r#"{"$id":5,"$value":7}"#, Stored, 5, None),
        (r#"{"$id":5,"$type":"Move","$value":7}"#, Stored, 5, Some("Move")),
        (r#"{"$type":"M\u006fve","$value":7}"#, Owned, 0, Some("Move")),
        (r#"{"$id":5,"$later":true}"#, Later, 5, None),
        (r#"{"$id":5,"$type":"Move","$later":true}"#, Later, 5, Some("Move")),
        (r#"{"$weak":5}"#, Weak, 5, None),
        // In other orders, and with extra members.
        (r#"{"$value":7,"$id":5}"#, Stored, 5, None),
        (r#"{"$value":7}"#, Owned, 0, None),
        (r#"{"$value":7,"$type":"Move","$id":5}"#, Stored, 5, Some("Move")),
        (r#"{"$type":"Move","$id":5,"$value":7}"#, Stored, 5, Some("Move")),
        (r#"{"$deferred":[],"$value":7,"$id":5}"#, Stored, 5, None),
        (r#"{"$later":true,"$id":5}"#, Later, 5, None),
        (r#"{"$id":5,"note":0,"$value":7}"#, Stored, 5, None),
        (r#"{"\u0024id":5,"$\u0076alue":7}"#, Stored, 5, None),
    ] {
        let mut json = json(text);
        let head = json.begin_pointer().unwrap();
        assert_eq!(
            (head.kind, head.id, head.type_name.as_deref()),
            (kind, id, type_name),
            "{text}"
        );
        if kind.has_pointee() && kind != Plain {
            assert_eq!(json.u8().unwrap(), 7, "{text}");
        }
        match kind {
            Null => {}
            Plain => json.skip().unwrap(),
            _ => json.end_pointer(&mut |_| Ok(())).unwrap(),
        }
        json.end().unwrap();
    }
}

#[test]
fn bad_pointers() {
    for text in [
        r#"{"$id":0}"#,
        r#"{"$id":-1}"#,
        r#"{"$id":1.5}"#,
        r#"{"$later":true}"#,
        r#"{"$deferred":[]}"#,
        r#"{"$type":"Move"}"#,
    ] {
        let error = json(text).begin_pointer().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadPointer, "{text}");
    }
    assert_eq!(json(r#"{"$id":"1"}"#).begin_pointer().unwrap_err().kind(), ErrorKind::WrongType);

    // It comes too late to be found before the object, but it is noticed.
    let mut json = json(r#"{"$type":"Move","$value":7,"$id":5}"#);
    assert_eq!(json.begin_pointer().unwrap().kind, PointerKind::Owned);
    json.skip().unwrap();
    let error = json.end_pointer(&mut |_| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "`$id` must come before `$value` at line 1 column 28");
}

#[test]
fn deferred_objects_follow_the_object() {
    for text in [
        r#"{"$id":1,"$value":0,"$deferred":[{"$id":2,"$value":7}]}"#,
        r#"{"$deferred":[{"$id":2,"$value":7}],"$value":0,"$id":1}"#,
        r#"{"$id":1,"$value":0,"more":0,"$deferred":[{"$id":2,"$value":7}]}"#,
    ] {
        let mut json = json(text);
        assert_eq!(json.begin_pointer().unwrap().kind, PointerKind::Stored);
        json.skip().unwrap();
        assert!(json.begin_deferred().unwrap());
        assert!(json.next_item().unwrap());
        let head = json.begin_pointer().unwrap();
        assert_eq!((head.kind, head.id), (PointerKind::Stored, 2));
        assert_eq!(json.u8().unwrap(), 7);
        assert!(!json.begin_deferred().unwrap());
        json.end_pointer(&mut |_| Ok(())).unwrap();
        assert!(!json.next_item().unwrap());
        json.end_seq().unwrap();
        json.end_pointer(&mut |_| Ok(())).unwrap();
        json.end().unwrap();
    }
}

#[test]
fn objects_are_found_wherever_they_are() {
    let text = r#"{"old":{"$value":{"a":{"$type":"M","$id":2,"$value":[{"\u0024id":3,"$value":1}]}},"$id":1},
        "plain":{"x":1,"$id":9,"$value":2},"seen":[{"$id":9},{"$weak":9},{"$type":"M","$value":0}],
        "deferred":{"$id":4,"$value":5,"$deferred":[{"$id":6,"$value":7}]}, "odd":{"$id":"9","$value":0}}"#;
    let mut json = json(text);
    let mut found = Vec::new();
    json.find_pointees(&mut |id, mark| found.push((id, mark))).unwrap();
    found.sort_by_key(|(id, _)| *id);
    assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 2, 3, 4, 6]);

    // Each can be read from inside another place, to which the cursor then returns.
    json.begin_object(&OBJECT).unwrap();
    assert!(json.member("seen").unwrap());
    let here = json.mark();
    for (id, mark) in found {
        json.goto(mark);
        let head = json.begin_pointer().unwrap();
        assert_eq!((head.kind, head.id), (PointerKind::Stored, id));
        json.skip().unwrap();
        json.end_pointer(&mut |_| Ok(())).unwrap();
    }
    json.goto(here);
    json.skip().unwrap();
    assert!(json.member("odd").unwrap());
    json.skip().unwrap();
    json.end_object(&mut |_| Ok(())).unwrap();
    json.end().unwrap();
}
