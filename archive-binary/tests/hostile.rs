//! No input makes a load panic, hang or take more memory than it should.

mod common;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive_core::{Archive, Backend, ErrorKind, Result, Value};
use archive_derive::Serialize;
use common::Binary;

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

/// Asks for less, for other types and in another order.
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

/// With a chain of so many nodes.
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

/// Loads in every way there is; none may panic or, which would show as a test that does not end, take long.
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
        for at in 0..file.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff, file[at].wrapping_add(1), file[at] ^ 0x80] {
                let mut damaged = file.clone();
                damaged[at] = byte;
                load(&damaged);
            }
        }
    }
}

/// A number replaced by one of ten bytes, with the footer made to match.
#[test]
fn huge_numbers() {
    let whole = Binary::to_vec(&world(20)).unwrap();
    let tree: Value = Binary::from_slice(&whole).unwrap();
    for file in [whole, Binary::to_vec(&tree).unwrap()] {
        let (body, footer) = file.split_at(file.len() - 16);
        let tables = u64::from_le_bytes(footer[..8].try_into().unwrap()) as usize;
        for at in 6..body.len() {
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
    // A hundred thousand levels, by hand: read, and passed over.
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

/// The same file with other data for its root.
fn with_data(file: &[u8], data: &[u8]) -> Vec<u8> {
    let footer = &file[file.len() - 16..];
    let length = u64::from_le_bytes(footer[..8].try_into().unwrap()) as usize;
    let tables = &file[file.len() - 16 - length..file.len() - 16];
    let mut forged = [&file[..6], data].concat();
    let mut end = forged.len() as u64;
    // Where the root ends is the first number of the tables.
    let begin = forged.len();
    while end >= 0x80 {
        forged.push(end as u8 | 0x80);
        end >>= 7;
    }
    forged.push(end as u8);
    let old = tables.iter().position(|byte| *byte < 0x80).unwrap() + 1;
    forged.extend_from_slice(&tables[old..]);
    let length = forged.len() - begin;
    let total = forged.len() + 16;
    forged.extend_from_slice(&(length as u64).to_le_bytes());
    forged.extend_from_slice(&(total as u64).to_le_bytes());
    forged
}

#[test]
fn elements_without_bytes() {
    let file = Binary::to_vec(&vec![(); 4]).unwrap();
    let huge = with_data(&file, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    let error = Binary::from_slice::<Vec<()>>(&huge).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
    assert_eq!(Binary::from_slice::<Value>(&huge).unwrap_err().kind(), ErrorKind::SizeLimit);
    // Many sequences that each announce less than the limit.
    let file = Binary::to_vec(&vec![vec![()]]).unwrap();
    let mut data = vec![0xe8, 7];
    data.extend([0xff, 0xff, 3].repeat(1000));
    let error = Binary::from_slice::<Vec<Vec<()>>>(&with_data(&file, &data)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
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

/// An entry of a forged type table.
enum Entry {
    Seq(u64),
    Option(u64),
    Class(u64, Vec<(u64, u64)>),
    Pointer(u64),
}

/// The first number of the type table.
const FIRST: u64 = 32;

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A file whose data is `data`, of which the root takes so many bytes, with these tables. There is
/// one body type, if any; `objects` are the offsets of the bodies.
fn forged(
    (data, root_len): (&[u8], usize),
    names: &[&str],
    types: &[Entry],
    root: u64,
    layouts: &[u64],
    (body, objects): (Option<u64>, &[i64]),
) -> Vec<u8> {
    let mut out = [b"\x8bARC\x01\x00", data].concat();
    let tables = out.len();
    put(&mut out, 6 + root_len as u64);
    put(&mut out, names.len() as u64);
    for name in names {
        put(&mut out, name.len() as u64);
        out.extend_from_slice(name.as_bytes());
    }
    put(&mut out, types.len() as u64);
    for entry in types {
        let (code, numbers) = match entry {
            Entry::Seq(item) => (1, vec![*item]),
            Entry::Option(value) => (5, vec![*value]),
            Entry::Class(name, members) => {
                let members = members.iter();
                let mut numbers = vec![*name, 0, members.len() as u64];
                members.for_each(|(name, kind)| numbers.extend([*name, *kind]));
                (6, numbers)
            }
            Entry::Pointer(body) => (8, vec![*body]),
        };
        out.push(code);
        numbers.into_iter().for_each(|number| put(&mut out, number));
    }
    put(&mut out, root);
    put(&mut out, layouts.len() as u64);
    layouts.iter().for_each(|layout| put(&mut out, *layout));
    match body {
        Some(kind) => [1, 0, kind].into_iter().for_each(|number| put(&mut out, number)),
        None => put(&mut out, 0),
    }
    put(&mut out, objects.len() as u64);
    let mut last = 0;
    for at in objects {
        put(&mut out, 1);
        let distance: i64 = at - last;
        put(&mut out, ((distance << 1) ^ (distance >> 63)) as u64);
        last = *at;
    }
    let length = (out.len() - tables) as u64;
    let total = (out.len() + 16) as u64;
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&total.to_le_bytes());
    out
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
    let file = forged((&[1, 1, 0], 3), &["Chain", "next"], &types, FIRST, &[], (None, &[]));
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

/// Asks for a number of another size than the file has.
#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Top {
    tree: Option<Box<Tree>>,
    number: u8,
}

/// Many layouts that differ from what is asked for behind a large part that is equal.
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
    // Objects that name their class themselves.
    types.push(Entry::Seq(21));
    let names = ["Tree", "left", "right", "Top", "tree", "number"];
    let numbers: Vec<u64> = (first..first + layouts).collect();
    let root = first + layouts;
    let file = forged((&data, data.len()), &names, &types, root, &numbers, (None, &[]));
    let tops: Vec<Top> = Binary::from_slice(&file).unwrap();
    assert!(tops.len() as u64 == layouts && tops.iter().all(|top| top.number == 7));
}

/// Members that are taken one after the other.
#[test]
fn many_members() {
    let members = (0..100_000).map(|i| (format!("m{i}"), Value::from(i))).collect();
    let object = Value::Object(members);
    let file = Binary::to_vec(&object).unwrap();
    assert!(Binary::from_slice::<Value>(&file).unwrap() == object);
    let map: BTreeMap<String, u32> = Binary::from_slice(&file).unwrap();
    assert_eq!((map.len(), map["m77777"]), (100_000, 77_777));
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Shared {
    number: u8,
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Holder {
    refs: Vec<Rc<RefCell<Shared>>>,
}

/// A [`Holder`] with such data, and bodies at such offsets.
fn holder(data: &[u8], root_len: usize, objects: &[i64]) -> Result<Holder> {
    let types = [
        Entry::Class(0, vec![(1, FIRST + 1)]),
        Entry::Seq(FIRST + 2),
        Entry::Pointer(FIRST + 3),
        Entry::Class(2, vec![(3, 2)]),
    ];
    let names = ["Holder", "refs", "Shared", "number"];
    let objects = (Some(FIRST + 3), objects);
    Binary::from_slice(&forged((data, root_len), &names, &types, FIRST, &[], objects))
}

#[test]
fn forged_objects() {
    let numbers = |holder: Holder| -> Vec<u8> {
        holder.refs.iter().map(|shared| shared.borrow().number).collect()
    };
    let kind = |holder: Result<Holder>| holder.unwrap_err().kind();
    assert_eq!(numbers(holder(&[2, 1, 5, 2, 6], 5, &[8, 10]).unwrap()), [5, 6]);
    // Two objects in one place, and places outside of the data.
    assert_eq!(kind(holder(&[2, 1, 5, 2], 4, &[8, 8])), ErrorKind::BadPointer);
    for at in [-1, 0, 5, 6, 11, 1 << 40] {
        assert_eq!(kind(holder(&[2, 1, 5, 2], 4, &[8, at])), ErrorKind::BadPointer, "{at}");
    }
    // Bodies behind the root, some of which nobody asks for.
    assert_eq!(numbers(holder(&[1, 1, 1, 5], 2, &[9]).unwrap()), [5]);
    assert_eq!(numbers(holder(&[2, 2, 1, 1, 5, 2, 6], 3, &[10, 12]).unwrap()), [6, 5]);
    assert_eq!(numbers(holder(&[1, 1, 5, 2, 6], 3, &[8, 10]).unwrap()), [5]);
    assert_eq!(numbers(holder(&[1, 1, 2, 6, 1, 5], 2, &[11, 9]).unwrap()), [5]);
    // Anything else there: behind them, between them, and where an object is said to stand.
    let cases: [(&[u8], usize, &[i64]); 7] = [
        (&[1, 1, 5, 9, 9, 9], 3, &[8, 10]),
        (&[1, 1, 5, 9, 2, 6], 3, &[8, 11]),
        (&[1, 1, 5, 2, 6, 9], 3, &[8, 10]),
        (&[1, 1, 1, 5, 9], 2, &[9]),
        (&[1, 1, 9, 1, 5], 2, &[10]),
        (&[2, 1, 2, 1, 5, 9, 2, 6], 3, &[10, 13]),
        (&[1, 1, 5, 1, 6], 3, &[8]),
    ];
    for (data, root_len, objects) in cases {
        let error = holder(data, root_len, objects).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TrailingData, "{data:?}: {error}");
    }
}
