//! No input makes a load panic, hang or take more memory than it should.

use archive_test_support::search::some_of;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use crate::common::{BunchOfData, save};
use archive_blob::{Blob, DataType, Decoder, ObjectBlob, ObjectBlobList, Reader};
use archive_core::{Backend, Decoder as _, ErrorKind, Options, Position, Value};
use archive_derive::Serialize;

#[derive(Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
struct World {
    name: String,
    shapes: Vec<Shape>,
    numbers: Vec<i32>,
    one: Vec<f32>,
    map: BTreeMap<String, Option<u64>>,
    units: Vec<()>,
    wide: (u128, i128, char, f64),
    notes: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[archive(crate = archive_core)]
enum Shape {
    Dot,
    Line(f32, f32),
    Group { name: String, parts: Vec<Shape> },
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Graph {
    nodes: Vec<Rc<RefCell<Node>>>,
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Node {
    value: u32,
    next: Option<Rc<RefCell<Node>>>,
    back: Weak<RefCell<Node>>,
}

fn world() -> World {
    World {
        name: "north\0".into(),
        shapes: vec![
            Shape::Dot,
            Shape::Group { name: "g".into(), parts: vec![Shape::Line(1.0, -1.0)] },
        ],
        numbers: vec![1, -2, 3],
        one: vec![0.5],
        map: [("a".into(), Some(1)), (String::new(), None)].into(),
        units: vec![(); 3],
        wide: (u128::MAX, i128::MIN, '🦀', f64::NAN.to_bits() as f64),
        notes: Value::Bytes(vec![1, 2]),
    }
}

fn graph() -> Graph {
    let last = Rc::new(RefCell::new(Node { value: 1, ..Node::default() }));
    let first =
        Rc::new(RefCell::new(Node { value: 2, next: Some(last.clone()), ..Node::default() }));
    last.borrow_mut().back = Rc::downgrade(&first);
    Graph { nodes: vec![last, first] }
}

/// Everything that can be done with a file. Returns whether it loaded as the original type.
fn load(file: &[u8]) -> bool {
    let world = archive_blob::from_slice::<World>(file).is_ok();
    let graph = archive_blob::from_slice::<Graph>(file).is_ok();
    let _ = archive_blob::from_slice::<Value>(file);
    let _ = archive_blob::from_slice::<BTreeMap<String, Value>>(file);
    let _ = archive_blob::from_slice_report::<World>(file, &Options::new().keep_going(true));
    if let Ok(mut reader) = Reader::new(file) {
        let _ = reader.load::<World>("world");
        let _ = reader.finish();
    }
    if let Ok(mut decoder) = Decoder::new(file, 128) {
        let _ = decoder.find_pointees(&mut |_, _| {});
    }
    if let Ok(list) = ObjectBlobList::from_slice(file) {
        // A value that is kept unchanged is written unchanged.
        assert_eq!(list.to_vec().unwrap(), file);
        for (_, blob) in list.iter() {
            for (name, _) in blob {
                let _ = blob.get_value::<Value>(name);
                let _ = blob.get::<Vec<i32>>(name);
                let _ = blob.get::<String>(name);
                let _ = blob.get::<ObjectBlob>(name);
            }
        }
    }
    Blob::detect(file);
    world || graph
}

fn files() -> Vec<Vec<u8>> {
    let mut writer = archive_blob::Writer::new();
    writer.save("world", &world()).unwrap();
    writer.save("number", &7).unwrap();
    let named = writer.finish().unwrap();
    vec![save(&world()), save(&graph()), named]
}

#[test]
fn every_truncation_is_an_error() {
    for file in files() {
        for len in 0..file.len() {
            let error = archive_blob::from_slice::<Value>(&file[..len]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEnd, "{len}: {error}");
            assert!(error.position().is_some());
            assert!(ObjectBlobList::from_slice(&file[..len]).is_err());
            assert!(!load(&file[..len]), "{len}");
        }
        let longer = [&file[..], b"x"].concat();
        let error = archive_blob::from_slice::<Value>(&longer).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TrailingData);
        assert_eq!(error.position(), Some(Position::Offset(file.len() as u64)));
        let error = ObjectBlobList::from_slice(&longer).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TrailingData);
    }
}

#[test]
fn every_byte_replaced() {
    for mut file in files() {
        for at in some_of(file.len()) {
            let old = file[at];
            for new in [0, 1, old.wrapping_add(1), old.wrapping_sub(1), old ^ 0x80, 0x7f, 0xff] {
                file[at] = new;
                load(&file);
            }
            file[at] = old;
        }
    }
}

/// Builds files from parts.
fn datum(name: &[u8], kind: i32, size: i32, count: i32, data: &[u8]) -> Vec<u8> {
    let mut out = (name.len() as i32).to_le_bytes().to_vec();
    out.extend(name);
    [kind, size, count].iter().for_each(|field| out.extend(field.to_le_bytes()));
    out.extend(data);
    out
}

fn blob(count: i32, data: &[Vec<u8>]) -> Vec<u8> {
    [&count.to_le_bytes()[..], &data.concat()].concat()
}

fn file(blob: &[u8]) -> Vec<u8> {
    let mut out = vec![1, 0, 0, 0, 1, 0, 0, 0, 0];
    out.extend((blob.len() as i32).to_le_bytes());
    out.extend(blob);
    out
}

fn refused<T: archive_core::Element>(file: &[u8], kind: ErrorKind, at: usize, message: &str) {
    let error = archive_blob::from_slice::<T>(file).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert_eq!(error.position(), Some(Position::Offset(at as u64)), "{error}");
    assert!(error.message().contains(message), "{error}");
}

const MAX_COUNT: i32 = i32::MAX;

/// The offset at which the blob of a file begins.
const START: usize = 13;

#[test]
fn sizes_that_lie() {
    use ErrorKind::{Syntax, UnexpectedEnd};
    let int = || datum(b"a\0", 2, 4, 1, &[1, 0, 0, 0]);
    // Counts.
    refused::<Value>(&[255; 4], Syntax, 0, "a number of blobs of -1");
    refused::<Value>(
        &MAX_COUNT.to_le_bytes(),
        UnexpectedEnd,
        0,
        "2147483647, but only 0 bytes remain",
    );
    refused::<Value>(&file(&blob(-5, &[int()])), Syntax, START, "of -5");
    refused::<Value>(&file(&blob(MAX_COUNT, &[int()])), UnexpectedEnd, START, "but only 22 bytes");
    refused::<Value>(&file(&blob(2, &[int()])), UnexpectedEnd, START, "but only 22 bytes");
    let two = [int(), datum(b"b\0", 2, 4, 1, &[1, 0, 0, 0])];
    refused::<Value>(&file(&blob(1, &two)), Syntax, START + 26, "longer than its data");
    // Names.
    for (name, message) in [
        (&b""[..], "must end with NUL"),
        (b"a", "must end with NUL"),
        (b"a\0b\0", "a name contains NUL"),
        (b"\xff\0", "not UTF-8"),
        (b"\xc0\0", "not UTF-8"),
    ] {
        let file = file(&blob(1, &[datum(name, 2, 4, 1, &[1, 0, 0, 0, 0])]));
        refused::<Value>(&file, Syntax, START + 4, message);
    }
    // A header.
    for (size, count, kind, at, message) in [
        (4, -1, Syntax, 18, "an element count of -1"),
        (-4, 1, Syntax, 14, "an element size of -4"),
        (8, 1, Syntax, 14, "an element of int takes 4 bytes, not 8"),
        (4, 2, UnexpectedEnd, 22, "expected 8 bytes"),
        (4, MAX_COUNT, UnexpectedEnd, 22, "expected 8589934588 bytes"),
    ] {
        let mut file = file(&blob(1, &[datum(b"a\0", 2, size, count, &[1, 0, 0, 0])]));
        let at = START + at;
        refused::<Value>(&file, kind, at, message);
        // The same inside of another blob: the input does not end there.
        let inner = file.split_off(START);
        let outer = datum(b"o\0", 5, 1, inner.len() as i32, &inner);
        let file = self::file(&blob(2, &[outer, int()]));
        let at = at + 22;
        refused::<Value>(&file, Syntax, at, "");
    }
    // Data of unknown types is skipped, with any elements.
    for (size, count, data) in [(0, MAX_COUNT, 0), (MAX_COUNT, 0, 0), (3, 5, 15), (1, 0, 0)] {
        let unknown = datum(b"u\0", 99, size, count, &vec![0xee; data]);
        let file = file(&blob(2, &[unknown, int()]));
        let map: Only = archive_blob::from_slice(&file).unwrap();
        assert_eq!(map.a, 1);
        let list = ObjectBlobList::from_slice(&file).unwrap();
        let kept = list.get("").unwrap().datum("u").unwrap();
        assert_eq!((kept.data_type(), kept.element_size()), (DataType::new(99), size as usize));
        assert_eq!((kept.len(), kept.data().len()), (count as usize, data));
        assert_eq!(list.to_vec().unwrap(), file);
        refused::<Value>(&file, ErrorKind::Unsupported, START + 10, "unknown type 99");
    }
    let unknown = datum(b"u\0", 99, MAX_COUNT, MAX_COUNT, &[]);
    let end = START + 22;
    refused::<Value>(&file(&blob(1, &[unknown])), UnexpectedEnd, end, "4611686014132420609 bytes");
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Only {
    a: i32,
}

/// As [`Only`], with the members that it does not know.
#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Kept {
    a: i32,
    #[archive(unknown)]
    rest: Vec<(String, Value)>,
}

#[test]
fn lists_that_lie() {
    use ErrorKind::Syntax;
    let item = [2, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0];
    let list = |count: i32, items: usize| {
        let data = [&count.to_le_bytes()[..], &item.repeat(items)].concat();
        file(&blob(
            2,
            &[datum(b"l\0", 6, 1, data.len() as i32, &data), datum(b"x\0", 7, 1, 0, &[])],
        ))
    };
    let at = START + 22;
    assert!(archive_blob::from_slice::<Value>(&list(2, 2)).is_ok());
    refused::<Value>(&list(-1, 1), Syntax, at, "of -1");
    refused::<Value>(&list(MAX_COUNT, 1), Syntax, at, "but only 16 bytes remain");
    refused::<Value>(&list(2, 1), Syntax, at, "but only 16 bytes remain");
    refused::<Value>(&list(1, 2), Syntax, at + 20, "longer than its items");
}

#[test]
fn errors_in_elements() {
    use ErrorKind::Syntax;
    let value = |kind, size, data: &[u8]| {
        file(&blob(1, &[datum(b"a\0", kind, size, data.len() as i32 / size, data)]))
    };
    let at = START + 22;
    refused::<Value>(&value(0, 1, &[2]), Syntax, at, "expected bool (0 or 1), found 2");
    refused::<Value>(&value(0, 1, &[0, 3]), Syntax, at + 1, "expected bool (0 or 1), found 3");
    refused::<Value>(
        &value(10, 4, &[0, 0xd8, 0, 0]),
        Syntax,
        at,
        "55296 is not a Unicode scalar value",
    );
    refused::<Value>(&value(1, 1, b"ab\xff\0"), Syntax, at + 2, "text is not UTF-8");
    refused::<Value>(&value(8, 1, b"\xc0\x80"), Syntax, at, "text is not UTF-8");
}

#[test]
fn duplicates() {
    let int = |name: &[u8]| datum(name, 2, 4, 1, &[1, 0, 0, 0]);
    let kind = ErrorKind::DuplicateMember;
    for data in
        [[int(b"a\0"), int(b"a\0")].to_vec(), [int(b"b\0"), int(b"a\0"), int(b"b\0")].to_vec()]
    {
        let last = START + 4 + data[..data.len() - 1].concat().len();
        let file = file(&blob(data.len() as i32, &data));
        refused::<Only>(&file, kind, last, "duplicate member");
        refused::<Kept>(&file, kind, last, "duplicate member");
        let (list, report) = ObjectBlobList::from_slice_report(&file).unwrap(); // the first one wins
        assert_eq!(list.get("").unwrap().len(), data.len() - 1);
        let name = list.get("").unwrap().name(0).unwrap();
        assert_eq!(report.to_string(), format!("{name}: duplicate member\n"));
        assert!(archive_blob::from_slice::<Value>(&file).is_ok()); // the last one wins
    }
    let root = |name: &[u8]| {
        let mut out = (name.len() as i32).to_le_bytes().to_vec();
        out.extend(name);
        out.extend([4, 0, 0, 0, 0, 0, 0, 0]);
        out
    };
    let file = [&[2, 0, 0, 0], &root(b"a\0")[..], &root(b"a\0")].concat();
    let (list, report) = ObjectBlobList::from_slice_report(&file).unwrap();
    assert_eq!((list.len(), &*report.to_string()), (1, "a: duplicate member\n"));
    let mut reader = Reader::new(&file).unwrap();
    reader.load::<BunchOfData>("a").unwrap();
    assert_eq!(reader.finish().unwrap_err().kind(), kind);
}

/// Lists in lists and objects in objects, 100,000 deep.
#[test]
fn deep() {
    for kind in [5, 6] {
        let mut front = Vec::new();
        let mut inner = 0;
        for _ in 0..100_000 {
            // From the inside out: the header of a datum, its count, and for objects a name.
            let mut level = Vec::new();
            let name: &[u8] = if kind == 5 { &[2, 0, 0, 0, b'a', 0] } else { &[] };
            let size = if inner == 0 { 4 } else { 4 + name.len() + inner };
            for field in [kind, 1, size as i32, i32::from(inner > 0)] {
                level.extend(field.to_le_bytes());
            }
            if inner > 0 {
                level.extend(name);
            }
            inner = 12 + size;
            front.push(level);
        }
        front.reverse();
        let inner = front.concat();
        let file = file(&blob(1, &[[&[2, 0, 0, 0, b'a', 0][..], &inner].concat()]));
        let error = archive_blob::from_slice::<Value>(&file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
        // Skipped, searched for objects, kept.
        let error = archive_blob::from_slice::<BunchOfData>(&file).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::DepthLimit, "a"), "{error}");
        let deep = Options::new().max_depth(1 << 20);
        archive_blob::from_slice_with::<BunchOfData>(&file, &deep).unwrap();
        let mut decoder = Decoder::new(&file, 128).unwrap();
        let error = decoder.find_pointees(&mut |_, _| {}).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit);
        let mut decoder = Decoder::new(&file, 1 << 20).unwrap();
        decoder.find_pointees(&mut |_, _| {}).unwrap();
        assert_eq!(ObjectBlobList::from_slice(&file).unwrap().to_vec().unwrap(), file);
    }
}

/// Many members that are requested in the worst order, and many roots.
#[test]
fn wide() {
    let n = 20_000;
    let data: Vec<Vec<u8>> =
        (0..n).map(|i| datum(format!("k{i}\0").as_bytes(), 2, 4, 1, &[i as u8, 0, 0, 0])).collect();
    let file = file(&blob(n, &data));
    assert_eq!(
        archive_blob::from_slice::<Value>(&file).unwrap().as_object().unwrap().len(),
        n as usize
    );
    let mut reader = Reader::new(&file).unwrap();
    for i in (0..n).rev() {
        assert_eq!(reader.load::<u8>(&format!("k{i}")).unwrap(), i as u8);
        assert!(reader.load::<u8>(&format!("absent{i}")).is_err());
        if i % 1000 == 0 {
            assert!(reader.load::<u8>(&format!("k{i}")).is_err(), "each is there once");
        }
    }
    reader.finish().unwrap();
}

/// Objects that come after their use, at the root and in members that are never requested.
#[test]
fn objects_elsewhere() {
    let id = |id: i32| datum(b"$id\0", 2, 4, 1, &id.to_le_bytes());
    let object = |name: &[u8], data: &[Vec<u8>]| {
        let blob = blob(data.len() as i32, data);
        datum(name, 5, 1, blob.len() as i32, &blob)
    };
    let five = || datum(b"$value\0", 2, 4, 1, &[5, 0, 0, 0]);
    #[derive(Serialize)]
    #[archive(crate = archive_core)]
    struct Two {
        a: Rc<RefCell<i32>>,
        b: Rc<i32>,
    }
    let file = file(&blob(
        3,
        &[
            object(b"a\0", &[id(1)]),
            object(b"b\0", &[id(2)]),
            object(
                b"gone\0",
                &[
                    object(b"x\0", &[id(1), five()]),
                    object(b"y\0", &[five(), id(2)]),
                    object(b"none\0", &[datum(b"z\0", 7, 1, 0, &[]), id(1), five()]),
                ],
            ),
        ],
    ));
    let two: Two = archive_blob::from_slice(&file).unwrap();
    assert_eq!((*two.a.borrow(), *two.b), (5, 5));

    // Between named roots.
    let shared = Rc::new(RefCell::new(7));
    let mut writer = archive_blob::Writer::new();
    writer.save("first", &shared).unwrap();
    writer.save("second", &vec![shared.clone()]).unwrap();
    let file = writer.finish().unwrap();
    let mut reader = Reader::new(&file).unwrap();
    let second: Vec<Rc<RefCell<i32>>> = reader.load("second").unwrap();
    let first: Rc<RefCell<i32>> = reader.load("first").unwrap();
    assert!(Rc::ptr_eq(&first, &second[0]) && *first.borrow() == 7);
    reader.finish().unwrap();

    // An object that is not stored, and one that is stored twice.
    let file = self::file(&blob(2, &[object(b"a\0", &[id(1)]), object(b"b\0", &[id(2)])]));
    let error = archive_blob::from_slice::<Two>(&file).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadPointer);
}

#[test]
fn other_formats_are_not_recognised() {
    let others: [&[u8]; 16] = [
        b"",
        b"\0\0\0",
        b"{\"a\":1}",
        b"[1]",
        b"5",
        b"1234567890123456",
        b"  \n{}",
        b"\x8bARC\x01\0\x02\0\0\0\0\0\0\0\0\0",
        b"\x81\xa1a\x01",
        b"\x93\x01\x02\x03",
        b"\x01",
        b"\x00\x00\x00\x00\x00",
        b"\xc0",
        b"\x01\x00\x00\x00\x02\x00\x00\x00aa\x04\x00\x00\x00\x00\x00\x00\x00",
        b"\x01\x00\x00\x00\x02\x00\x00\x00\x01\0\x04\x00\x00\x00\x00\x00\x00\x00",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10",
    ];
    for other in others {
        assert!(!Blob::detect(other), "{other:02x?}");
    }
    assert!(Blob::detect(&[0; 4]));
    for file in files() {
        assert!(Blob::detect(&file));
        for len in [30, 45, 60] {
            assert!(Blob::detect(&file[..len]), "{len}");
        }
    }
}

/// The error is at the first item that the type lacks.
#[test]
fn more_items_than_the_type_has() {
    let numbers = archive_blob::to_vec(&[1, 2, 3]).unwrap();
    let data = START + 4 + 5 + 12; // after a count, an empty name and a header
    refused::<[i32; 2]>(&numbers, ErrorKind::WrongLength, data + 8, "found more");
    let texts = archive_blob::to_vec(&["a".to_owned(), "b".to_owned()]).unwrap();
    let item = 12 + 2;
    refused::<[String; 1]>(&texts, ErrorKind::WrongLength, data + 4 + item, "found more");
}
