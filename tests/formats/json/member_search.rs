//! Members are visited in the order of the file, or requested one by one for a report. Both must
//! have the same result for any file.

use archive::{Error, ErrorKind, Format, Options, json};
use proptest::prelude::*;
use serde_json::Value;

use super::json_types::{Level, Unit, level};

/// The text with the members of all objects in another order, and some unknown ones.
fn shuffled(value: &Value, seed: u64, unknown: bool) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| shuffled(item, seed, unknown)).collect();
            format!("[{}]", items.join(" ,"))
        }
        Value::Object(members) => {
            let mut list: Vec<_> = members
                .iter()
                .map(|(name, value)| {
                    let name = serde_json::to_string(name).unwrap();
                    format!("{name}: {}", shuffled(value, seed, unknown))
                })
                .collect();
            // A variant is an object with one member, and a map has no unknown ones.
            let is_struct = members.contains_key("hp") || members.contains_key("spawn");
            if unknown && is_struct {
                list.push(r#""what":[{"a":"}"},1e5,null]"#.to_owned());
                list.push(r#""ever\u0021":{"what":{}}"#.to_owned());
            }
            let len = list.len() as u64;
            for i in 0..list.len() {
                list.swap(i, (seed.wrapping_mul(i as u64 + 3) % len.max(1)) as usize);
            }
            format!("{{{}}}", list.join(","))
        }
        scalar => scalar.to_string(),
    }
}

/// Loads both ways; the results must agree.
fn load(text: &[u8]) -> archive::Result<Level> {
    let found = json::from_slice::<Level>(text);
    let asked = json::from_slice_report::<Level>(text, &Options::new()).map(|(level, _)| level);
    match (&found, &asked) {
        (Ok(found), Ok(asked)) => assert_eq!(found, asked),
        (Err(_), Err(_)) => {}
        _ => panic!("{}\n{found:?}\n{asked:?}", String::from_utf8_lossy(text)),
    }
    let erased = Format::of::<json::Json>().from_slice::<Level>(text);
    match (&found, &erased) {
        (Ok(found), Ok(erased)) => assert_eq!(found, erased),
        (Err(found), Err(erased)) => agree(found, erased, text),
        _ => panic!("{}\n{found:?}\n{erased:?}", String::from_utf8_lossy(text)),
    }
    found
}

/// Of several errors another one may come first: then both are among those of a load with
/// `keep_going`, unless the text is not JSON at all.
fn agree(found: &Error, asked: &Error, text: &[u8]) {
    fn told(error: &Error) -> (ErrorKind, &str) {
        (error.kind(), error.path())
    }
    if told(found) == told(asked) {
        return;
    }
    let options = Options::new().keep_going(true).each_error(true);
    if let Ok((_, report)) = json::from_slice_report::<Level>(text, &options) {
        for error in [found, asked] {
            let known = report.errors().iter().any(|other| told(other) == told(error));
            assert!(known, "{}\n{found}\n{asked}\n{report}", String::from_utf8_lossy(text));
        }
    }
}

#[test]
fn any_order_with_more_and_less() {
    let expected = level(9);
    let tree: Value = serde_json::from_str(&json::to_string(&expected).unwrap()).unwrap();
    for seed in 0..50 {
        for unknown in [false, true] {
            let text = shuffled(&tree, seed, unknown);
            assert_eq!(load(text.as_bytes()).unwrap(), expected, "{text}");
        }
    }
}

#[test]
fn absent_members_are_blank() {
    let text = br#"{"units": [{"hp": 3}, {"at": {"y": 2}}, {"tags": ["x"]}], "name": "n"}"#;
    let loaded = load(text).unwrap();
    let mut expected = vec![Unit::default(); 3];
    expected[0].hp = 3;
    expected[1].at.y = 2.0;
    expected[2].tags = vec!["x".into()];
    assert_eq!(loaded.units, expected);
}

#[test]
fn names_are_stored_once() {
    for text in [
        r#"{"name": "a", "name": "a"}"#,
        r#"{"note": null, "name": "a", "n\u0061me": "a"}"#,
        r#"{"what": 1, "name": "a", "what": 2}"#,
        r#"{"wh\u0061t": 1, "name": "a", "what": 2}"#,
        r#"{"units": [{"hp": 1, "hp": 1}]}"#,
    ] {
        let error = load(text.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{text}: {error}");
    }
    // The same name in another object is another one.
    load(br#"{"what": {"what": 1}, "spawn": {"what": 1, "x": 2}, "ever": 3}"#).unwrap();
}

#[test]
fn errors_have_path_and_position() {
    let cases = [
        ("{\"units\":\n [{\"hp\": 40000}]}", "units[0].hp", "line 2 column 10"),
        ("{\"what\":1,\n\"spawn\": {\"y\": true}}", "spawn.y", "line 2 column 16"),
        ("{\"what\": [1,]}", "what", "line 1 column 13"),
        ("{\"name\" 1}", "", "line 1 column 9"),
        ("{\"name\": \"a\" \"note\": 1}", "", "line 1 column 14"),
        ("{\"name\": \"a\",}", "", "line 1 column 14"),
        ("{name: 1}", "", "line 1 column 2"),
        (
            "{\"units\": [{\"order\": {\"Go\": {\"to\": {\"x\": []}}}}]}",
            "units[0].order.Go.to.x",
            "line 1 column 42",
        ),
    ];
    for (text, path, position) in cases {
        let error = load(text.as_bytes()).unwrap_err();
        assert_eq!(error.path(), path, "{text}: {error}");
        let at = error.position().map(|at| at.to_string());
        assert_eq!(at.as_deref(), Some(position), "{text}: {error}");
    }
}

#[test]
fn strict_loads_refuse_unknown_members_in_any_order() {
    let strict = Options::new().strict(true);
    let error = json::from_str_with::<Level>(r#"{"note": "a", "naem": "b"}"#, &strict).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownMember);
    assert!(error.to_string().contains("did you mean `name`?"), "{error}");
}

proptest! {
    #![proptest_config(crate::common::search::config(256))]

    #[test]
    fn damaged_files_end_in_the_same_way(
        seed in any::<u64>(), cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
    ) {
        let tree: Value = serde_json::from_str(&json::to_string(&level(4)).unwrap()).unwrap();
        let mut text = shuffled(&tree, seed, true).into_bytes();
        for (at, byte) in &flips {
            let at = at.index(text.len());
            text[at] = *byte;
        }
        let _ = load(&text);
        text.truncate(cut.index(text.len()));
        prop_assert!(load(&text).is_err());
    }
}

/// Unknown names are distinguished by a hash first, if there are not too many.
#[test]
fn duplicate_unknown_names() {
    let name = |i: usize| format!("a name, {i}, and its end");
    let text = |names: &[String]| {
        let members: Vec<_> = names.iter().map(|name| format!("{name:?}: [1, {{}}]")).collect();
        format!("{{\"name\": \"somebody\", {}}}", members.join(", "))
    };
    for count in [1, 2, 9, 63, 64, 65, 200] {
        let mut names: Vec<_> = (0..count).map(name).collect();
        names.extend((0..count % 7).map(|i| "x".repeat(i)));
        assert_eq!(json::from_str::<Unit>(&text(&names)).unwrap().name, "somebody");
        for twice in [0, count / 2, count - 1] {
            let mut names = names.clone();
            names.push(name(twice));
            let error = json::from_str::<Unit>(&text(&names)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{twice} of {count}");
            assert!(error.message().contains(&name(twice)), "{error}");
            // The same name, written in another way.
            let escaped = text(&names).replacen("a name", "\\u0061 name", 1);
            let error = json::from_str::<Unit>(&escaped).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{twice} of {count}");
        }
    }
}

macro_rules! wide {
    ($($name:ident)*) => {
        #[derive(Default, archive::Serialize)]
        struct Wide {
            $($name: u8,)*
        }
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}
wide! {
    m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 m12 m13
    m14 m15 m16 m17 m18 m19 m20 m21 m22 m23 m24 m25 m26 m27
    m28 m29 m30 m31 m32 m33 m34 m35 m36 m37 m38 m39 m40 m41
    m42 m43 m44 m45 m46 m47 m48 m49 m50 m51 m52 m53 m54 m55
    m56 m57 m58 m59 m60 m61 m62 m63 m64 m65 m66 m67 m68 m69
}

/// More members than a word has bits: each is known to be absent.
#[test]
fn absent_members_of_many() {
    let complete = Options::new().complete(true);
    for absent in NAMES {
        let there = NAMES.iter().filter(|name| *name != absent);
        let members: Vec<_> = there.map(|name| format!("{name:?}:1")).collect();
        let text = format!("{{{}}}", members.join(","));
        assert!(json::from_str::<Wide>(&text).is_ok());
        let error = json::from_str_with::<Wide>(&text, &complete).map(|_| ()).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::MissingMember, *absent));
    }
}
