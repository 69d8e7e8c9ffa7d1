//! Formats that are named in the source load derived types in the order of the input. The result is
//! the same as with requested members, as in trait objects.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::format::Backend;
use archive::{ErrorKind, Options, Serialize, Value};

use crate::common::{EachBackend, Format, each_backend};

#[derive(Clone, Default, PartialEq, Debug, Serialize)]
#[archive(version = 2, after_load = Unit::loaded)]
struct Unit {
    name: String,
    #[archive(default = 5)]
    level: u8,
    hp: f32,
    at: (i16, f64),
    kind: Kind,
    #[archive(skip_if_default)]
    tags: Vec<String>,
    wide: i128,
    alive: bool,
    next: Option<Box<Unit>>,
    #[archive(skip)]
    loads: u32,
}

impl Unit {
    fn loaded(&mut self, _: u32) -> archive::Result {
        self.loads += 1;
        Ok(())
    }
}

#[derive(Clone, Default, PartialEq, Debug, Serialize)]
enum Kind {
    #[default]
    Plain,
    Flying(f32),
    Hidden {
        depth: u16,
    },
}

#[derive(Default, Debug, Serialize)]
struct World {
    watched: Weak<RefCell<Unit>>,
    first: Option<Rc<RefCell<Unit>>>,
    units: Vec<Rc<RefCell<Unit>>>,
    flat: Vec<Unit>,
}

fn unit(level: u8) -> Unit {
    let next = (level > 0).then(|| Box::new(unit(level - 1)));
    let kind = match level % 3 {
        0 => Kind::Plain,
        1 => Kind::Flying(0.5),
        _ => Kind::Hidden { depth: 7 },
    };
    let tags = (0..level % 2).map(|tag| tag.to_string()).collect();
    let name = format!("unit {level}");
    let wide = i128::MIN + i128::from(level);
    Unit { name, level, hp: 0.1, at: (-3, 1e300), kind, tags, wide, alive: true, next, loads: 0 }
}

/// The members of all objects in another order, with unknown ones in between.
fn stirred(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(stirred).collect::<Vec<_>>().into(),
        Value::Object(members) if !members[0].0.starts_with('$') && members.len() > 1 => {
            let mut others: Vec<_> =
                members.iter().rev().map(|(name, value)| (name.clone(), stirred(value))).collect();
            others.insert(1, ("unknown".into(), vec![Value::from(1), Value::Null].into()));
            Value::Object(others)
        }
        Value::Object(members) => {
            let stir = |(name, value): &(String, Value)| (name.clone(), stirred(value));
            let version = usize::from(members[0].0 == "$version");
            let mut others: Vec<_> = members.iter().map(stir).collect();
            if version == 1 {
                others[1..].reverse();
            }
            Value::Object(others)
        }
        other => other.clone(),
    }
}

struct SameAsAsked;

impl EachBackend for SameAsAsked {
    fn visit<F: Backend<Output: AsRef<[u8]>>>(&mut self) {
        let (asked, options) = (Format::of::<F>(), Options::new());
        let units = vec![unit(0), unit(5), unit(1)];
        let file = F::to_vec(&units).unwrap();
        assert_eq!(file, asked.to_vec(&units).unwrap(), "{}", F::NAME);
        let tree: Value = asked.from_slice(&file).unwrap();
        for file in [file.clone(), asked.to_vec(&stirred(&tree)).unwrap()] {
            let loaded: Vec<Unit> = F::from_slice(&file).unwrap();
            assert_eq!(loaded, asked.from_slice::<Vec<Unit>>(&file).unwrap(), "{}", F::NAME);
            assert_eq!((loaded[1].loads, &loaded[1].name), (1, &units[1].name), "{}", F::NAME);
            let mut over = vec![unit(3); 7];
            F::load_into(&mut over, &file, &options).unwrap();
            assert_eq!(over, loaded, "{}", F::NAME);
            let (reported, report) = F::from_slice_report::<Vec<Unit>>(&file, &options).unwrap();
            assert_eq!(reported, loaded, "{}", F::NAME);
            let (_, same) = asked.from_slice_report::<Vec<Unit>>(&file, &Options::new()).unwrap();
            assert_eq!(report.to_string(), same.to_string(), "{}", F::NAME);
        }

        // Absent, twice, of the wrong type, too new.
        for (text, kind, path) in [
            (r#"[{"name":"x"}]"#, None, ""),
            (r#"[{"q":1,"q":2}]"#, Some(ErrorKind::DuplicateMember), "[0].q"),
            (r#"[{"level":300}]"#, Some(ErrorKind::OutOfRange), "[0].level"),
            (r#"[{"at":[1,"x"],"level":7}]"#, Some(ErrorKind::WrongType), "[0].at[1]"),
            (r#"[{"$version":3,"name":"x"}]"#, Some(ErrorKind::NewerVersion), "[0]"),
        ] {
            let tree = archive::json::from_str::<Value>(text).unwrap();
            let file = asked.to_vec(&tree).unwrap();
            match (F::from_slice::<Vec<Unit>>(&file), kind) {
                (Ok(loaded), None) => {
                    let expected = Unit { name: "x".into(), level: 5, loads: 1, ..Unit::default() };
                    assert_eq!(loaded, [expected], "{}", F::NAME);
                }
                // In a tree the last value of a name wins.
                (Ok(_), Some(ErrorKind::DuplicateMember)) => {}
                (Err(error), Some(kind)) => {
                    assert_eq!((error.kind(), error.path()), (kind, path), "{}: {error}", F::NAME);
                    assert_eq!(error.class(), Some("Unit"), "{}: {error}", F::NAME);
                    // Also its position, if the member was read as a tree before it was requested.
                    let same = asked.from_slice::<Vec<Unit>>(&file).unwrap_err();
                    assert_eq!(error.to_string(), same.to_string(), "{}", F::NAME);
                }
                (found, _) => panic!("{}: {text}: {found:?}", F::NAME),
            }
        }

        // Pointers, some before their objects.
        let shared = Rc::new(RefCell::new(unit(2)));
        let world = World {
            watched: Rc::downgrade(&shared),
            first: Some(shared.clone()),
            units: vec![shared],
            flat: units,
        };
        let file = F::to_vec(&world).unwrap();
        let tree: Value = asked.from_slice(&file).unwrap();
        for file in [file, asked.to_vec(&stirred(&tree)).unwrap()] {
            let loaded: World = F::from_slice(&file).unwrap();
            let first = loaded.first.unwrap();
            assert!(Rc::ptr_eq(&first, &loaded.units[0]), "{}", F::NAME);
            assert!(Rc::ptr_eq(&first, &loaded.watched.upgrade().unwrap()), "{}", F::NAME);
            assert_eq!((first.borrow().loads, first.borrow().level), (1, 2), "{}", F::NAME);
            assert_eq!(loaded.flat.len(), 3, "{}", F::NAME);
        }
    }
}

#[test]
fn visited_members_are_the_requested_ones() {
    each_backend(&mut SameAsAsked);
}

/// A duplicate name, in text that is read once.
#[test]
fn duplicate_names() {
    type Json = archive::serde_formats::SerdeBackend<crate::shared::serde_formats::SerdeJson>;
    for text in [
        r#"{"name":"a","level":1,"name":"b"}"#,
        r#"{"q":1,"name":"a","q":2}"#,
        r#"{"$version":1,"name":"a","$version":1}"#,
    ] {
        let error = Json::from_slice::<Unit>(text.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{text}: {error}");
    }
    let many: String = (0..40).map(|at| format!("\"k{at}\":{at},")).collect();
    let text = format!("{{{many}\"k39\":0}}");
    let error = Json::from_slice::<Unit>(text.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{error}");
}
