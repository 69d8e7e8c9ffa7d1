//! Old files in new types: several changes at once, and changes that only some formats can
//! represent. Each change on its own is in `matrix`.

use crate::common::forgiving;
use archive::{ErrorKind, Options, Serialize, json};

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
    for format in forgiving() {
        let bytes = format.to_vec(&old(OldState::Attacking { target: 9 })).unwrap();
        let (new, report) = format
            .from_slice_report::<New>(&bytes, &Options::new())
            .unwrap_or_else(|e| panic!("{format}: {e}"));
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

        // In a container, and over an old value.
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
    for format in forgiving() {
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
fn keep_going_inside_maps() {
    use std::collections::BTreeMap;
    type Old = BTreeMap<String, u16>;
    type New = BTreeMap<u8, u8>;
    let options = Options::new().keep_going(true);
    let old: Old = [("1", 1), ("300", 2), ("4", 400), ("5", 5)].map(|(k, v)| (k.into(), v)).into();
    let text = r#"{"1":1,"300":2,"4":400,"5":5}"#;
    let (new, report) = json::from_slice_report::<New>(text.as_bytes(), &options).unwrap();
    assert_eq!(new, [(1, 1), (5, 5)].into());
    let found: Vec<String> = report.errors().iter().map(|e| e.to_string()).collect();
    // The key 300 and the value 400 are errors of one kind.
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("300: ") && found[0].contains("line 1 column"), "{found:?}");
    assert!(report.counted_errors().map(|(_, count)| count).eq([2]));
    // Pairs: text keys are not numbers there, so every key fails, and one value.
    let pairs = json::to_vec(&old).unwrap();
    let (new, report) = json::from_slice_report::<New>(&pairs, &options).unwrap();
    let count: u64 = report.counted_errors().map(|(_, count)| count).sum();
    assert_eq!((new.len(), count), (0, 5));
    // A load that cannot show the errors does not swallow them.
    assert!(json::from_str_with::<New>(text, &options).is_err());
}

#[test]
fn a_version_is_saved_first() {
    #[derive(Debug, PartialEq, Serialize)]
    #[archive(version = 2)]
    struct Door {
        open: f32,
    }
    assert_eq!(json::to_string(&Door { open: 0.5 }).unwrap(), r#"{"$version":2,"open":0.5}"#);
    let door = json::from_str::<Door>(r#"{"open":1.0,"$version":2}"#).unwrap();
    assert_eq!(door, Door { open: 1.0 });
}

/// An integer in a JSON text is read as the nearest float, as with a fraction: other programs write
/// whole floats without one.
#[test]
fn integers_of_json_as_floats() {
    let f32 = |text: &str| json::from_str::<f32>(text).map_err(|error| error.kind());
    let f64 = |text: &str| json::from_str::<f64>(text).map_err(|error| error.kind());
    assert_eq!(
        (f32("16777216"), f64("9007199254740992")),
        (Ok(16_777_216.0), Ok(9_007_199_254_740_992.0))
    );
    assert_eq!((f32("-16777218"), f32("-0")), (Ok(-16_777_218.0), Ok(0.0)));
    assert_eq!(
        (f32("16777217"), f64("9007199254740993")),
        (Ok(16_777_216.0), Ok(9_007_199_254_740_992.0))
    );
    assert_eq!(f32(&format!("1{}", "0".repeat(39))), Err(ErrorKind::OutOfRange));
    assert_eq!(f64(&format!("1{}", "0".repeat(309))), Err(ErrorKind::OutOfRange));
    // 2^60 as JavaScript writes it, and digit by digit.
    assert_eq!(f64("1152921504606847000"), Ok(2.0_f64.powi(60)));
    assert_eq!(f64("1152921504606846976"), Ok(2.0_f64.powi(60)));
    assert_eq!(f64("1152921504606846975"), Ok(2.0_f64.powi(60)));
    assert_eq!(f64("100000000000000000000000"), Ok(1e23));
    // Text of a float is read at the width of the field.
    assert_eq!((f32("16777217.0"), f32("0.1")), (Ok(16_777_216.0), Ok(0.1)));
}

/// Other programs have members called `$id` and `$type`. An object with further members is not a
/// pointer.
#[test]
fn names_of_pointers_in_other_programs_files() {
    let (inner, report) = json::from_slice_report::<Inner>(
        br#"{"$id":"1","$type":"Game.Inner","a":3,"b":4}"#,
        &Options::new(),
    )
    .unwrap();
    assert_eq!(inner, Inner { a: 3, b: 4 });
    assert_eq!(report.unknown().collect::<Vec<_>>(), ["$id", "$type"]);
    let inner = json::from_str::<Inner>(r#"{"$value":{"a":3,"b":4},"$id":1}"#).unwrap();
    assert_eq!(inner, Inner { a: 3, b: 4 });
}

/// A chain of pointers to pointers counts its depth, also where a plain value is requested.
#[test]
fn pointers_to_values_end_at_the_depth_limit() {
    let deep = |depth: usize| {
        let open: String = (1..=depth).map(|id| format!(r#"{{"$id":{id},"$value":"#)).collect();
        open + "7" + &"}".repeat(depth)
    };
    assert_eq!(json::from_str::<u8>(&deep(100)).unwrap(), 7);
    let error = json::from_str::<u8>(&deep(100_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
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
    crate::common::round_trip(&shapes);
}
