//! Files of old types load into new types: many changes at once, and the search in large classes.
//! Each change on its own is in the workspace's `tests/evolution/matrix`.

use std::fmt::Debug;

use crate::common::Binary;
use archive_core::__private::Element;
use archive_core::{Backend, ErrorKind, NoteKind, Options, Report, Save, Value};
use archive_derive::Serialize;

/// Saves one value and loads another one from it, directly and through a tree.
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
    let old = |a| old::Item { a, b: "b".into(), c: vec![1, 2], d: Some(7), same: same(), e: 0.1 };
    let new =
        |a| new::Item { e: 0.1, extra: 0, same: same(), renamed: 7, c: vec![1, 2], a: Some(a) };
    let report = becomes(vec![old(1), old(2)], vec![new(1), new(2)]);
    assert_eq!(notes(&report), ["[0].e: f64 to f32", "-[0].extra", "+[0].b"]);
    assert!(report.notes().iter().all(|note| note.count == 2), "{report}");
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
fn a_version_is_in_the_tree() {
    #[derive(Debug, PartialEq, Default, Serialize)]
    #[archive(crate = archive_core, version = 2)]
    struct Two {
        x: i32,
    }
    let tree: Value = Binary::from_slice(&Binary::to_vec(&Two { x: 1 }).unwrap()).unwrap();
    assert_eq!(tree.get("$version").and_then(Value::as_u64), Some(2));
    becomes(Two { x: 1 }, Two { x: 1 });
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

#[test]
fn a_name_that_another_member_took() {
    mod before {
        use super::*;
        #[derive(Debug, Serialize)]
        #[archive(crate = archive_core)]
        pub struct Pair {
            pub n: u8,
            pub m: u8,
        }
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    #[archive(crate = archive_core)]
    struct Inner {
        #[archive(alias = "n")]
        x: u16,
    }
    #[derive(Debug, PartialEq, Serialize)]
    #[archive(crate = archive_core)]
    struct Pair {
        #[archive(flatten)]
        inner: Inner,
        #[archive(alias = "m")]
        n: u8,
    }
    let old = |n| before::Pair { n, m: n + 1 };
    let new = |x: u8| Pair { inner: Inner { x: x.into() }, n: x + 1 };
    let report = becomes(vec![old(1), old(3), old(5)], vec![new(1), new(3), new(5)]);
    assert!(report.is_empty(), "{report}");
}

#[test]
fn objects_inside_of_objects_of_their_class() {
    mod before {
        use super::*;
        #[derive(Debug, Serialize)]
        #[archive(crate = archive_core)]
        pub struct Tree {
            pub children: Vec<Tree>,
            pub name: String,
            pub gone: u8,
            pub size: u32,
        }
    }
    #[derive(Debug, PartialEq, Serialize)]
    #[archive(crate = archive_core)]
    struct Tree {
        name: String,
        added: Option<u8>,
        children: Vec<Tree>,
        size: u32,
    }
    fn old(name: &str, children: Vec<before::Tree>) -> before::Tree {
        before::Tree { size: children.len() as u32, children, name: name.into(), gone: 1 }
    }
    fn new(name: &str, children: Vec<Tree>) -> Tree {
        Tree { name: name.into(), added: None, size: children.len() as u32, children }
    }
    let leaf = |name| old(name, vec![]);
    let before = old("a", vec![old("b", vec![leaf("c"), leaf("d")]), leaf("e")]);
    let leaf = |name| new(name, vec![]);
    becomes(before, new("a", vec![new("b", vec![leaf("c"), leaf("d")]), leaf("e")]));
}
