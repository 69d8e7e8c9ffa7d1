//! What `load_into` merges and what it replaces: the table in its documentation, row by row.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::{Rc, Weak};
use std::sync::Mutex;

use archive::{Archive, Options, Polymorphic, Registry, Result, Serialize, Value};

use super::items_from_blank::check;
use crate::common::forgiving;

/// The saved type, before it had more members.
#[derive(Serialize, Clone)]
struct Older {
    at: i32,
}

#[derive(Serialize, Clone, Debug, PartialEq)]
struct Unit {
    at: i32,
    #[archive(default = 7)]
    hp: i32,
}

const FILE: Older = Older { at: 5 };
const OLD: Unit = Unit { at: 1, hp: 2 };
/// The value of the file over the old value.
const MERGED: Unit = Unit { at: 5, hp: 2 };
/// The value of the file over a blank value.
const REPLACED: Unit = Unit { at: 5, hp: 7 };

#[derive(Serialize, Clone, Debug, PartialEq)]
struct One<T>(T);

#[derive(Serialize, Clone, Debug, PartialEq)]
struct Two<T>(T, u8);

#[test]
fn structs() {
    check(FILE, OLD, MERGED);
    check(One(FILE), One(OLD), One(MERGED));
    check(Two(FILE, 3), Two(OLD, 2), Two(MERGED, 3));

    #[derive(Serialize, Clone, Debug, PartialEq)]
    struct Flat {
        #[archive(flatten)]
        unit: Unit,
    }
    check(FILE, Flat { unit: OLD }, Flat { unit: MERGED });

    #[derive(Serialize, Clone)]
    struct OlderBase {
        #[archive(base, alias = "Unit")]
        base: Named,
    }
    #[derive(Serialize, Clone)]
    #[archive(name = "Unit")]
    struct Named {
        at: i32,
    }
    #[derive(Serialize, Clone, Debug, PartialEq)]
    struct Derived {
        #[archive(base)]
        base: Unit,
    }
    let named = OlderBase { base: Named { at: 5 } };
    check(named, Derived { base: OLD }, Derived { base: MERGED });

    #[derive(Serialize, Clone, Debug, PartialEq)]
    #[archive(transparent)]
    struct Around {
        unit: Unit,
    }
    check(FILE, Around { unit: OLD }, Around { unit: MERGED });
}

#[test]
fn tuples_and_arrays() {
    check((FILE, 3_u8), (OLD, 2_u8), (REPLACED, 3_u8));
    check([FILE], [OLD], [REPLACED]);
}

#[test]
fn numbers_and_text() {
    check(5_u8, 1_u8, 5);
    check("new".to_owned(), "an old text".to_owned(), "new".to_owned());
    check("new".to_owned(), Cow::Borrowed("an old text"), Cow::Borrowed("new"));
    check(7_u8, Value::from(vec![Value::from(1)]), Value::from(7));
}

#[test]
fn options() {
    check(Some(FILE), Some(OLD), Some(REPLACED));
    check(Some(FILE), None, Some(REPLACED));
    check(None::<Older>, Some(OLD), None);
}

#[test]
fn enums() {
    #[derive(Serialize, Clone)]
    enum OlderState {
        Walk { at: i32 },
        Hold(Older),
    }
    #[derive(Serialize, Clone, Debug, PartialEq)]
    enum State {
        Walk {
            at: i32,
            #[archive(default = 7)]
            hp: i32,
        },
        Hold(Unit),
    }
    let (old, new) = (State::Walk { at: 1, hp: 2 }, State::Walk { at: 5, hp: 7 });
    check(OlderState::Walk { at: 5 }, old.clone(), new.clone());
    check(OlderState::Walk { at: 5 }, State::Hold(OLD), new);
    check(OlderState::Hold(FILE), old, State::Hold(REPLACED));
    check(OlderState::Hold(FILE), State::Hold(OLD), State::Hold(REPLACED));
}

#[test]
fn lists_sets_and_maps() {
    check(vec![FILE], vec![OLD, OLD], vec![REPLACED]);
    check(vec![FILE, FILE], vec![], vec![REPLACED, REPLACED]);
    check(vec![5, 6], BTreeSet::from([1, 5]), BTreeSet::from([5, 6]));
    let file = BTreeMap::from([(1, FILE), (3, FILE)]);
    let new = [(1, REPLACED), (3, REPLACED)];
    check(file.clone(), BTreeMap::from([(1, OLD), (2, OLD)]), BTreeMap::from(new.clone()));
    check(file, HashMap::from([(1, OLD), (2, OLD)]), HashMap::from(new));
}

#[test]
fn boxes() {
    check(Box::new(FILE), Box::new(OLD), Box::new(REPLACED));
}

#[test]
fn cells_that_are_members() {
    check(FILE, RefCell::new(OLD), RefCell::new(MERGED));
    for format in forgiving() {
        let file = format.to_vec(&FILE).unwrap();
        let mut mutex = Mutex::new(OLD);
        format.load_into(&mut mutex, &file).unwrap();
        assert_eq!(mutex.into_inner().unwrap(), MERGED, "{format}");
        let mut cell = Cell::new(1);
        format.load_into(&mut cell, &format.to_vec(&5).unwrap()).unwrap();
        assert_eq!(cell.get(), 5, "{format}");
    }
}

/// Other pointers to an old object keep it unchanged.
#[test]
fn shared_pointers() {
    for format in forgiving() {
        let file = format.to_vec(&Rc::new(RefCell::new(FILE))).unwrap();
        let old = Rc::new(RefCell::new(OLD));
        let mut value = old.clone();
        format.load_into(&mut value, &file).unwrap();
        assert_eq!((&*old.borrow(), &*value.borrow()), (&OLD, &REPLACED), "{format}");

        let file = format.to_vec(&Rc::new(FILE)).unwrap();
        let old = Rc::new(OLD);
        let mut value = old.clone();
        format.load_into(&mut value, &file).unwrap();
        assert_eq!((&*old, &*value), (&OLD, &REPLACED), "{format}");

        let new = Rc::new(RefCell::new(FILE));
        let file = format.to_vec(&(new.clone(), Rc::downgrade(&new))).unwrap();
        let old = Rc::new(RefCell::new(OLD));
        let mut value: (Rc<RefCell<Unit>>, Weak<RefCell<Unit>>) =
            (old.clone(), Rc::downgrade(&old));
        format.load_into(&mut value, &file).unwrap();
        assert!(Rc::ptr_eq(&value.0, &value.1.upgrade().unwrap()), "{format}");
        assert_eq!(*value.0.borrow(), REPLACED, "{format}");
    }
}

trait Thing: Polymorphic {
    fn values(&self) -> (i32, i32);
}
archive::polymorphic!(dyn Thing);

impl Thing for Unit {
    fn values(&self) -> (i32, i32) {
        (self.at, self.hp)
    }
}

impl Thing for Older {
    fn values(&self) -> (i32, i32) {
        (self.at, 0)
    }
}

#[test]
fn trait_objects() {
    let (mut before, mut now) = (Registry::new(), Registry::new());
    archive::register!(before, dyn Thing { Older as "unit" }).unwrap();
    archive::register!(now, dyn Thing { Unit as "unit" }).unwrap();
    let (before, now) = (Options::new().registry(&before), Options::new().registry(&now));
    for format in forgiving() {
        let file: Box<dyn Thing> = Box::new(FILE);
        let file = format.to_vec_with(&file, &before).unwrap();
        let mut value: Box<dyn Thing> = Box::new(OLD);
        format.load_into_with(&mut value, &file, &now).unwrap();
        assert_eq!(value.values(), (5, 7), "{format}");
    }
}

#[test]
fn functions_written_by_hand() {
    #[derive(Clone, Debug, PartialEq)]
    struct ByHand(Unit);

    impl Serialize for ByHand {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("at", &mut self.0.at)?;
            ar.serialize("hp", &mut self.0.hp)
        }
    }
    archive::save_by_clone!(ByHand);
    archive::blank!(ByHand, ByHand(Unit { at: 0, hp: 7 }));

    check(FILE, ByHand(OLD), ByHand(MERGED));
    check(vec![FILE], vec![ByHand(OLD)], vec![ByHand(REPLACED)]);
}

#[test]
fn fields_with_attributes() {
    mod text {
        pub fn save(value: &super::Unit) -> archive::Result<String> {
            Ok(value.at.to_string())
        }
        pub fn load(text: String) -> archive::Result<super::Unit> {
            Ok(super::Unit { at: text.parse().map_err(archive::Error::custom)?, hp: 7 })
        }
    }
    #[derive(Serialize, Clone)]
    struct OlderFields {
        with: String,
        #[archive(bytes)]
        bytes: Vec<u8>,
        more: u8,
    }
    #[derive(Serialize, Clone, Debug, PartialEq)]
    struct Fields {
        #[archive(skip)]
        skipped: u8,
        #[archive(skip(keep))]
        kept: u8,
        absent: u8,
        #[archive(default = 7)]
        preset: u8,
        #[archive(default = 7, skip_if_default)]
        left_out: u8,
        #[archive(with = text, default = REPLACED)]
        with: Unit,
        #[archive(bytes)]
        bytes: Vec<u8>,
        #[archive(unknown)]
        rest: BTreeMap<String, Value>,
    }
    let file = OlderFields { with: "5".into(), bytes: vec![5], more: 3 };
    let old = Fields {
        skipped: 1,
        kept: 1,
        absent: 1,
        preset: 1,
        left_out: 1,
        with: OLD,
        bytes: vec![1, 2],
        rest: BTreeMap::from([("old".to_owned(), Value::from(1))]),
    };
    let new = Fields {
        left_out: 7,
        with: REPLACED,
        bytes: vec![5],
        rest: BTreeMap::from([("more".to_owned(), Value::from(3))]),
        ..old.clone()
    };
    check(file.clone(), old.clone(), new.clone());
    let element = Fields { skipped: 0, absent: 0, preset: 7, ..new };
    check(vec![file], vec![old], vec![element]);
}

/// A root that the file lacks leaves its value unchanged.
#[test]
fn named_roots() {
    for format in archive::Format::all() {
        let mut writer = format.writer();
        writer.save("unit", &FILE).unwrap();
        let file = writer.finish().unwrap();
        let (mut unit, mut other) = (OLD, OLD);
        let mut reader = format.reader(&file).unwrap();
        reader.serialize("unit", &mut unit).unwrap();
        reader.serialize("other", &mut other).unwrap();
        assert_eq!((unit, other), (MERGED, OLD), "{format}");
    }
}
