//! No input makes a load panic, hang or take more memory than it should.

mod empty;
mod object_tables;

use archive_test_support::search::some_of;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use crate::common::Binary;
use crate::common::forged::{Entry, FIRST, Forged, put, with_data};
use archive_core::{Archive, Backend, ErrorKind, Result, Value};
use archive_derive::Serialize;

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Node {
    value: u32,
    next: Option<Rc<RefCell<Node>>>,
    back: Weak<RefCell<Node>>,
}

#[derive(Clone, Debug, Serialize)]
#[archive(crate = archive_core)]
enum Shape {
    Dot,
    Line(f32, f32),
    Group { name: String, parts: Vec<Shape> },
}

#[derive(Clone, Debug, Default)]
struct ByHand {
    flag: bool,
    text: String,
}

impl archive_core::Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("flag", &mut self.flag)?;
        if self.flag {
            ar.serialize("text", &mut self.text)?;
        }
        Ok(())
    }
}
archive_core::save_by_clone!(ByHand);
archive_core::blank!(ByHand);

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct World {
    name: String,
    shapes: Vec<Shape>,
    nodes: Vec<Rc<RefCell<Node>>>,
    notes: Value,
    hand: Vec<ByHand>,
    map: BTreeMap<String, Option<u64>>,
    units: Vec<()>,
    wide: (u128, i128, char, f64),
}

/// Requests fewer members, of other types and in another order.
#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Later {
    wide: (u128, i64, String, f32),
    map: BTreeMap<String, Value>,
    nodes: Vec<Weak<RefCell<Node>>>,
    shapes: Vec<Value>,
    hand: Vec<Value>,
    fresh: u8,
}

/// Contains a chain of so many nodes.
fn world(nodes: u32) -> World {
    let first = Rc::new(RefCell::new(Node { value: 1, ..Node::default() }));
    let second = (0..nodes).fold(first.clone(), |next, value| {
        let back = Rc::downgrade(&first);
        Rc::new(RefCell::new(Node { value, next: Some(next), back }))
    });
    let dot = Shape::Group { name: "g".into(), parts: vec![Shape::Dot, Shape::Line(0.5, 1.5)] };
    World {
        name: "world".into(),
        shapes: vec![dot.clone(), Shape::Dot, dot],
        nodes: vec![second, first],
        notes: Value::Object(vec![
            ("a".into(), Value::from(1)),
            ("b".into(), Value::Array(vec![Value::Null, Value::from("x"), Value::from(-2)])),
        ]),
        hand: vec![
            ByHand { flag: true, text: "t".into() },
            ByHand::default(),
            ByHand { flag: true, text: "u".into() },
        ],
        map: BTreeMap::from([("k".into(), Some(1 << 40)), ("l".into(), None)]),
        units: vec![(); 3],
        wide: (1 << 100, -5, 'x', 2.5),
    }
}

/// Loads in every way. None may panic or take long, which would show as a test that does not end.
fn load(file: &[u8]) -> bool {
    let typed = Binary::from_slice::<World>(file).is_ok();
    let _ = Binary::from_slice::<Later>(file);
    let _ = Binary::from_slice::<Value>(file);
    typed
}

#[test]
fn whole() {
    let file = Binary::to_vec(&world(20)).unwrap();
    assert!(load(&file));
    let later: Later = Binary::from_slice(&file).unwrap();
    assert_eq!(later.wide, (1 << 100, -5, "x".to_owned(), 2.5));
    assert_eq!(later.shapes.len(), 3);
    assert_eq!(later.shapes[1].as_str(), Some("Dot"));
    assert_eq!(later.hand[2].get("text").and_then(Value::as_str), Some("u"));
    let tree: Value = Binary::from_slice(&file).unwrap();
    let untyped = Binary::to_vec(&tree).unwrap();
    Binary::from_slice::<World>(&untyped).unwrap();
}

#[test]
fn cut_short() {
    let file = Binary::to_vec(&world(20)).unwrap();
    for len in 0..file.len() {
        let error = Binary::from_slice::<World>(&file[..len]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEnd, "{len}: {error}");
        load(&file[..len]);
    }
    let longer = [file.as_slice(), &[0]].concat();
    assert!(!load(&longer));
}

/// Every byte replaced by others.
#[test]
fn damaged() {
    let whole = Binary::to_vec(&world(20)).unwrap();
    let tree: Value = Binary::from_slice(&whole).unwrap();
    for file in [whole, Binary::to_vec(&tree).unwrap()] {
        for at in some_of(file.len()) {
            for byte in [0, 1, 0x7f, 0x80, 0xff, file[at].wrapping_add(1), file[at] ^ 0x80] {
                let mut damaged = file.clone();
                damaged[at] = byte;
                load(&damaged);
            }
        }
    }
}

/// A number is replaced by one of ten bytes, and the footer is adjusted.
#[test]
fn huge_numbers() {
    let whole = Binary::to_vec(&world(20)).unwrap();
    let tree: Value = Binary::from_slice(&whole).unwrap();
    for file in [whole, Binary::to_vec(&tree).unwrap()] {
        let (body, footer) = file.split_at(file.len() - 16);
        let tables = u64::from_le_bytes(footer[..8].try_into().unwrap()) as usize;
        for at in some_of(body.len()).skip_while(|&at| at < 6) {
            for number in [1_u64 << 60, u64::MAX, 1 << 31, 1 << 20] {
                let mut coded = Vec::new();
                let mut rest = number;
                while rest >= 0x80 {
                    coded.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                coded.push(rest as u8);
                let mut forged = body.to_vec();
                forged.splice(at..=at, coded.iter().copied());
                let grown = coded.len() - 1;
                let in_tables = at >= body.len() - tables;
                let tables = tables + if in_tables { grown } else { 0 };
                let total = forged.len() + 16;
                forged.extend_from_slice(&(tables as u64).to_le_bytes());
                forged.extend_from_slice(&(total as u64).to_le_bytes());
                load(&forged);
            }
        }
    }
}

#[test]
fn deep_values() {
    let mut deep = Value::Null;
    for _ in 0..100 {
        deep = Value::Array(vec![deep]);
    }
    let file = Binary::to_vec(&deep).unwrap();
    assert_eq!(Binary::from_slice::<Value>(&file).unwrap(), deep);
    // A hundred thousand levels: read, and skipped.
    for levels in [1_000, 100_000] {
        let mut data = vec![10; levels];
        data.resize(2 * levels, 0);
        let file = with_data(&file, &data);
        let error = Binary::from_slice::<Value>(&file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
    }
    let object = Binary::to_vec(&Value::Object(vec![("x".into(), Value::Null)])).unwrap();
    let data = [&[11, 2, b'x'], vec![10; 100_000].as_slice(), &vec![0; 100_001]].concat();
    let error = Binary::from_slice::<Later>(&with_data(&object, &data)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
}

#[test]
fn not_of_this_format() {
    for input in
        [b"".as_slice(), b"{}", b"\x8bAR", b"\x8bARC\x01", b"ARCHIVE ARCHIVE ARCHIVE ARCHIVE"]
    {
        assert!(Binary::from_slice::<Value>(input).is_err());
    }
    let mut file = Binary::to_vec(&1_u8).unwrap();
    file[4] = 3;
    let error = Binary::from_slice::<u8>(&file).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(error.to_string(), "format version 3; this program reads 1 to 2 at byte 4");
    let trailing = with_data(&Binary::to_vec(&1_u8).unwrap(), &[1, 2]);
    assert_eq!(Binary::from_slice::<u8>(&trailing).unwrap_err().kind(), ErrorKind::TrailingData);
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Chain {
    next: Option<Box<Chain>>,
}

/// A type table in which every class refers to another one.
#[test]
fn deep_types() {
    let count = 20_000;
    let types: Vec<_> = (0..count)
        .flat_map(|i| {
            let class = Entry::Class(0, vec![(1, FIRST + 2 * i + 1)]);
            [class, Entry::Option(FIRST + 2 * ((i + 1) % count))]
        })
        .collect();
    let file = Forged::new(&[1, 1, 0], &types, FIRST).names(&["Chain", "next"]).file();
    let load = move || Binary::from_slice::<Chain>(&file).unwrap();
    let chain = std::thread::Builder::new().stack_size(1 << 20).spawn(load).unwrap().join();
    assert!(chain.unwrap().next.unwrap().next.unwrap().next.is_none());
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Tree {
    left: Option<Box<Tree>>,
    right: Option<Box<Tree>>,
}

/// Requests a number of another size than the one in the file.
#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Top {
    tree: Option<Box<Tree>>,
    number: u8,
}

/// Many layouts that differ from the requested one after a large part that is equal.
#[test]
fn wide_types() {
    let (layouts, trees) = (20_000, (1 << 12) - 1);
    let mut types = Vec::new();
    for i in 0..trees {
        let child = |i| FIRST + 2 * if i < trees { i } else { 0 } + 1;
        types.push(Entry::Class(0, vec![(1, child(2 * i + 1)), (2, child(2 * i + 2))]));
        types.push(Entry::Option(FIRST + 2 * i));
    }
    let first = FIRST + types.len() as u64;
    let mut data = Vec::new();
    put(&mut data, layouts);
    for i in 0..layouts {
        types.push(Entry::Class(3, vec![(4, FIRST + 1), (5, 3)]));
        put(&mut data, i);
        data.extend([0, 7]);
    }
    // Objects that name their class.
    types.push(Entry::Seq(21));
    let names = ["Tree", "left", "right", "Top", "tree", "number"];
    let numbers: Vec<u64> = (first..first + layouts).collect();
    let root = first + layouts;
    let file = Forged { layouts: numbers, ..Forged::new(&data, &types, root).names(&names) }.file();
    let tops: Vec<Top> = Binary::from_slice(&file).unwrap();
    assert!(tops.len() as u64 == layouts && tops.iter().all(|top| top.number == 7));
}

/// Members that are requested one after the other.
#[test]
fn many_members() {
    let members = (0..100_000).map(|i| (format!("m{i}"), Value::from(i))).collect();
    let object = Value::Object(members);
    let file = Binary::to_vec(&object).unwrap();
    assert!(Binary::from_slice::<Value>(&file).unwrap() == object);
    let map: BTreeMap<String, u32> = Binary::from_slice(&file).unwrap();
    assert_eq!((map.len(), map["m77777"]), (100_000, 77_777));
}
