//! Maps that are loaded over old ones: the result is that of a load into a new one.

use std::collections::{BTreeMap, HashMap};

use archive::{Element, Format, Save, Serialize, json};

const FORMATS: [Format; 4] = [Format::Json, Format::Binary, Format::MessagePack, Format::Blob];

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct Unit {
    name: String,
    marks: Vec<u8>,
    held: BTreeMap<String, u32>,
    seen: HashMap<i64, String>,
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct World {
    #[archive(as_object)]
    names: BTreeMap<String, Unit>,
    ids: HashMap<u16, Unit>,
    groups: Vec<HashMap<String, Unit>>,
    nested: BTreeMap<char, BTreeMap<u8, String>>,
    nothing: BTreeMap<u32, ()>,
}

/// A value with the entries that the bits name.
fn world(bits: u32, tick: u32) -> World {
    let has = move |n: &u32| bits >> n & 1 == 1;
    let unit = |n: u32| Unit {
        name: format!("{n} {tick}"),
        marks: vec![tick as u8; (n % 3) as usize],
        held: (0..5).filter(|m| has(&(n * m % 9))).map(|m| (format!("{m}"), tick)).collect(),
        seen: (0..3).filter(has).map(|m| (-i64::from(m), format!("{tick}"))).collect(),
    };
    let all = move || (0..9).filter(has);
    World {
        names: all().map(|n| (format!("$name {n}"), unit(n))).collect(),
        ids: all().map(|n| (n as u16 * 77, unit(n))).collect(),
        groups: all().map(|m| (0..m).map(|n| (n.to_string(), unit(n + m))).collect()).collect(),
        nested: all()
            .map(|n| ((b'a' + n as u8) as char, [(n as u8, tick.to_string())].into()))
            .collect(),
        nothing: all().map(|n| (n, ())).collect(),
    }
}

#[test]
fn nothing_of_the_old_map_remains() {
    for format in FORMATS {
        for (old, new) in (0..40).map(|n| (n * 13 % 512, n * 97 % 512)).chain([(7, 7), (0, 511)]) {
            let (mut value, new) = (world(old, 1), world(new, 2));
            format.load_into(&mut value, &format.to_vec(&new).unwrap()).unwrap();
            assert_eq!(value, new, "{format}");
        }
    }
}

/// Loads over the old value, with the result of a load into a blank one.
fn check<T: Element + Save + Default + PartialEq + std::fmt::Debug>(mut old: T, text: &str) {
    let mut new = T::default();
    let expected = json::load_into(&mut new, text.as_bytes());
    let loaded = json::load_into(&mut old, text.as_bytes());
    match (expected, loaded) {
        (Ok(()), Ok(())) => assert_eq!(old, new, "{text}"),
        (expected, loaded) => {
            assert_eq!(expected.unwrap_err().to_string(), loaded.unwrap_err().to_string(), "{text}")
        }
    }
}

#[test]
fn repeated_keys_absent_members_and_errors() {
    let old = || BTreeMap::from([1, 2, 3].map(|n| (n, world(2, 1))));
    for text in [
        "[[1,{}],[2,{}],[1,{}]]",
        "[[1,{}],[7,{}],[7,{}]]",
        "[[1,{}],[7,{}],[1,{}]]",
        "[[3,{}],[1,{}]]",
        r#"[[3,{"nested":[["b",[[1,"c"]]]]}],[2,{"ids":[[77,{"name":"n"}]]}]]"#,
        r#"[[1,{}],[2,{"ids":[[77,{"name":5}]]}]]"#,
        r#"[[1,{}],[2,{"ids":[[77,{}],[77,{}]]}]]"#,
        r#"[[1,{}],["x",{}]]"#,
        r#"{"1":{},"2":{},"1":{}}"#,
        r#"{"1":{},"02":{}}"#,
        "[[1,{}],[2",
        "[]",
    ] {
        check(old(), text);
        check(old().into_iter().collect::<HashMap<_, _>>(), text);
        check(vec![old(), old()], &format!("[{text},{text}]"));
    }
}

#[test]
fn an_error_leaves_the_entries_before_it() {
    let mut map = BTreeMap::from(["a", "b", "c"].map(|key| (key.to_owned(), vec![1])));
    json::load_into(&mut map, br#"[["a",[2]],["b",[3,"x"]]]"#).unwrap_err();
    assert_eq!(map, BTreeMap::from([("a".to_owned(), vec![2])]));
}
