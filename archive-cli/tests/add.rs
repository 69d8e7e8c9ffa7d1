//! `set` of a member that does not exist yet.

use std::collections::BTreeMap;

use archive::{Format, Serialize, Value};

use crate::run_command::{fails, folder, ok};

/// A member is spaced like the one before it.
#[test]
fn json_gets_a_member_in_its_style() {
    let folder = folder();
    let path = folder.path().join("a.json");
    let file = path.to_str().unwrap();
    for (text, at, expected) in [
        (r#"{"a":1}"#, "b", r#"{"a":1,"b":7}"#),
        (r#"{"a": 1, "c": 2}"#, "b", r#"{"a": 1, "c": 2, "b": 7}"#),
        ("{ }", "b", r#"{"b": 7 }"#),
        ("{\n  \"a\": 1\n}\n", "b", "{\n  \"a\": 1,\n  \"b\": 7\n}\n"),
        ("{\n  \"a\": 1, // one, \"\n}\n", "b", "{\n  \"a\": 1,\n  \"b\": 7, // one, \"\n}\n"),
        (
            "{\n\t\"a\": {}, /* , */\n\t\"c\": []\n}",
            "a.b",
            "{\n\t\"a\": {\"b\": 7}, /* , */\n\t\"c\": []\n}",
        ),
        (r#"{"u":[{"a":1}]}"#, "u[0][\"two words\"]", r#"{"u":[{"a":1,"two words":7}]}"#),
        // Through a pointer, and in an object that is referred to.
        (
            r#"[{"$id":1,"$value":{"a":1}},{"$id":1}]"#,
            "[1].b",
            r#"[{"$id":1,"$value":{"a":1,"b":7}},{"$id":1}]"#,
        ),
        ("\u{feff}{\"a\":1}", "b", "\u{feff}{\"a\":1,\"b\":7}"),
    ] {
        std::fs::write(&path, text).unwrap();
        let message = fails(&["set", file, at, "7"], 2);
        assert!(message.contains("--add adds it"), "{message}");
        ok(&["set", file, at, "7", "--add"]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        assert_eq!(ok(&["get", file, at]), "7\n");
        ok(&["set", file, at, "8"]);
        assert_eq!(ok(&["get", file, at]), "8\n");
    }
    for (text, at, part) in [
        (r#"{"a":1}"#, "x.b", "it has `a`"),
        (r#"{"a":1}"#, "a.b", "a number has no member `b`"),
        (r#"{"a":[]}"#, "a.b", "no member `b`"),
        (r#"{"a":1}"#, "*.b", "nothing matches"),
        (r#"{"a":[1]}"#, "a[1]", "there is 1 item"),
        (r#"{"a":null}"#, "a.b", "null has no member `b`"),
    ] {
        std::fs::write(&path, text).unwrap();
        let message = fails(&["set", file, at, "7", "--add"], 2);
        assert!(message.contains(part), "{text} {at}: {message}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

/// A byte order mark does not shift the offsets of values.
#[test]
fn a_byte_order_mark_is_kept() {
    let folder = folder();
    let path = folder.path().join("a.json");
    std::fs::write(&path, "\u{feff}{\"a\": 1, \"b\": 2}").unwrap();
    ok(&["set", path.to_str().unwrap(), "b", "77"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "\u{feff}{\"a\": 1, \"b\": 77}");
}

#[test]
fn messagepack_gets_a_member() {
    let folder = folder();
    let path = folder.path().join("a.msgpack");
    let file = path.to_str().unwrap();
    for count in [0, 1, 14, 15, 16, 300, 65535, 65536] {
        let members = |count: usize| -> Vec<(String, Value)> {
            (0..count).map(|at| (format!("m{at}"), Value::from(at as u64))).collect()
        };
        let around = |members| Value::Array(vec![Value::Object(members), Value::from("after")]);
        std::fs::write(&path, Format::MessagePack.to_vec(&around(members(count))).unwrap())
            .unwrap();
        ok(&["set", file, &format!("[0].m{count}"), &count.to_string(), "--add"]);
        let expected = Format::MessagePack.to_vec(&around(members(count + 1))).unwrap();
        assert!(std::fs::read(&path).unwrap() == expected, "{count}");
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct World {
    scores: BTreeMap<String, u16>,
    names: BTreeMap<u32, String>,
    pairs: Vec<(String, u16)>,
}

#[test]
fn maps_get_the_keys_that_their_types_allow() {
    let folder = folder();
    let path = folder.path().join("world");
    let file = path.to_str().unwrap();
    let world = World {
        scores: BTreeMap::from([("ann".into(), 7)]),
        names: BTreeMap::from([(5, "Ann".into())]),
        pairs: vec![("rope".into(), 1)],
    };
    let loaded =
        |format: Format| format.from_slice::<World>(&std::fs::read(&path).unwrap()).unwrap();
    for format in [Format::MessagePack, Format::Binary] {
        std::fs::write(&path, format.to_vec(&world).unwrap()).unwrap();
        ok(&["set", file, "scores.bob", "8", "-a"]);
        ok(&["set", file, "scores.ann", "9"]);
        let mut expected = world.clone();
        expected.scores = BTreeMap::from([("ann".into(), 9), ("bob".into(), 8)]);
        assert_eq!(loaded(format), expected, "{format}");
        assert_eq!(ok(&["get", file, "scores.bob"]), "8\n", "{format}");
    }
    ok(&["set", file, "names[\"6\"]", "--text", "Bob", "-a"]);
    assert_eq!(loaded(Format::Binary).names[&6], "Bob");
    let before = std::fs::read(&path).unwrap();
    for (at, value, part) in [
        ("scores.cy", "70000", "70000 does not fit u16"),
        ("names.x", "\"Cy\"", "names: the keys of this map are numbers, so `x` cannot be one"),
        ("more", "1", "more"),
        ("pairs.knife", "1", "no member `knife`"),
    ] {
        let message = fails(&["set", file, at, value, "--add"], 2);
        assert!(message.contains(part), "{at}: {message}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}

#[derive(Debug, Default, PartialEq, Serialize)]
struct Unit {
    hp: u16,
}

#[test]
fn other_formats_add_supported_values() {
    let folder = folder();
    let path = folder.path().join("unit");
    let file = path.to_str().unwrap();
    // Each datum of ObjectBlob has its type.
    std::fs::write(&path, Format::Blob.to_vec(&Unit { hp: 7 }).unwrap()).unwrap();
    ok(&["set", file, "name", "--text", "Ann", "-a"]);
    assert_eq!(ok(&["get", file, "-c"]), "{\"hp\":7,\"name\":\"Ann\"}\n");
    let stored = archive::bins::to_vec(&Unit { hp: 7 }).unwrap();
    std::fs::write(&path, &stored).unwrap();
    let message = fails(&["set", file, "name", "--text", "Ann", "-a"], 2);
    assert!(message.contains("cannot be added"), "{message}");
    assert_eq!(std::fs::read(&path).unwrap(), stored);
}

/// A map whose keys are not text is stored as pairs in formats without types.
#[test]
fn a_map_of_pairs_gets_a_key() {
    let folder = folder();
    let path = folder.path().join("a.json");
    let file = path.to_str().unwrap();
    for (text, at, expected) in [
        (r#"{"m":[[5,"a"]]}"#, "m.6", r#"{"m":[[5,"a"],[6,7]]}"#),
        (r#"{"m": [[5, "a"], [8, "b"]]}"#, "m[\"6\"]", r#"{"m": [[5, "a"], [8, "b"], [6, 7]]}"#),
        (
            "[\n  [\n    5,\n    0\n  ]\n]\n",
            "6",
            "[\n  [\n    5,\n    0\n  ],\n  [\n    6,\n    7\n  ]\n]\n",
        ),
        (
            "[\n  [5, 0], // five\n  [6, 0], // six\n]",
            "-7",
            "[\n  [5, 0], // five\n  [6, 0],\n  [-7, 7], // six\n]",
        ),
        (r#"[["a",1]]"#, "b", r#"[["a",1],["b",7]]"#),
        (r#"[["a",1]]"#, "6", r#"[["a",1],["6",7]]"#),
        (r#"[[true,1]]"#, "false", r#"[[true,1],[false,7]]"#),
        (
            r#"[{"$id":1,"$value":[[1,2]]},{"$id":1}]"#,
            "[1][\"3\"]",
            r#"[{"$id":1,"$value":[[1,2],[3,7]]},{"$id":1}]"#,
        ),
        ("\u{feff}[[5,0]]", "[\"6\"]", "\u{feff}[[5,0],[6,7]]"),
    ] {
        let at = if at.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            format!("[\"{at}\"]")
        } else {
            at.to_owned()
        };
        std::fs::write(&path, text).unwrap();
        let message = fails(&["set", file, &at, "7"], 2);
        assert!(message.contains("--add adds it"), "{message}");
        ok(&["set", file, &at, "7", "--add"]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        assert_eq!(ok(&["get", file, &at]), "7\n");
    }
    for (text, part) in [
        ("[[5,0]]", "the keys of this map are numbers, so `x` cannot be one"),
        ("[[true,0]]", "the keys of this map are booleans, so `x` cannot be one"),
        ("[]", "has no member `x`"),
        ("[[5,0],[6,0,1]]", "has no member `x`"),
        ("[[5,0],6]", "has no member `x`"),
        ("[[[5],0]]", "the map has no key `x`"),
    ] {
        std::fs::write(&path, text).unwrap();
        let message = fails(&["set", file, "x", "7", "--add"], 2);
        assert!(message.contains(part), "{text}: {message}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

/// In every format, a program loads the key that was added.
#[test]
fn programs_load_the_key_that_was_added() {
    type Map = BTreeMap<u32, BTreeMap<i8, Option<u16>>>;
    let folder = folder();
    for (format, name) in [
        (Format::Json, "map.json"),
        (Format::MessagePack, "map.msgpack"),
        (Format::Binary, "map.bin"),
        (Format::Blob, "map.blob"),
    ] {
        let path = folder.path().join(name);
        let file = path.to_str().unwrap();
        for count in [1, 14, 15, 16, 300] {
            let inner = |at: u32| BTreeMap::from([(at as i8, Some(7)), (-100, None)]);
            let mut map: Map = (0..count).map(|at| (at, inner(at))).collect();
            std::fs::write(&path, format.to_vec(&map).unwrap()).unwrap();
            ok(&["set", file, "[\"70000\"]", "[[1,2]]", "--add"]);
            ok(&["set", file, "[\"0\"][\"-8\"]", "65535", "--add"]);
            map.insert(70000, BTreeMap::from([(1, Some(2))]));
            map.get_mut(&0).unwrap().insert(-8, Some(65535));
            let loaded: Map = format.from_slice(&std::fs::read(&path).unwrap()).unwrap();
            assert_eq!(loaded, map, "{format} {count}");
        }
    }
}
