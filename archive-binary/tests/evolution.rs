//! Files of yesterday's types load into today's.

mod common;

use std::collections::BTreeMap;
use std::fmt::Debug;

use archive_core::__private::Element;
use archive_core::{Backend, ErrorKind, NoteKind, Options, Report, Save, Value};
use archive_derive::Serialize;
use common::Binary;

/// Saves one value and loads another from it, by way of typed data and of a tree.
#[track_caller]
fn becomes<T: Save, U: Element + PartialEq + Debug>(old: T, new: U) -> Report {
    let file = Binary::to_vec(&old).unwrap();
    let tree: Value = Binary::from_slice(&file).unwrap();
    let untyped = Binary::to_vec(&tree).unwrap();
    let options = Options::new();
    let (found, _) = Binary::from_slice_report::<U>(&untyped, &options).unwrap();
    assert_eq!(found, new, "through {tree:?}");
    let (found, report) = Binary::from_slice_report::<U>(&file, &options).unwrap();
    assert_eq!(found, new);
    report
}

#[track_caller]
fn fails<T: Save, U: Element + Debug>(old: T, kind: ErrorKind) -> String {
    let file = Binary::to_vec(&old).unwrap();
    let error = Binary::from_slice::<U>(&file).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.position().is_some(), "{error}");
    error.to_string()
}

fn notes(report: &Report) -> Vec<String> {
    report
        .notes()
        .iter()
        .map(|note| match &note.kind {
            NoteKind::Absent => format!("-{}", note.path),
            NoteKind::Unknown => format!("+{}", note.path),
            NoteKind::Converted { from, to } => format!("{}: {from} to {to}", note.path),
            other => format!("{}: {other:?}", note.path),
        })
        .collect()
}

mod old {
    use super::*;

    #[derive(Debug, Default, Serialize)]
    #[archive(crate = archive_core)]
    pub struct Item {
        pub a: u8,
        pub b: String,
        pub c: Vec<u16>,
        pub d: Option<u8>,
        pub same: Same,
        pub e: f64,
    }

    #[derive(Debug, Serialize)]
    #[archive(crate = archive_core)]
    pub enum State {
        Idle,
        Gone(u8),
        At { x: i32, y: i32 },
        Pair(u8, u8),
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
struct Same {
    x: f32,
    list: Vec<(u8, String)>,
}

mod new {
    use super::*;

    #[derive(Debug, Default, PartialEq, Serialize)]
    #[archive(crate = archive_core)]
    pub struct Item {
        pub e: f32,
        pub extra: u8,
        pub same: Same,
        #[archive(alias = "d")]
        pub renamed: u64,
        pub c: Vec<i64>,
        pub a: Option<u8>,
    }

    #[derive(Debug, PartialEq, Serialize)]
    #[archive(crate = archive_core)]
    pub enum State {
        Pair(u16, u16),
        At {
            y: i64,
            z: u8,
        },
        #[archive(other)]
        Unknown,
        Idle,
    }
}

fn same() -> Same {
    Same { x: 0.5, list: vec![(1, "one".to_owned()), (2, "two".to_owned())] }
}

#[test]
fn members() {
    let old = |a| old::Item { a, b: "b".into(), c: vec![1, 2], d: Some(7), same: same(), e: 1.5 };
    let new =
        |a| new::Item { e: 1.5, extra: 0, same: same(), renamed: 7, c: vec![1, 2], a: Some(a) };
    let report = becomes(vec![old(1), old(2)], vec![new(1), new(2)]);
    let item = |i| {
        [
            format!("[{i}].e: f64 to f32"),
            format!("-[{i}].extra"),
            format!("[{i}].renamed: u8 to u64"),
            format!("[{i}].c[0]: u16 to i64"),
            format!("[{i}].c[1]: u16 to i64"),
            format!("+[{i}].b"),
        ]
    };
    let expected: Vec<String> = item(0).into_iter().chain(item(1)).collect();
    assert_eq!(notes(&report), expected);
}

#[test]
fn variants() {
    becomes(
        vec![
            old::State::Idle,
            old::State::At { x: 1, y: -2 },
            old::State::Pair(3, 4),
            old::State::Gone(1),
        ],
        vec![
            new::State::Idle,
            new::State::At { y: -2, z: 0 },
            new::State::Pair(3, 4),
            new::State::Unknown,
        ],
    );
    let message = fails::<_, Vec<Only>>(vec![old::State::Gone(1)], ErrorKind::UnknownVariant);
    assert!(message.contains("`Gone`"), "{message}");
}

#[derive(Debug, PartialEq, Serialize)]
#[archive(crate = archive_core)]
enum Only {
    Idle,
}

#[test]
fn numbers() {
    becomes(200_u8, 200_u32);
    becomes(200_u32, 200_u8);
    becomes(-3_i64, -3_i8);
    becomes(u128::MAX, u128::MAX);
    becomes(3_u8, 3.0_f64);
    becomes(3.0_f32, 3_i16);
    becomes(0.1_f64, 0.1_f32);
    becomes(0.5_f32, 0.5_f64);
    fails::<_, u8>(300_u16, ErrorKind::OutOfRange);
    fails::<_, u32>(-1_i32, ErrorKind::OutOfRange);
    fails::<_, i32>(1.5_f32, ErrorKind::WrongType);
    fails::<_, f32>(1e300_f64, ErrorKind::OutOfRange);
    fails::<_, u8>(true, ErrorKind::WrongType);
    fails::<_, String>(1_u8, ErrorKind::WrongType);
    fails::<_, bool>("x".to_owned(), ErrorKind::WrongType);
}

#[test]
fn options() {
    becomes(Some(5_u8), 5_u16);
    becomes(5_u8, Some(5_u16));
    becomes(vec![1_u8], Some(vec![1_u16]));
    becomes(Some(same()), same());
    becomes(same(), Some(same()));
    becomes(Some(None::<u8>), Some(None::<u16>));
    becomes(Some(Some(4_u8)), Some(Some(4_u16)));
    fails::<_, u8>(None::<u8>, ErrorKind::WrongType);
}

#[test]
fn sequences() {
    becomes(vec![1_u8, 2], [1_u16, 2]);
    becomes([1_u8, 2], vec![1_u16, 2]);
    becomes((1_u8, 2_u16), [1_u32, 2]);
    becomes([1_u8, 2], (1_u16, 2_u32));
    becomes(vec![(1_u8, 2_u8)], BTreeMap::from([(1_u16, 2_u16)]));
    becomes(BTreeMap::from([(1_u8, same())]), vec![(1_u16, same())]);
    becomes(BTreeMap::from([(1_u8, same())]), BTreeMap::from([(1_u16, same())]));
    fails::<_, [u8; 3]>(vec![1_u8, 2], ErrorKind::WrongLength);
    fails::<_, [u8; 1]>([1_u8, 2], ErrorKind::WrongLength);
    fails::<_, (u8, u8)>((1_u8, 2_u8, 3_u8), ErrorKind::WrongLength);
}

#[test]
fn objects_as_maps_and_text() {
    let map = BTreeMap::from([("x".to_owned(), 1_i16), ("y".to_owned(), 2)]);
    becomes(Point { x: 1, y: 2 }, map);
    becomes(Only::Idle, "Idle".to_owned());
    becomes("Idle".to_owned(), Only::Idle);
    becomes('x', "x".to_owned());
    becomes("x".to_owned(), 'x');
}

#[derive(Debug, PartialEq, Default, Serialize)]
#[archive(crate = archive_core)]
struct Point {
    x: i32,
    y: i32,
}

mod versions {
    use super::*;

    #[derive(Debug, PartialEq, Default, Serialize)]
    #[archive(crate = archive_core, version = 1)]
    pub struct One {
        pub x: i32,
    }
    #[derive(Debug, PartialEq, Default, Serialize)]
    #[archive(crate = archive_core, version = 2)]
    pub struct Two {
        pub x: i32,
    }
    #[derive(Debug, PartialEq, Default, Serialize)]
    #[archive(crate = archive_core)]
    pub struct Zero {
        pub x: i32,
    }
}

#[test]
fn versions() {
    use versions::{One, Two, Zero};
    becomes(One { x: 1 }, Two { x: 1 });
    becomes(Zero { x: 1 }, Two { x: 1 });
    becomes(Two { x: 1 }, Two { x: 1 });
    fails::<_, One>(Two { x: 1 }, ErrorKind::NewerVersion);
    fails::<_, Zero>(Two { x: 1 }, ErrorKind::NewerVersion);
    let tree: Value = Binary::from_slice(&Binary::to_vec(&Two { x: 1 }).unwrap()).unwrap();
    assert_eq!(tree.get("$version").and_then(Value::as_u64), Some(2));
}

#[test]
fn keep_going() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    #[archive(crate = archive_core)]
    struct Old {
        a: u32,
        b: Vec<(u32, Point)>,
        c: u8,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    #[archive(crate = archive_core)]
    struct New {
        a: u8,
        b: Vec<(u8, Point)>,
        c: u8,
    }
    let p = |x| Point { x, y: 5 };
    let old = Old { a: 300, b: vec![(1, p(1)), (300, p(2)), (3, p(3))], c: 9 };
    let options = Options::new().keep_going(true);
    let file = Binary::to_vec(&old).unwrap();
    let (new, report) = Binary::from_slice_report::<New>(&file, &options).unwrap();
    assert_eq!((new.a, new.c), (0, 9));
    let paths: Vec<_> = report.errors().iter().map(|error| error.path().to_owned()).collect();
    assert_eq!(paths[..2], ["a", "b[1][0]"]);
    assert_eq!(new.b.first(), Some(&(1, p(1))));
    assert_eq!(new.b.last(), Some(&(3, p(3))));
}

#[test]
fn many_members_in_another_order() {
    macro_rules! wide {
        ($name:ident: $($field:ident)*) => {
            #[derive(Debug, Default, PartialEq, Serialize)]
            #[archive(crate = archive_core)]
            struct $name { $($field: String),* }
        };
    }
    wide!(Forward: a b c d e f g h i j k l m n o p q r s t);
    wide!(Backward: t s r q p o n m l k j i h g f e d c b a z);
    let mut old = Forward::default();
    (old.a, old.b, old.t) = ("A".into(), "B".into(), "T".into());
    let mut new = Backward::default();
    (new.a, new.b, new.t) = ("A".into(), "B".into(), "T".into());
    let report = becomes(vec![old], vec![new]);
    assert_eq!(notes(&report), ["-[0].z"]);
}
