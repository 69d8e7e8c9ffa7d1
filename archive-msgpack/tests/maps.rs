//! Maps: keys of any type, text keys that look like the format's own names, trees and other formats.

use std::collections::{BTreeMap, HashMap};

use crate::common::{MessagePack, bytes, hex};
use archive_core::{Backend, Element, ErrorKind, Save, Value};
use archive_derive::Serialize;
use archive_json::Json;

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[archive(crate = archive_core)]
enum Key {
    #[default]
    Any,
    Slot(u8),
    At {
        x: i32,
    },
}

/// Typed → MessagePack → tree → JSON → typed and → tree → MessagePack → typed; the answer is the
/// JSON.
fn through<T: Element + Save + PartialEq + std::fmt::Debug>(value: &T) -> String {
    let file = MessagePack::to_vec(value).unwrap();
    assert_eq!(&MessagePack::from_slice::<T>(&file).unwrap(), value, "{}", hex(&file));
    let tree: Value = MessagePack::from_slice(&file).unwrap();
    let text = Json::to_vec(&tree).unwrap();
    assert_eq!(&Json::from_slice::<T>(&text).unwrap(), value, "{tree:?}");
    let tree: Value = Json::from_slice(&text).unwrap();
    let file = MessagePack::to_vec(&tree).unwrap();
    assert_eq!(&MessagePack::from_slice::<T>(&file).unwrap(), value, "{}", hex(&file));
    // And from the tree of the typed JSON, where maps are pairs.
    let tree: Value = Json::from_slice(&Json::to_vec(value).unwrap()).unwrap();
    let file = MessagePack::to_vec(&tree).unwrap();
    assert_eq!(&MessagePack::from_slice::<T>(&file).unwrap(), value, "{}", hex(&file));
    String::from_utf8(text).unwrap()
}

#[test]
fn text_keys_make_objects() {
    let map = BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 2)]);
    assert_eq!(through(&map), r#"{"a":1,"b":2}"#);
    assert_eq!(hex(&MessagePack::to_vec(&map).unwrap()), "82 a1 61 01 a1 62 02");
    assert_eq!(through(&BTreeMap::<String, u8>::new()), "{}");
    assert_eq!(through(&HashMap::from([('x', 1)])), r#"{"x":1}"#);
    assert_eq!(through(&vec![map.clone(), map]), r#"[{"a":1,"b":2},{"a":1,"b":2}]"#);
}

#[test]
fn other_keys_make_pairs() {
    assert_eq!(through(&BTreeMap::from([(-7, true), (300, false)])), "[[-7,true],[300,false]]");
    let wide = BTreeMap::from([(1_i128, 1), (i128::MAX, 2)]);
    let text = r#"[[1,1],["170141183460469231731687303715884105727",2]]"#;
    assert_eq!(through(&wide), text);
    let pairs = BTreeMap::from([((1, "a".to_owned()), vec![0_u8]), ((2, "$".to_owned()), vec![])]);
    assert_eq!(through(&pairs), r#"[[[1,"a"],[0]],[[2,"$"],[]]]"#);
    let nested = BTreeMap::from([(BTreeMap::from([(1, 2)]), BTreeMap::from([(true, ())]))]);
    assert_eq!(through(&nested), "[[[[1,2]],[[true,null]]]]");
    let options = BTreeMap::from([(None, 1), (Some("$x".to_owned()), 2)]);
    assert_eq!(through(&options), r#"[[null,1],["$x",2]]"#);
    let variants = BTreeMap::from([(Key::Any, 1), (Key::Slot(2), 2), (Key::At { x: 3 }, 3)]);
    assert_eq!(through(&variants), r#"[["Any",1],[{"Slot":2},2],[{"At":{"x":3}},3]]"#);
    assert_eq!(through(&BTreeMap::from([(Key::Any, 1)])), r#"{"Any":1}"#);
}

#[test]
fn keys_that_begin_with_the_mark() {
    let keys = ["$", "$$", "$id", "$value", "$$id", "$ext", "$data", "x$", "plain"];
    let map: BTreeMap<String, u32> = keys.iter().map(|key| (*key).to_owned()).zip(1..).collect();
    let text = through(&map);
    assert!(text.contains(r#""$$id""#) && text.contains(r#""$$$id""#), "{text}");
    for key in keys {
        through(&BTreeMap::from([(key.to_owned(), 1)]));
        // After a key that is not text, the tree has pairs.
        let mixed = BTreeMap::from([(None, 0), (Some(key.to_owned()), 1)]);
        through(&mixed);
    }
    let map = BTreeMap::from([("$ext".to_owned(), 5), ("$data".to_owned(), 6)]);
    assert_eq!(through(&map), r#"{"$$data":6,"$$ext":5}"#);
    assert_eq!(through(&BTreeMap::from([('$', 1)])), r#"{"$$":1}"#);
    // Keys that other programs wrote are not escaped.
    let foreign = bytes("82 a2 24 78 01 a1 24 02");
    let loaded: BTreeMap<String, u8> = MessagePack::from_slice(&foreign).unwrap();
    assert_eq!(loaded, [("$x".to_owned(), 1), ("$".to_owned(), 2)].into());
}

#[test]
fn every_form_of_a_map_is_accepted() {
    let expected = BTreeMap::from([(1, "a".to_owned()), (2, "b".to_owned())]);
    for form in [
        "82 01 a1 61 02 a1 62",
        "92 92 01 a1 61 92 02 a1 62",
        "82 a1 31 a1 61 a1 32 a1 62",
        "de 00 02 cc 01 a1 61 d3 00 00 00 00 00 00 00 02 d9 01 62",
        "df 00 00 00 02 ca 3f 80 00 00 a1 61 02 db 00 00 00 01 62",
    ] {
        let loaded: BTreeMap<u16, String> = MessagePack::from_slice(&bytes(form)).unwrap();
        assert_eq!(loaded, expected, "{form}");
        let loaded: Result<Vec<(u16, String)>, _> = MessagePack::from_slice(&bytes(form));
        assert_eq!(loaded.is_ok(), !form.contains("a1 31"), "{form}");
    }
    let truths: HashMap<bool, u8> =
        MessagePack::from_slice(&bytes("81 a4 74 72 75 65 07")).unwrap();
    assert_eq!(truths, [(true, 7)].into());
}

#[test]
fn wrong_maps_are_errors() {
    let load = |hex| {
        let error = MessagePack::from_slice::<BTreeMap<u8, u8>>(&bytes(hex)).unwrap_err();
        (error.kind(), error.to_string())
    };
    let (kind, text) = load("82 01 02 01 03");
    assert_eq!((kind, &*text), (ErrorKind::DuplicateMember, "[1]: duplicate map key 1 at byte 4"));
    let (kind, text) = load("82 01 02 03 c3");
    assert_eq!((kind, &*text), (ErrorKind::WrongType, "[1][1]: expected u8, found true at byte 4"));
    assert_eq!(load("07").1, "expected a map, found 7 at byte 0");
    assert_eq!(load("c4 00").1, "expected a map, found 0 bytes at byte 0");
    // A list that is not a list of pairs is not loaded from a map.
    let error = MessagePack::from_slice::<Vec<u8>>(&bytes("81 01 02")).unwrap_err();
    assert_eq!(error.to_string(), "expected a sequence, found an object at byte 0");
    // A struct has names.
    #[derive(Default, Debug, Serialize)]
    #[archive(crate = archive_core)]
    struct One {
        a: u8,
    }
    let error = MessagePack::from_slice::<One>(&bytes("81 05 02")).unwrap_err();
    assert_eq!(error.to_string(), "expected a member name, found 5 at byte 1 in `One`");
    assert_eq!(One::default().a, 0);
}

#[test]
fn trees_of_nested_mixed_maps() {
    // Deep enough that requesting the keys of each level again would take too long.
    let mut tree = Value::Null;
    let mut file = vec![0xc0];
    for level in 0..60 {
        let padding = "x".repeat(20);
        let key = if level % 2 == 0 { Value::from("k") } else { Value::from(1) };
        file =
            [&b"\x82\xa1p\xb4"[..], padding.as_bytes(), &MessagePack::to_vec(&key).unwrap(), &file]
                .concat();
        tree = if level % 2 == 0 {
            Value::Object(vec![("p".into(), padding.into()), ("k".into(), tree)])
        } else {
            let pair = |key, value| Value::Array(vec![key, value]);
            Value::Array(vec![pair("p".into(), padding.into()), pair(key, tree)])
        };
    }
    assert_eq!(MessagePack::from_slice::<Value>(&file).unwrap(), tree);
}
