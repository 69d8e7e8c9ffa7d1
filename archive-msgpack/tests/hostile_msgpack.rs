//! Input that is meant to break the decoder: cut short, altered, deep, or with very many keys.

use archive_test_support::search::some_of;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::common::{DEPTH, Decoder, MessagePack, bytes, hex};
use archive_core::shape::OBJECT;
use archive_core::{
    Backend, Decoder as _, Error, ErrorKind, Limits, Options, Position, Result, Shape, Value,
};
use archive_derive::Serialize;

#[derive(Default, Debug, Serialize)]
#[archive(crate = archive_core)]
struct Doc {
    name: String,
    hp: u8,
    speed: f32,
    list: Vec<u64>,
    units: Vec<()>,
    deep: Vec<Option<Box<Doc>>>,
    bag: BTreeMap<u32, String>,
    tags: BTreeMap<String, State>,
    shared: Vec<Rc<RefCell<Doc>>>,
    open: Value,
}

#[derive(Default, Debug, Serialize)]
#[archive(crate = archive_core)]
enum State {
    #[default]
    Idle,
    Follow(u32),
    Attack {
        target: u32,
    },
}

fn doc() -> Vec<u8> {
    let shared = Rc::new(RefCell::new(Doc { name: "shared".into(), ..Doc::default() }));
    let ext =
        vec![("$ext".into(), (-1).into()), ("$data".into(), Value::Bytes(vec![0, 0, 0, 200]))];
    let doc = Doc {
        name: "a name of more than thirty-one bytes é".into(),
        hp: 200,
        speed: -1.5,
        list: vec![1, 300, u64::MAX],
        units: vec![(), ()],
        deep: vec![None, Some(Box::new(Doc { hp: 3, ..Doc::default() }))],
        bag: [(1, "one".into()), (70000, "many".into())].into(),
        tags: [
            ("a".into(), State::Follow(7)),
            ("b".into(), State::Attack { target: 9 }),
            ("$id".into(), State::Idle),
        ]
        .into(),
        shared: vec![shared.clone(), shared],
        open: Value::from(vec![Value::Object(ext), Value::Bytes(vec![0xc1; 3]), Value::Null]),
    };
    MessagePack::to_vec(&doc).unwrap()
}

/// Uses every way of reading that the input allows.
fn read_all(input: &[u8]) -> Result<Doc> {
    let decoder = || Decoder::new(input, DEPTH);
    decoder().find_pointees(&mut |_, _| ()).ok();
    decoder().begin_pointer().map(drop).ok();
    let mut msgpack = decoder();
    if msgpack.begin_object(&OBJECT).is_ok() {
        for name in ["list", "$value", "open", "hp", "absent"] {
            if msgpack.member(name).unwrap_or(false) {
                let mark = msgpack.mark();
                msgpack.f64().ok();
                msgpack.recover(mark);
                msgpack.skip().ok();
            }
        }
        msgpack.end_object(&mut |_| Ok(())).ok();
    }
    MessagePack::from_slice::<(Doc, u8)>(input).unwrap_err();
    MessagePack::from_slice::<Vec<Rc<RefCell<Doc>>>>(input).ok();
    MessagePack::from_slice::<BTreeMap<String, Value>>(input).ok();
    let keep_going = Options::new().keep_going(true);
    MessagePack::from_slice_report::<Doc>(input, &keep_going).ok();
    // Skipping checks as much as reading does.
    let mut skipping = decoder();
    let skipped = skipping.skip().and_then(|()| skipping.end());
    let tree = MessagePack::from_slice::<Value>(input);
    assert_eq!(skipped.is_ok(), tree.is_ok(), "{skipped:?} {tree:?} {}", hex(input));
    MessagePack::from_slice(input)
}

#[test]
fn every_truncation_is_an_error() {
    let doc = doc();
    read_all(&doc).unwrap();
    for len in 0..doc.len() {
        let error = read_all(&doc[..len]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEnd, "cut at {len}: {error}");
        assert!(error.position().is_some(), "cut at {len}: {error}");
    }
    let error = read_all(&[&doc[..], &[0xc0, 0xc0]].concat()).unwrap_err();
    let text = format!("2 bytes after the value at byte {}", doc.len());
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::TrailingData, text));
}

#[test]
fn altered_bytes_never_panic() {
    let mut doc = doc();
    for at in some_of(doc.len()) {
        let old = doc[at];
        let sizes = [0x80, 0x81, 0x90, 0x92, 0xa1, 0xc4, 0xc7, 0xcc, 0xd9, 0xdc, 0xdd, 0xdf];
        for byte in [0, 0x7f, 0xc0, 0xc1, 0xca, 0xff, old ^ 1].into_iter().chain(sizes) {
            doc[at] = byte;
            read_all(&doc).ok();
        }
        doc[at] = old;
    }
}

fn error<T: archive_core::Element + std::fmt::Debug>(
    hex: &str,
) -> (ErrorKind, String, Option<Position>) {
    let error: Error = MessagePack::from_slice::<T>(&bytes(hex)).unwrap_err();
    let text = match error.path() {
        "" => error.message().to_owned(),
        path => format!("{path}: {}", error.message()),
    };
    (error.kind(), text, error.position())
}

#[test]
fn errors_say_what_and_where() {
    let at = |offset| Some(Position::Offset(offset));
    for (hex, kind, text, offset) in [
        ("", ErrorKind::UnexpectedEnd, "the file is empty", 0),
        (
            "c1",
            ErrorKind::Syntax,
            "expected a value, found the byte 0xc1, which no value begins with",
            0,
        ),
        (
            "81 c1",
            ErrorKind::UnexpectedEnd,
            "1 item announced, but only 1 byte remains: the input is cut short or damaged",
            1,
        ),
        (
            "81 c1 c0",
            ErrorKind::Syntax,
            "expected a value, found the byte 0xc1, which no value begins with",
            1,
        ),
        (
            "81 a2 68 70 c1",
            ErrorKind::Syntax,
            "hp: expected a value, found the byte 0xc1, which no value begins with",
            4,
        ),
        ("81 a2 68 70 cd 01 2c", ErrorKind::OutOfRange, "hp: 300 does not fit u8", 4),
        ("81 a2 68 70 ff", ErrorKind::OutOfRange, "hp: -1 does not fit u8", 4),
        ("81 a2 68 70 ca 3f c0 00 00", ErrorKind::WrongType, "hp: expected u8, found 1.5", 4),
        ("81 a2 68 70 a1 37", ErrorKind::WrongType, "hp: expected u8, found \"7\"", 4),
        ("81 a2 68 70 c4 01 07", ErrorKind::WrongType, "hp: expected u8, found 1 byte", 4),
        (
            "81 a2 68 70 d4 05 07",
            ErrorKind::WrongType,
            "hp: expected u8, found an extension of type 5",
            4,
        ),
        ("81 a2 68 70 90", ErrorKind::WrongType, "hp: expected u8, found a sequence", 4),
        ("81 a2 68 70 c0", ErrorKind::WrongType, "hp: expected u8, found null", 4),
        ("81 a4 6e 61 6d 65 c3", ErrorKind::WrongType, "name: expected text, found true", 6),
        ("81 a4 6e 61 6d 65 a2 41 ff", ErrorKind::Syntax, "name: a byte that is not UTF-8 text", 8),
        (
            "81 a5 73 70 65 65 64 cb 7e 37 e4 3c 88 00 75 9c",
            ErrorKind::OutOfRange,
            "speed: 1e300 does not fit f32",
            7,
        ),
        (
            "81 a4 6c 69 73 74 92 01 a1 78",
            ErrorKind::WrongType,
            "list[1]: expected u64, found \"x\"",
            8,
        ),
        (
            "81 a4 64 65 65 70 91 81 a4 6c 69 73 74 91 c3",
            ErrorKind::WrongType,
            "deep[0].list[0]: expected u64, found true",
            14,
        ),
        ("82 a2 68 70 01 a2 68 70 02", ErrorKind::DuplicateMember, "duplicate member \"hp\"", 6),
        ("82 a1 78 01 a1 78 02", ErrorKind::DuplicateMember, "duplicate member \"x\"", 5),
        (
            "81 a4 74 61 67 73 81 a1 61 a4 49 64 65 6c",
            ErrorKind::UnknownVariant,
            "tags[0][1]: `State` has no variant `Idel`, did you mean `Idle`? It has `Idle`, `Follow`, `Attack`",
            9,
        ),
        (
            "81 a4 74 61 67 73 81 a1 61 05",
            ErrorKind::WrongType,
            "tags[0][1]: expected a variant of `State`, found 5",
            9,
        ),
        (
            "81 a3 62 61 67 dd ff ff ff ff",
            ErrorKind::UnexpectedEnd,
            "bag: 4294967295 items announced, but only 0 bytes remain: the input is cut short or damaged",
            10,
        ),
        (
            "c7 02 05 01 02",
            ErrorKind::WrongType,
            "expected an object, found an extension of type 5",
            0,
        ),
        (
            "81 a6 73 68 61 72 65 64 91 81 a3 24 69 64 00",
            ErrorKind::BadPointer,
            "shared[0].$id: 0 is not an object id: ids start at 1",
            14,
        ),
    ] {
        let (found, message, position) = error::<Doc>(hex);
        assert_eq!((found, &*message, position), (kind, text, at(offset)), "{hex}");
    }
    let (kind, text, _) = error::<Vec<Rc<u8>>>("91 81 a3 24 69 64 07");
    assert_eq!(kind, ErrorKind::BadPointer, "{text}");
}

#[test]
fn depth_is_limited() {
    let map = b"\x81\xa1a".as_slice();
    for open in [&b"\x91"[..], map, b"\x81\xc0", b"\xdc\x00\x01", b"\x81", b"\x92\xc0"] {
        let is_key = open == b"\x81";
        let nested = |depth: usize| {
            let close = if is_key { vec![0xc0; depth] } else { vec![] };
            [open.repeat(depth), vec![0xc0], close].concat()
        };
        for depth in [DEPTH + 1, 100_000] {
            let input = nested(depth);
            let mut msgpack = Decoder::new(&input, DEPTH);
            assert_eq!(msgpack.skip().unwrap_err().kind(), ErrorKind::DepthLimit);
            let found = Decoder::new(&input, DEPTH).find_pointees(&mut |_, _| ());
            assert_eq!(found.unwrap_err().kind(), ErrorKind::DepthLimit);
            let error = MessagePack::from_slice::<Value>(&input).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
            let unknown = [&b"\x81\xa1x"[..], &input].concat();
            let error = MessagePack::from_slice::<Doc>(&unknown).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
            // And without its end.
            let error = MessagePack::from_slice::<Value>(&input[..input.len() / 2]).unwrap_err();
            let kinds = [ErrorKind::DepthLimit, ErrorKind::UnexpectedEnd];
            assert!(kinds.contains(&error.kind()));
        }
        let input = nested(100_000);
        assert!(Decoder::new(&input, 100_000).skip().is_ok());
    }
    let deep = b"\x81\xa4deep\x91".repeat(100_000);
    let kind = MessagePack::from_slice::<Doc>(&[&deep[..], b"\xc0"].concat()).unwrap_err().kind();
    assert_eq!(kind, ErrorKind::DepthLimit);
    let shared = b"\x82\xa3$id\x01\xa6$value".repeat(100_000);
    let shared = MessagePack::from_slice::<Rc<RefCell<Doc>>>(&[&shared[..], b"\xc0"].concat());
    assert!(shared.is_err());
}

#[test]
fn elements_without_content_are_counted() {
    let mut limits = Limits::default();
    limits.elements = 9;
    let options = Options::new().limits(limits);
    let load = |n: u8| {
        MessagePack::from_slice_with::<Vec<()>>(
            &[&[0x90 | n], &[0xc0; 15][..n.into()]].concat(),
            &options,
        )
    };
    assert_eq!(load(9).unwrap().len(), 9);
    assert_eq!(load(10).unwrap_err().kind(), ErrorKind::SizeLimit);
}

#[test]
fn many_keys_cost_no_more_each_than_few() {
    const COUNT: usize = 100_000;
    let key = |text: &str| MessagePack::to_vec(text).unwrap();
    let mut file = [&[0xdf][..], &(COUNT as u32).to_be_bytes()].concat();
    for i in 0..COUNT {
        file.extend(key(&format!("key{i}")));
        file.extend(MessagePack::to_vec(&(i as u32)).unwrap());
    }
    // Looking up all keys backwards.
    let mut msgpack = Decoder::new(&file, DEPTH);
    msgpack.begin_object(&OBJECT).unwrap();
    for i in (0..COUNT).rev() {
        assert!(msgpack.member(&format!("key{i}")).unwrap());
        assert_eq!(msgpack.u32().unwrap(), i as u32);
        assert!(!msgpack.member(&format!("none{i}")).unwrap());
    }
    msgpack.end_object(&mut |_| unreachable!()).unwrap();
    msgpack.end().unwrap();
    // Comparing all keys.
    let mut msgpack = Decoder::new(&file, DEPTH);
    msgpack.begin_object(&OBJECT).unwrap();
    assert!(msgpack.member("key7").unwrap());
    msgpack.skip().unwrap();
    let mut unknown = 0;
    msgpack
        .end_object(&mut |_| {
            unknown += 1;
            Ok(())
        })
        .unwrap();
    assert_eq!(unknown, COUNT - 1);
    // Listing keys after requesting one.
    let mut msgpack = Decoder::new(&file, DEPTH);
    msgpack.begin_object(&OBJECT).unwrap();
    assert!(!msgpack.member("none").unwrap());
    let mut listed = 0;
    while msgpack.next_key().unwrap().is_some() {
        msgpack.skip().unwrap();
        listed += 1;
    }
    assert_eq!(listed, COUNT);
    msgpack.end_object(&mut |_| unreachable!()).unwrap();
    // One of them twice.
    let last = file.len() - 12;
    file.truncate(last);
    file.extend([key("key5"), vec![0]].concat());
    let mut msgpack = Decoder::new(&file, DEPTH);
    msgpack.begin_object(&OBJECT).unwrap();
    let found = msgpack.member("none").and_then(|_| msgpack.end_object(&mut |_| Ok(())));
    assert!(found.is_err());
}

#[test]
fn an_absent_member_at_each_level_does_not_walk_over_the_rest_again() {
    const LEVELS: usize = 20_000;
    let padding = [&b"\xd9\x64"[..], &b"x".repeat(100)].concat();
    let open = [&b"\x83\xa3pad"[..], &padding, b"\xa4next"].concat();
    let file = [open.repeat(LEVELS), vec![0xc0], b"\xa4last\x01".repeat(LEVELS)].concat();
    let mut msgpack = Decoder::new(&file, LEVELS);
    for _ in 0..LEVELS {
        msgpack.begin_object(&OBJECT).unwrap();
        assert_eq!(msgpack.version(&OBJECT).unwrap(), 0);
        assert!(!msgpack.member("absent").unwrap());
        assert!(msgpack.member("next").unwrap());
    }
    msgpack.null().unwrap();
    for _ in 0..LEVELS {
        assert!(msgpack.member("last").unwrap());
        assert_eq!(msgpack.u8().unwrap(), 1);
        msgpack
            .end_object(&mut |name| {
                assert_eq!(name, "pad");
                Ok(())
            })
            .unwrap();
    }
    msgpack.end().unwrap();
}

#[test]
fn asking_for_the_kind_of_each_level_does_not_walk_over_the_rest_again() {
    const LEVELS: usize = 20_000;
    for inner in [&b"\xa4next"[..], b"\x05"] {
        let open = [&b"\x82\xa3pad\xd9\x64"[..], &b"x".repeat(100), inner].concat();
        let file = [open.repeat(LEVELS), vec![0xc0]].concat();
        let mut msgpack = Decoder::new(&file, 3 * LEVELS);
        for _ in 0..LEVELS {
            match msgpack.peek().unwrap() {
                archive_core::Kind::Object => {
                    msgpack.begin_object(&OBJECT).unwrap();
                    assert!(msgpack.member("pad").unwrap());
                    msgpack.skip().unwrap();
                    assert!(msgpack.member("next").unwrap());
                }
                kind => {
                    assert_eq!(kind, archive_core::Kind::Seq);
                    assert_eq!(msgpack.begin_seq(&Shape::Any).unwrap(), 2);
                    assert!(msgpack.next_item().unwrap());
                    msgpack.skip().unwrap();
                    assert!(msgpack.next_item().unwrap());
                    assert_eq!(msgpack.begin_seq(&Shape::Any).unwrap(), 2);
                    assert!(msgpack.next_item().unwrap());
                    assert_eq!(msgpack.u8().unwrap(), 5);
                    assert!(msgpack.next_item().unwrap());
                }
            }
        }
        msgpack.null().unwrap();
        msgpack.end().unwrap();
    }
}
