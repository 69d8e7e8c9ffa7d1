//! Last week's file, this week's types.

mod common;

use archive::{ErrorKind, Options, Serialize, json};
use common::formats;

#[derive(Default, Debug, PartialEq, Serialize)]
struct Old {
    name: String,
    hp: u8,
    gone: Vec<Inner>,
    speed: f32,
    title: String,
    state: OldState,
    inner: Inner,
}

#[derive(Default, Debug, PartialEq, Serialize)]
struct Inner {
    a: u8,
    b: i16,
}

#[derive(Default, Debug, PartialEq, Serialize)]
enum OldState {
    #[default]
    Idle,
    Attacking {
        target: u16,
    },
}

/// Members reordered, removed, added, widened, renamed; a variant added in front, one that gained a
/// member.
#[derive(Debug, PartialEq, Serialize)]
struct New {
    state: NewState,
    speed: f64,
    #[archive(default = 7)]
    added: u32,
    inner: NewInner,
    #[archive(alias = "title")]
    rank: String,
    hp: i64,
    name: Option<String>,
}

#[derive(Default, Debug, PartialEq, Serialize)]
struct NewInner {
    b: i32,
    c: Option<u8>,
    a: u16,
}

#[derive(Default, Debug, PartialEq, Serialize)]
enum NewState {
    Fleeing,
    #[archive(alias = "Idle")]
    #[default]
    Waiting,
    Attacking {
        since: f32,
        target: u32,
    },
}

fn old(state: OldState) -> Old {
    Old {
        name: "Ann".into(),
        hp: 200,
        gone: vec![Inner { a: 1, b: 2 }, Inner::default()],
        speed: 1.5,
        title: "captain".into(),
        state,
        inner: Inner { a: 255, b: -300 },
    }
}

#[test]
fn an_old_file_loads_into_new_types() {
    for format in formats() {
        let bytes = format.to_vec(&old(OldState::Attacking { target: 9 })).unwrap();
        let (new, report) =
            format.from_slice_report::<New>(&bytes).unwrap_or_else(|e| panic!("{format}: {e}"));
        let expected = New {
            state: NewState::Attacking { since: 0.0, target: 9 },
            speed: 1.5,
            added: 7,
            inner: NewInner { b: -300, c: None, a: 255 },
            rank: "captain".into(),
            hp: 200,
            name: Some("Ann".into()),
        };
        assert_eq!(new, expected, "{format}");
        let absent: Vec<&str> = report.absent().collect();
        assert_eq!(absent, ["state.Attacking.since", "added", "inner.c"], "{format}");
        assert_eq!(report.unknown().collect::<Vec<_>>(), ["gone"], "{format}");

        let bytes = format.to_vec(&old(OldState::Idle)).unwrap();
        let new: New = format.from_slice(&bytes).unwrap();
        assert_eq!(new.state, NewState::Waiting, "{format}");

        // In a container, and over what was there.
        let bytes = format.to_vec(&vec![old(OldState::Idle), old(OldState::Idle)]).unwrap();
        let mut list: Vec<New> = format.from_slice(&bytes).unwrap();
        list[0].added = 99;
        format.load_into(&mut list, &bytes).unwrap();
        assert_eq!((list.len(), list[0].added), (2, 7), "{format}");
    }
}

#[test]
fn a_new_file_loads_into_old_types_where_the_values_fit() {
    let new = |hp, state| New {
        state,
        speed: 2.5,
        added: 1,
        inner: NewInner { b: 5, c: Some(1), a: 6 },
        rank: "major".into(),
        hp,
        name: Some("Bob".into()),
    };
    for format in formats() {
        let bytes =
            format.to_vec(&new(255, NewState::Attacking { since: 1.0, target: 3 })).unwrap();
        let old: Old = format.from_slice(&bytes).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!((old.hp, old.speed, &*old.name, &*old.title), (255, 2.5, "Bob", ""), "{format}");
        assert_eq!(old.inner, Inner { a: 6, b: 5 }, "{format}");
        assert_eq!(old.state, OldState::Attacking { target: 3 }, "{format}");

        let bytes =
            format.to_vec(&new(256, NewState::Attacking { since: 1.0, target: 3 })).unwrap();
        let error = format.from_slice::<Old>(&bytes).unwrap_err();
        assert_eq!(
            (error.kind(), error.path()),
            (ErrorKind::OutOfRange, "hp"),
            "{format}: {error}"
        );
        assert!(error.position().is_some(), "{format}");

        let bytes = format.to_vec(&new(1, NewState::Fleeing)).unwrap();
        let error = format.from_slice::<Old>(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownVariant, "state"), "{format}");
        assert!(error.message().contains("`Idle`, `Attacking`"), "{format}: {error}");
    }
}

#[test]
fn strict_refuses_unknown_members() {
    let options = Options::new().strict(true);
    for format in formats() {
        let bytes = format.to_vec(&old(OldState::Idle)).unwrap();
        let error = format.from_slice_with::<New>(&bytes, &options).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownMember, "gone"), "{format}");
        format.from_slice_with::<Old>(&bytes, &options).unwrap();
    }
}

#[test]
fn keep_going_collects_errors() {
    #[derive(Debug, Default, Serialize)]
    struct Wrong {
        name: u32,
        hp: u8,
        inner: WrongInner,
    }
    #[derive(Debug, Default, Serialize)]
    struct WrongInner {
        a: String,
        b: i16,
    }
    for format in formats() {
        let bytes = format.to_vec(&old(OldState::Idle)).unwrap();
        let options = Options::new().keep_going(true);
        let (wrong, report) = format
            .from_slice_report_with::<Wrong>(&bytes, &options)
            .unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!((wrong.name, wrong.hp, wrong.inner.b), (0, 200, -300), "{format}");
        let paths: Vec<&str> = report.errors().iter().map(|e| e.path()).collect();
        assert_eq!(paths, ["name", "inner.a"], "{format}");
    }
}

#[test]
fn keep_going_inside_tuples_arrays_and_lists() {
    type Old = ((u8, u16), [u16; 3], Vec<u16>);
    type New = ((u8, u8), [u8; 3], Vec<u8>);
    let old: Old = ((1, 300), [1, 300, 3], vec![1, 300, 3]);
    for format in formats() {
        let bytes = format.to_vec(&old).unwrap();
        let options = Options::new().keep_going(true);
        let (new, report) = format.from_slice_report_with::<New>(&bytes, &options).unwrap();
        assert_eq!(new, ((1, 0), [1, 0, 3], vec![1, 3]), "{format}");
        let paths: Vec<&str> = report.errors().iter().map(|e| e.path()).collect();
        assert_eq!(paths, ["[0][1]", "[1][1]", "[2][1]"], "{format}");
    }
}

#[test]
fn keep_going_inside_maps() {
    use std::collections::BTreeMap;
    type Old = BTreeMap<String, u16>;
    type New = BTreeMap<u8, u8>;
    let options = Options::new().keep_going(true);
    let old: Old = [("1", 1), ("300", 2), ("4", 400), ("5", 5)].map(|(k, v)| (k.into(), v)).into();
    let text = r#"{"1":1,"300":2,"4":400,"5":5}"#;
    let (new, report) = json::from_slice_report_with::<New>(text.as_bytes(), &options).unwrap();
    assert_eq!(new, [(1, 1), (5, 5)].into());
    let found: Vec<String> = report.errors().iter().map(|e| e.to_string()).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("300: ") && found[0].contains("line 1 column"), "{found:?}");
    assert!(found[1].starts_with("4: "), "{found:?}");
    // Pairs: text keys are no numbers there, so every key fails, and one value.
    let pairs = json::to_vec(&old).unwrap();
    let (new, report) = json::from_slice_report_with::<New>(&pairs, &options).unwrap();
    assert_eq!((new.len(), report.errors().len()), (0, 5));
    // A load that cannot show the errors does not swallow them.
    assert!(json::from_str_with::<New>(text, &options).is_err());
}

#[test]
fn a_fallback_variant_is_reported() {
    #[derive(Debug, PartialEq, Serialize)]
    enum Old {
        Jump { height: f32 },
        Run,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    enum New {
        Run,
        #[default]
        #[archive(other)]
        Unknown,
    }
    let old = vec![Old::Run, Old::Jump { height: 2.0 }];
    for format in formats() {
        let bytes = format.to_vec(&old).unwrap();
        let (new, report) = format.from_slice_report::<Vec<New>>(&bytes).unwrap();
        assert_eq!(new, [New::Run, New::Unknown], "{format}");
        assert_eq!(report.unknown().collect::<Vec<_>>(), ["[1].Jump"], "{format}");
        let strict = Options::new().strict(true);
        let error = format.from_slice_with::<Vec<New>>(&bytes, &strict).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownVariant, "[1]"), "{format}");
    }
}

#[test]
fn versions() {
    #[derive(Default, Debug, PartialEq)]
    struct Door {
        open: f32,
    }
    impl Serialize for Door {
        const VERSION: u32 = 2;
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            if ar.version() < 2 {
                // It was a truth value.
                let mut open = self.open > 0.0;
                ar.serialize("open", &mut open)?;
                self.open = f32::from(u8::from(open));
                return Ok(());
            }
            ar.serialize("open", &mut self.open)
        }
    }
    archive::blank!(Door);

    #[derive(Default, Serialize)]
    #[archive(rename = "Door")]
    struct Unversioned {
        open: bool,
    }
    #[derive(Default, Debug, Serialize)]
    #[archive(rename = "Door", version = 3)]
    struct Newer {
        open: f32,
    }

    let mut door = Door { open: 0.5 };
    for format in formats() {
        let bytes = format.to_vec(&mut door).unwrap();
        assert_eq!(format.from_slice::<Door>(&bytes).unwrap(), door, "{format}");
        // From before there were versions.
        let bytes = format.to_vec(&Unversioned { open: true }).unwrap();
        assert_eq!(format.from_slice::<Door>(&bytes).unwrap(), Door { open: 1.0 }, "{format}");
        // From the future; also for a type that has none.
        let bytes = format.to_vec(&vec![Newer { open: 1.0 }]).unwrap();
        let error = format.from_slice::<Vec<Door>>(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::NewerVersion, "[0]"), "{format}");
        assert!(error.message().contains('2') && error.message().contains('3'), "{error}");
        let error = format.from_slice::<Vec<Unversioned>>(&bytes).map(|_| ()).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::NewerVersion, "[0]"), "{format}");
    }
    assert_eq!(archive::json::to_string(&mut door).unwrap(), r#"{"$version":2,"open":0.5}"#);
    let error = archive::json::from_str::<Door>(r#"{"open":true,"$version":2}"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax, "{error}");
}

#[test]
fn hand_written_functions_may_branch() {
    #[derive(Default, Debug, PartialEq, Clone)]
    struct Shape {
        round: bool,
        radius: f32,
        size: [f32; 2],
    }
    impl Serialize for Shape {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            ar.serialize("round", &mut self.round)?;
            if self.round {
                ar.serialize("radius", &mut self.radius)
            } else {
                ar.serialize("size", &mut self.size)
            }
        }
    }
    archive::blank!(Shape);
    archive::save_by_clone!(Shape);
    let shapes: Vec<Shape> = (0..40)
        .map(|i| match i % 3 {
            0 => Shape { round: true, radius: 2.0, size: [0.0; 2] },
            _ => Shape { round: false, radius: 0.0, size: [1.0, i as f32] },
        })
        .collect();
    common::round_trip(&shapes);
}
