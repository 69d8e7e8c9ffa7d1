//! `Value`: any file as a tree, and back.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use crate::common::{distinguishes_f32, forgiving, formats};
use archive::value::Number;
use archive::{Options, Registry, Serialize, Value, json, polymorphic, register};

trait Effect: archive::Polymorphic {
    fn power(&self) -> u32;
}
polymorphic!(dyn Effect);

#[derive(Default, Serialize)]
struct Burn {
    damage: u32,
}

impl Effect for Burn {
    fn power(&self) -> u32 {
        self.damage
    }
}

#[derive(Default, Serialize)]
struct World {
    name: String,
    numbers: (i8, u64, i128, f32, f64, bool, char),
    odd: Vec<f64>,
    state: Vec<State>,
    map: BTreeMap<u8, Option<Option<String>>>,
    units: Vec<Rc<RefCell<Unit>>>,
    effects: Vec<Box<dyn Effect>>,
    shared: Option<Rc<RefCell<dyn Effect>>>,
    again: Option<Rc<RefCell<dyn Effect>>>,
    open: Value,
}

#[derive(Default, Serialize)]
struct Unit {
    hp: u8,
    leader: Weak<RefCell<Unit>>,
}

#[derive(Default, Serialize)]
enum State {
    #[default]
    Idle,
    Moving {
        to: [i32; 2],
    },
    Holding(u8, String),
}

fn world() -> World {
    let leader = Rc::new(RefCell::new(Unit { hp: 9, ..Unit::default() }));
    let follower = Rc::new(RefCell::new(Unit { hp: 3, leader: Rc::downgrade(&leader) }));
    let shared: Rc<RefCell<dyn Effect>> = Rc::new(RefCell::new(Burn { damage: 4 }));
    World {
        name: "north".into(),
        numbers: (-3, u64::MAX, i128::MIN, 0.1, 1e300, true, '🦀'),
        odd: vec![f64::NAN, f64::NEG_INFINITY, -0.0],
        state: vec![State::Idle, State::Moving { to: [1, -2] }, State::Holding(7, "x".into())],
        map: [(1, Some(Some("one".into()))), (2, Some(None)), (3, None)].into(),
        units: vec![follower, leader.clone(), leader],
        effects: vec![Box::new(Burn { damage: 2 })],
        shared: Some(shared.clone()),
        again: Some(shared),
        open: json::from_str(r#"{"any":[1,2.5,null,{"$id":"not a pointer"}]}"#).unwrap(),
    }
}

/// A tree as JSON, where integers that formats without 128 bits have as text are digits again.
fn digits(value: &Value) -> String {
    let mut text = json::to_string(value).unwrap();
    for wide in [i128::MIN.to_string(), u128::MAX.to_string()] {
        text = text.replace(&format!("\"{wide}\""), &wide);
    }
    text
}

/// A tree whose floats all have eight bytes.
fn widened(value: &Value) -> Value {
    match value {
        Value::Number(Number::F32(float)) => Value::from(f64::from(*float)),
        Value::Array(items) => Value::Array(items.iter().map(widened).collect()),
        Value::Object(members) => {
            let widen = |(name, value): &(String, Value)| (name.clone(), widened(value));
            Value::Object(members.iter().map(widen).collect())
        }
        other => other.clone(),
    }
}

/// Every pair of formats: typed → A → `Value` → B → typed gives the same text as before.
#[test]
fn between_formats_without_the_program() {
    let mut registry = Registry::new();
    register!(registry, dyn Effect { Burn }).unwrap();
    let options = Options::new().registry(&registry);
    let world = world();
    let text = json::to_string_with(&world, &options).unwrap();
    for from in forgiving() {
        let bytes = from.to_vec_with(&world, &options).unwrap();
        // No registry here: the tree needs no types.
        let value: Value = from.from_slice(&bytes).unwrap_or_else(|e| panic!("{from}: {e}"));
        for to in forgiving() {
            let bytes = to.to_vec(&value).unwrap_or_else(|e| panic!("{from} to {to}: {e}"));
            let same: Value = to.from_slice(&bytes).unwrap();
            let wanted =
                if distinguishes_f32(to) { digits(&value) } else { digits(&widened(&value)) };
            assert_eq!(digits(&same), wanted, "{from} to {to}");
            let loaded: World = to
                .from_slice_with(&bytes, &options)
                .unwrap_or_else(|e| panic!("{from} to {to}: {e}"));
            assert_eq!(json::to_string_with(&loaded, &options).unwrap(), text, "{from} to {to}");
            let leader = loaded.units[0].borrow().leader.upgrade().unwrap();
            assert!(Rc::ptr_eq(&leader, &loaded.units[1]), "{from} to {to}");
            assert!(Rc::ptr_eq(&loaded.units[1], &loaded.units[2]), "{from} to {to}");
            let (a, b) = (loaded.shared.unwrap(), loaded.again.unwrap());
            assert!(Rc::ptr_eq(&a, &b) && a.borrow().power() == 4, "{from} to {to}");
            assert_eq!(loaded.effects[0].power(), 2);
        }
    }
}

/// Deferred objects are included.
#[test]
fn deep_chains() {
    #[derive(Default, Serialize)]
    struct Link {
        value: u32,
        next: Option<Rc<RefCell<Link>>>,
    }
    let mut chain = None;
    for value in 0..100 {
        chain = Some(Rc::new(RefCell::new(Link { value, next: chain })));
    }
    let text = json::to_string(&vec![chain.clone(), chain]).unwrap();
    for from in forgiving() {
        let typed: Vec<Option<Rc<RefCell<Link>>>> = json::from_str(&text).unwrap();
        let value: Value = from.from_slice(&from.to_vec(&typed).unwrap()).unwrap();
        for to in forgiving() {
            let bytes = to.to_vec(&value).unwrap();
            let loaded: Vec<Option<Rc<RefCell<Link>>>> = to.from_slice(&bytes).unwrap();
            assert_eq!(json::to_string(&loaded).unwrap(), text, "{from} to {to}");
        }
    }
}

/// Typed → `Value` → typed, and the tree is that of the JSON text.
#[test]
fn without_a_format() {
    let mut registry = Registry::new();
    register!(registry, dyn Effect { Burn }).unwrap();
    let options = Options::new().registry(&registry);
    let world = world();
    let text = json::to_string_with(&world, &options).unwrap();
    let value = Value::of_with(&world, &options).unwrap();
    assert_eq!(json::to_string(&value).unwrap(), text);
    let read: Value = json::from_str(&text).unwrap();
    assert_eq!(json::to_string(&read).unwrap(), text);
    assert_eq!(value.get("map"), read.get("map"));
    assert_eq!(value.get("units"), read.get("units"));
    // A tree of a tree is the tree.
    assert_eq!(Value::of(&read).unwrap(), read);
    assert_eq!(read.to::<Value>().unwrap(), read);

    for value in [value, read] {
        let loaded: World = value.to_with(&options).unwrap();
        assert_eq!(json::to_string_with(&loaded, &options).unwrap(), text);
        let leader = loaded.units[0].borrow().leader.upgrade().unwrap();
        assert!(Rc::ptr_eq(&leader, &loaded.units[1]) && Rc::ptr_eq(&leader, &loaded.units[2]));
        let (a, b) = (loaded.shared.unwrap(), loaded.again.unwrap());
        assert!(Rc::ptr_eq(&a, &b) && a.borrow().power() == 4);
    }
}

#[derive(Default, Serialize)]
struct Chained {
    value: u32,
    next: Option<Rc<RefCell<Chained>>>,
}

#[test]
fn long_chains_without_a_format() {
    for len in [100, 100_000] {
        let mut chain = None;
        for value in 0..len {
            chain = Some(Rc::new(RefCell::new(Chained { value, next: chain })));
        }
        let value = Value::of(&chain).unwrap();
        let mut loaded: Option<Rc<RefCell<Chained>>> = value.to().unwrap();
        for expected in (0..len).rev() {
            let (old, new) = (chain.unwrap(), loaded.unwrap());
            assert_eq!(new.borrow().value, expected);
            // Unlinked one by one: dropping the whole would recurse.
            chain = old.borrow_mut().next.take();
            loaded = new.borrow_mut().next.take();
        }
        assert!(loaded.is_none());
    }
}

/// Members in any order, unknown ones, many of them, and objects that come after their use.
#[test]
fn any_order_without_a_format() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Many {
        a: u8,
        b: Option<String>,
        c: Vec<u8>,
        d: f32,
        e: i128,
    }
    let many = Many { a: 1, b: Some("x".into()), c: vec![1, 2], d: 0.5, e: i128::MIN };
    let Value::Object(mut members) = Value::of(&many).unwrap() else { panic!("no object") };
    members.extend((0..1000).map(|i| (format!("k{}", i * 7919 % 1000), Value::Null)));
    members.reverse();
    let value = Value::Object(members.clone());
    assert_eq!(value.to::<Many>().unwrap(), many);
    let error = value.to_with::<Many>(&Options::new().strict(true)).unwrap_err();
    assert_eq!(error.kind(), archive::ErrorKind::UnknownMember);
    members.push(("a".into(), Value::from(2)));
    let error = Value::Object(members).to::<Many>().unwrap_err();
    assert_eq!(error.kind(), archive::ErrorKind::DuplicateMember);
    // Bytes are numbers, if numbers are wanted.
    assert_eq!(Value::Bytes(vec![7, 8]).to::<Vec<u16>>().unwrap(), [7, 8]);
    let error = Value::Bytes(vec![7, 200]).to::<Vec<i8>>().unwrap_err();
    assert_eq!((error.kind(), error.path()), (archive::ErrorKind::OutOfRange, "[1]"));

    #[derive(Serialize)]
    struct Two {
        a: Rc<RefCell<Unit>>,
    }
    let text = r#"{"a":{"$id":1},"gone":{"inside":[{"$id":1,"$value":{"hp":5}}]}}"#;
    let value: Value = json::from_str(text).unwrap();
    assert_eq!(value.to::<Two>().unwrap().a.borrow().hp, 5);
}

/// A tree deeper than any stack is refused.
#[test]
fn depth_without_a_format() {
    let mut value = Value::Null;
    for _ in 0..1000 {
        value = Value::from(vec![value]);
    }
    for error in [value.to::<Value>().unwrap_err(), Value::of(&value).unwrap_err()] {
        assert_eq!(error.kind(), archive::ErrorKind::DepthLimit);
    }
    assert_eq!(value.to::<()>().unwrap_err().kind(), archive::ErrorKind::WrongType);
}

#[test]
fn numbers_keep_their_kind() {
    let value: Value = json::from_str(
        "[1,-1,18446744073709551615,340282366920938463463374607431768211455,1.0,-0.0]",
    )
    .unwrap();
    assert_eq!(value.item(0), Some(&Value::from(1)));
    assert_eq!(value.item(2), Some(&Value::from(u64::MAX)));
    assert_eq!(value.item(3), Some(&Value::Number(Number::UInt(u128::MAX))));
    assert_eq!(value.item(4), Some(&Value::Number(Number::F64(1.0))));
    for format in formats() {
        let bytes = format.to_vec(&value).unwrap();
        let loaded: Value = format.from_slice(&bytes).unwrap();
        assert_eq!(digits(&loaded), digits(&value), "{format}");
    }
}

#[test]
fn the_last_of_a_name_wins_and_order_is_kept() {
    let value: Value = json::from_str(r#"{"z":1,"a":2,"z":3}"#).unwrap();
    assert_eq!(json::to_string(&value).unwrap(), r#"{"z":3,"a":2}"#);
    // Many names, so that they are looked up in an index.
    let text: String = (0..1000).map(|i| format!("\"k{}\":{i},", i % 500)).collect();
    let value: Value = json::from_str(&format!("{{{}}}", text.trim_end_matches(','))).unwrap();
    assert_eq!(value.as_object().unwrap().len(), 500);
    assert_eq!(value.get("k7"), Some(&Value::from(507)));
}

#[test]
fn access_to_parts() {
    let text = r#"{"a":{"b":[1,{"c/d":2,"~":3}]},"":4,"0":5}"#;
    let mut value: Value = json::from_str(text).unwrap();
    assert_eq!(value["a"]["b"][0], Value::from(1));
    assert!(value["a"]["x"][7]["y"].is_null());
    for (path, found) in [
        ("/a/b/0", Some(1)),
        ("/a/b/1/c~1d", Some(2)),
        ("/a/b/1/~0", Some(3)),
        ("/", Some(4)),
        ("/0", Some(5)),
        ("/a/b/00", None),
        ("/a/b/+0", None),
        ("/a/b/-", None),
        ("/a/b/2", None),
        ("/a/b/0/0", None),
        ("a", None),
    ] {
        let found = found.map(Value::from);
        assert_eq!(value.pointer(path), found.as_ref(), "{path}");
        assert_eq!(value.pointer_mut(path).cloned(), found, "{path}");
    }
    assert_eq!(value.pointer("").unwrap(), &value.clone());
    *value.pointer_mut("/a/b/1/~0").unwrap() = Value::from("x");
    *value.get_mut("0").unwrap() = Value::from(None::<u8>);
    *value.pointer_mut("/a/b").unwrap().item_mut(0).unwrap() = Value::from_iter(["p", "q"]);
    value["new"]["deep"] = Value::from(u128::MAX);
    let text = r#"{"a":{"b":[["p","q"],{"c/d":2,"~":"x"}]},"":4,"0":null,"new":{"deep":340282366920938463463374607431768211455}}"#;
    assert_eq!(value.to_string(), text);
    assert_eq!(json::from_str::<Value>(text).unwrap(), value);
    value.as_object_mut().unwrap().clear();
    assert_eq!(value.to_string(), "{}");
}

#[test]
fn as_text_for_people() {
    let value = Value::from(vec![
        Value::from("q\"\\\n\u{1}é"),
        Value::from(-0.0),
        Value::from(f32::NAN),
        Value::from(0.1_f32),
        Value::Bytes(vec![1, 2]),
        Value::from(()),
        Value::from('c'),
    ]);
    assert_eq!(value.to_string(), r#"["q\"\\\n\u0001é",-0.0,"NaN",0.1,[1,2],null,"c"]"#);
    assert_eq!(json::from_str::<Value>(&value.to_string()).unwrap().to_string(), value.to_string());

    let value = json::from_str::<Value>(r#"{"a":[1,{"b":[],"c":{}}],"d":"x"}"#).unwrap();
    let lines = r#"{
    "a": [
        1,
        {
            "b": [],
            "c": {}
        }
    ],
    "d": "x"
}"#;
    assert_eq!(format!("{value:#}"), lines);
}

/// The suite of files that a JSON parser must accept, must refuse, or may treat either way.
#[test]
fn json_test_suite() {
    let folder =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/fixtures/json-test-suite/test_parsing");
    let Ok(files) = std::fs::read_dir(folder) else {
        println!("skipped: {folder} is not there");
        return;
    };
    let mut count = 0;
    for file in files {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let loaded = json::from_slice::<Value>(&std::fs::read(&path).unwrap());
        match name.as_bytes()[0] {
            b'y' => {
                let value = loaded.unwrap_or_else(|e| panic!("{name}: {e}"));
                let text = json::to_string(&value).unwrap();
                assert_eq!(json::from_str::<Value>(&text).unwrap(), value, "{name}");
            }
            b'n' => assert!(loaded.is_err(), "{name} was accepted"),
            _ => {}
        }
        count += 1;
    }
    assert!(count > 300, "{count} files");
}
