//! `#[archive(unknown)]`: unknown members are kept and written back.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};

use crate::common::damage::damaged;
use crate::common::{each_once, forgiving, formats, round_trip};
use archive::{
    ErrorKind, Options, Registry, Serialize, Unknown, Value, json, polymorphic, register,
};
use proptest::prelude::*;

type Members = BTreeMap<String, Value>;

// ---- the kinds of fields ------------------------------------------------------------------------

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Kept {
    #[archive(unknown)]
    rest: Members,
    known: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Listed {
    known: u8,
    #[archive(unknown)]
    rest: Vec<(String, Value)>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Hashed {
    known: u8,
    #[archive(unknown)]
    rest: HashMap<String, Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Whole {
    known: u8,
    #[archive(unknown)]
    rest: Value,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Linked {
    known: u8,
    #[archive(unknown)]
    rest: Unknown,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
enum Choice {
    #[default]
    None,
    Struct {
        known: u8,
        #[archive(unknown)]
        rest: Members,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Inner {
    x: u8,
    #[archive(alias = "why")]
    y: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(version = 3)]
struct Outer {
    #[archive(flatten)]
    inner: Inner,
    #[archive(unknown)]
    rest: Members,
    #[archive(skip)]
    skipped: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Nothing {
    #[archive(unknown)]
    rest: Members,
}

fn members() -> Members {
    let list = Value::from(vec![Value::from(1), Value::Null, Value::from("two")]);
    let object = Value::Object(vec![("z".into(), Value::from(0.5)), ("a".into(), list.clone())]);
    [("b".into(), Value::from(true)), ("a".into(), object), ("list".into(), list)].into()
}

#[test]
fn every_kind_of_field_round_trips() {
    let rest = members();
    round_trip(&Kept { known: 1, rest: rest.clone() });
    round_trip(&Kept { known: 1, rest: Members::new() });
    let list: Vec<_> = rest.clone().into_iter().rev().collect();
    round_trip(&Listed { known: 1, rest: list.clone() });
    round_trip(&Hashed { known: 1, rest: rest.clone().into_iter().collect() });
    round_trip(&Whole { known: 1, rest: Value::Object(list.clone()) });
    round_trip(&Linked { known: 1, rest: Unknown::new("", Value::Object(list)) });
    round_trip(&Linked::default());
    round_trip(&Whole { known: 1, rest: Value::Null });
    round_trip(&vec![Choice::None, Choice::Struct { known: 1, rest: rest.clone() }]);
    round_trip(&Outer { inner: Inner { x: 1, y: 2 }, rest: rest.clone(), skipped: 0 });
    round_trip(&Nothing { rest: rest.clone() });
    round_trip(&vec![
        Kept { known: 1, rest: rest.clone() },
        Kept { known: 2, rest: Members::new() },
        Kept { known: 3, rest: [("b".into(), Value::Null)].into() },
    ]);
    round_trip(&Some(Box::new(Kept { known: 1, rest })));
}

#[test]
fn unknown_members_come_after_the_known_ones() {
    let text = r#"{"b":1,"known":2,"a":{"c":null}}"#;
    let kept: Kept = json::from_str(text).unwrap();
    assert_eq!(kept.known, 2);
    assert_eq!(json::to_string(&kept).unwrap(), r#"{"known":2,"a":{"c":null},"b":1}"#);
    let listed: Listed = json::from_str(text).unwrap();
    assert_eq!(json::to_string(&listed).unwrap(), r#"{"known":2,"b":1,"a":{"c":null}}"#);
    let whole: Whole = json::from_str(text).unwrap();
    assert_eq!(json::to_string(&whole).unwrap(), r#"{"known":2,"b":1,"a":{"c":null}}"#);
    let hashed: Hashed = json::from_str(text).unwrap();
    assert_eq!(json::to_string(&hashed).unwrap(), r#"{"known":2,"a":{"c":null},"b":1}"#);
    let outer: Outer = json::from_str(r#"{"$version":2,"q":1,"why":5,"x":4}"#).unwrap();
    assert_eq!((outer.inner.x, outer.inner.y), (4, 5));
    assert_eq!(json::to_string(&outer).unwrap(), r#"{"$version":3,"x":4,"y":5,"q":1}"#);
}

/// Loaded over another value, nothing of that is kept.
#[test]
fn nothing_of_another_value_is_kept() {
    for format in formats() {
        let first = vec![Kept { known: 1, rest: members() }; 3];
        let second = vec![Kept { known: 2, rest: [("q".into(), Value::Null)].into() }; 2];
        let mut value = first.clone();
        let bytes = format.to_vec(&second).unwrap();
        format.load_into(&mut value, &bytes).unwrap();
        assert_eq!(value, second, "{format}");
        let mut whole = Whole { known: 1, rest: Value::from(3) };
        let bytes = format.to_vec(&Whole { known: 5, rest: Value::Null }).unwrap();
        format.load_into(&mut whole, &bytes).unwrap();
        assert_eq!(whole, Whole { known: 5, rest: Value::Null }, "{format}");
    }
}

#[test]
fn kept_members_are_not_reported() {
    #[derive(Default, Serialize)]
    struct Newer {
        known: u8,
        more: u8,
        list: Vec<Deeper>,
    }
    #[derive(Default, Serialize)]
    struct Deeper {
        x: u8,
    }
    #[derive(Default, Serialize)]
    struct Older {
        list: Vec<Nothing>,
        #[archive(unknown)]
        rest: Members,
    }
    let newer = Newer { known: 1, more: 2, list: vec![Deeper { x: 3 }] };
    for format in forgiving() {
        let bytes = format.to_vec(&newer).unwrap();
        let (older, report) = format.from_slice_report::<Older>(&bytes, &Options::new()).unwrap();
        assert!(report.is_empty(), "{format}: {report}");
        assert_eq!(older.rest.len(), 2);
        assert_eq!(older.list[0].rest["x"], Value::from(3));
        let strict = Options::new().strict(true);
        let older: Older = format.from_slice_with(&bytes, &strict).unwrap();
        let bytes = format.to_vec(&older).unwrap();
        let again: Newer = format.from_slice_with(&bytes, &strict).unwrap();
        assert_eq!((again.known, again.more, again.list[0].x), (1, 2, 3), "{format}");
    }
}

#[test]
fn a_duplicate_name_is_an_error() {
    for text in [
        r#"{"known":1,"a":1,"a":2}"#,
        r#"{"a":1,"known":1,"a":2}"#,
        r#"{"a":1,"a":2}"#,
        r#"{"known":1,"a":1,"known":2}"#,
        r#"{"known":1,"known":2}"#,
    ] {
        let error = json::from_str::<Kept>(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{text}");
        let error = json::from_str::<Nothing>(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{text}");
        let members: Vec<(String, Value)> = text
            .split(['{', ',', ':', '}'])
            .filter(|part| part.starts_with('"'))
            .map(|name| (name.trim_matches('"').to_owned(), Value::from(1)))
            .collect();
        let error = Value::Object(members).to::<Kept>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{text}");
    }
}

#[test]
fn reserved_names_are_not_kept() {
    let (kept, report) =
        json::from_slice_report::<Kept>(br#"{"known":1,"$id":4,"$$x":1}"#, &Options::new())
            .unwrap();
    assert_eq!(kept.rest.keys().collect::<Vec<_>>(), ["$$x"]);
    assert_eq!(report.unknown().collect::<Vec<_>>(), ["$id"]);
    let strict = Options::new().strict(true);
    let error = json::from_str_with::<Kept>(r#"{"known":1,"$id":4}"#, &strict).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownMember, "$id"));
    let error = json::from_str::<Kept>(r#"{"known":1,"$version":4}"#).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::NewerVersion, "$version"));
    let error = json::from_str::<Kept>(r#"{"known":1,"$ID":4}"#).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::ReservedName, "$ID"));

    let kept = Kept { known: 1, rest: [("$id".into(), Value::from(1))].into() };
    let error = json::to_string(&kept).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::ReservedName, "$id"));
    let twice = vec![("a".into(), Value::Null), ("a".into(), Value::Null)];
    let error = json::to_string(&Listed { known: 1, rest: twice }).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::DuplicateMember, "a"));
    let error = json::to_string(&Whole { known: 1, rest: Value::from(1) }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Custom);
}

/// In the order of a map a reference may come before its object. Copies are still objects of their
/// own.
#[test]
fn copies_have_their_own_objects() {
    #[derive(Default, Serialize)]
    struct New {
        known: u8,
        z: Rc<u8>,
        a: Rc<u8>,
    }
    let shared = Rc::new(3);
    let new = New { known: 1, z: shared.clone(), a: shared };
    for format in forgiving() {
        let kept: Kept = format.from_slice(&format.to_vec(&new).unwrap()).unwrap();
        assert!(kept.rest["z"].get("$value").is_some() && kept.rest["a"].get("$value").is_none());
        let bytes = format.to_vec(&vec![kept.clone(), kept]).unwrap();
        let new: Vec<New> = format.from_slice(&bytes).unwrap();
        assert!(Rc::ptr_eq(&new[0].a, &new[0].z), "{format}");
        assert!(Rc::ptr_eq(&new[1].a, &new[1].z), "{format}");
        assert!(!Rc::ptr_eq(&new[0].a, &new[1].a), "{format}");
    }
}

/// A hand-written function keeps them as well.
#[test]
fn by_hand() {
    #[derive(Clone, Debug, Default, PartialEq)]
    struct ByHand {
        known: u8,
        rest: Members,
    }
    impl Serialize for ByHand {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            ar.serialize("known", &mut self.known)?;
            archive::keep_unknown(ar, &["known"], &mut self.rest)
        }
    }
    archive::save_by_clone!(ByHand);
    archive::blank!(ByHand);
    round_trip(&vec![ByHand { known: 1, rest: members() }, ByHand::default()]);
    let mut stale = ByHand { known: 1, rest: members() };
    stale.rest.insert("known".into(), Value::from("stale"));
    for format in formats() {
        let bytes = format.to_vec(&mut stale).unwrap();
        let (loaded, report) = format.from_slice_report::<ByHand>(&bytes, &Options::new()).unwrap();
        assert!(report.is_empty());
        assert_eq!(loaded, ByHand { known: 1, rest: members() });
    }
}

/// A member that the type now has takes precedence over a kept one of the same name.
#[test]
fn known_members_win() {
    let stale = |names: &[&str]| -> Members {
        names.iter().map(|name| ((*name).to_owned(), Value::from("stale"))).collect()
    };
    for format in formats() {
        let kept = Kept { known: 1, rest: stale(&["known", "q"]) };
        let bytes = format.to_vec(&kept).unwrap();
        let loaded: Kept = format.from_slice(&bytes).unwrap();
        assert_eq!(loaded, Kept { known: 1, rest: stale(&["q"]) }, "{format}");
        let inner = Inner { x: 1, y: 2 };
        let rest = stale(&["x", "y", "why", "q"]);
        let bytes = format.to_vec(&Outer { inner, rest, skipped: 0 }).unwrap();
        let loaded: Outer = format.from_slice(&bytes).unwrap();
        assert_eq!(
            (loaded.inner.x, loaded.inner.y, loaded.rest),
            (1, 2, stale(&["q"])),
            "{format}"
        );
    }
}

// ---- older and newer programs -------------------------------------------------------------------

trait Effect: archive::Polymorphic {
    fn power(&self) -> u32;
}
polymorphic!(dyn Effect);

#[derive(Default, Serialize)]
struct Burn {
    damage: u32,
    source: Option<Rc<RefCell<Unit>>>,
}

impl Effect for Burn {
    fn power(&self) -> u32 {
        self.damage
    }
}

#[derive(Default, Serialize)]
struct Freeze(u32);

impl Effect for Freeze {
    fn power(&self) -> u32 {
        self.0
    }
}

#[derive(Default, Serialize)]
struct Unit {
    hp: u32,
    next: Option<Rc<RefCell<Unit>>>,
    leader: Weak<RefCell<Unit>>,
}

#[derive(Default, Serialize)]
enum Order {
    #[default]
    Idle,
    Follow(Rc<RefCell<Unit>>),
    Guard {
        unit: Weak<RefCell<Unit>>,
        radius: f32,
    },
}

#[derive(Default, Serialize)]
struct Newer {
    title: String,
    chain: Option<Rc<RefCell<Unit>>>,
    last: Weak<RefCell<Unit>>,
    boxed: Vec<Box<dyn Effect>>,
    shared: Vec<Rc<RefCell<dyn Effect>>>,
    plain: (Rc<String>, Rc<String>),
    orders: Vec<Order>,
    by_name: BTreeMap<String, Rc<RefCell<Unit>>>,
    numbers: (i8, u64, i128, f32, f64, char),
    bytes: Vec<u8>,
    nested: Option<Option<u8>>,
    units: Vec<NewUnit>,
    end: u8,
}

#[derive(Default, Serialize)]
struct NewUnit {
    hp: u32,
    target: Option<Rc<RefCell<Unit>>>,
    effect: Option<Box<dyn Effect>>,
}

/// The program of last year.
#[derive(Default, Serialize)]
struct Older {
    #[archive(unknown)]
    rest: Members,
    title: String,
    units: Vec<OldUnit>,
    end: u8,
}

#[derive(Default, Serialize)]
struct OldUnit {
    hp: u32,
    #[archive(unknown)]
    rest: Vec<(String, Value)>,
}

fn chain(len: u32) -> Vec<Rc<RefCell<Unit>>> {
    let units: Vec<_> =
        (0..len).map(|hp| Rc::new(RefCell::new(Unit { hp, ..Unit::default() }))).collect();
    for (unit, next) in units.iter().zip(&units[1..]) {
        unit.borrow_mut().next = Some(next.clone());
        next.borrow_mut().leader = Rc::downgrade(unit);
    }
    units
}

/// Unlinks a chain, so that it is not dropped one inside the other.
fn unlink(mut chain: Option<Rc<RefCell<Unit>>>) {
    while let Some(unit) = chain {
        chain = unit.borrow_mut().next.take();
    }
}

fn newer(len: u32) -> Newer {
    let units = chain(len);
    let burn: Rc<RefCell<dyn Effect>> =
        Rc::new(RefCell::new(Burn { damage: 9, source: Some(units[1].clone()) }));
    let text = Rc::new("shared".to_owned());
    let target = |at: usize| NewUnit {
        hp: at as u32,
        target: Some(units[at].clone()),
        effect: Some(Box::new(Burn { damage: 1, source: Some(units[at].clone()) })),
    };
    Newer {
        title: "north".into(),
        chain: Some(units[0].clone()),
        last: Rc::downgrade(&units[units.len() - 1]),
        boxed: vec![Box::new(Freeze(2)), Box::new(Burn { damage: 3, source: None })],
        shared: vec![burn.clone(), Rc::new(RefCell::new(Freeze(4))), burn],
        plain: (text.clone(), text),
        orders: vec![
            Order::Idle,
            Order::Follow(units[2].clone()),
            Order::Guard { unit: Rc::downgrade(&units[1]), radius: 0.1 },
        ],
        by_name: [("a".into(), units[2].clone()), ("b".into(), units[1].clone())].into(),
        numbers: (-3, u64::MAX, i128::MIN, 0.1, 1e300, '🦀'),
        bytes: vec![0, 255, 7],
        nested: Some(None),
        units: vec![target(0), target(2), NewUnit::default()],
        end: 7,
    }
}

fn check(loaded: &Newer, len: u32, context: &str) {
    let mut units = vec![loaded.chain.clone().unwrap()];
    while let Some(next) = { units[units.len() - 1].borrow().next.clone() } {
        let leader = next.borrow().leader.upgrade().unwrap();
        assert!(Rc::ptr_eq(&leader, &units[units.len() - 1]), "{context}");
        units.push(next);
    }
    assert_eq!(units.len(), len as usize, "{context}");
    assert!(units.iter().zip(0..).all(|(unit, hp)| unit.borrow().hp == hp), "{context}");
    let same = Rc::ptr_eq;
    assert!(same(&loaded.last.upgrade().unwrap(), &units[units.len() - 1]), "{context}");
    assert!(same(&loaded.by_name["a"], &units[2]) && same(&loaded.by_name["b"], &units[1]));
    assert!(matches!(&loaded.orders[1], Order::Follow(unit) if same(unit, &units[2])));
    assert!(matches!(&loaded.orders[2], Order::Guard { unit, .. }
        if same(&unit.upgrade().unwrap(), &units[1])));
    assert!(Rc::ptr_eq(&loaded.shared[0], &loaded.shared[2]), "{context}");
    assert_eq!(loaded.shared[1].borrow().power(), 4);
    assert!(Rc::ptr_eq(&loaded.plain.0, &loaded.plain.1), "{context}");
    for (at, unit) in [(0, 0), (1, 2)] {
        assert!(same(loaded.units[at].target.as_ref().unwrap(), &units[unit]), "{context}");
    }
}

/// Newer → A → older → B → newer returns everything, in every pair of formats: members that the
/// older program does not know, their pointers, and unregistered types.
#[test]
fn an_older_program_loses_nothing() {
    let mut registry = Registry::new();
    register!(registry, dyn Effect { Burn, Freeze }).unwrap();
    let options = Options::new().registry(&registry);
    for len in [3, 1000] {
        let world = newer(len);
        let text = json::to_string_with(&world, &options).unwrap();
        for from in forgiving() {
            let bytes = from.to_vec_with(&world, &options).unwrap();
            let older: Older = from.from_slice(&bytes).unwrap_or_else(|e| panic!("{from}: {e}"));
            assert_eq!(older.rest.len(), 10, "{from}");
            for to in forgiving() {
                let context = format!("{from} to {to}");
                let bytes = to.to_vec(&older).unwrap_or_else(|e| panic!("{context}: {e}"));
                // Once more through the older program.
                let again: Older =
                    to.from_slice(&bytes).unwrap_or_else(|e| panic!("{context}: {e}"));
                for older in [&older, &again] {
                    let bytes = to.to_vec(older).unwrap_or_else(|e| panic!("{context}: {e}"));
                    let loaded: Newer = to
                        .from_slice_with(&bytes, &options)
                        .unwrap_or_else(|e| panic!("{context}: {e}"));
                    check(&loaded, len, &context);
                    if len < 10 {
                        let mut loaded = loaded;
                        assert_eq!(json::to_string_with(&mut loaded, &options).unwrap(), text);
                        unlink(loaded.chain.take());
                    } else {
                        unlink(loaded.chain);
                    }
                }
            }
        }
        unlink(world.chain);
    }
}

/// The program of last year, if it keeps what known and unknown members share.
#[derive(Default, Serialize)]
struct Sharing {
    #[archive(unknown)]
    rest: Unknown,
    by_name: BTreeMap<String, Rc<RefCell<KnownUnit>>>,
    units: Vec<SharingUnit>,
    last: Weak<RefCell<KnownUnit>>,
    end: u8,
}

#[derive(Default, Serialize)]
struct KnownUnit {
    hp: u32,
    #[archive(unknown)]
    rest: Unknown,
}

#[derive(Default, Serialize)]
struct SharingUnit {
    hp: u32,
    #[archive(unknown)]
    rest: Unknown,
}

#[test]
fn known_and_unknown_members_share() {
    let mut registry = Registry::new();
    register!(registry, dyn Effect { Burn, Freeze }).unwrap();
    let options = Options::new().registry(&registry);
    for len in [3, 1000] {
        let world = newer(len);
        for from in forgiving() {
            let bytes = from.to_vec_with(&world, &options).unwrap();
            let older: Sharing = from.from_slice(&bytes).unwrap_or_else(|e| panic!("{from}: {e}"));
            assert_eq!(older.rest.value().as_object().unwrap().len(), 9, "{from}");
            older.by_name["a"].borrow_mut().hp = 70;
            assert!(older.last.upgrade().is_some(), "{from}: the chain holds it");
            for to in forgiving() {
                let context = format!("{from} to {to}");
                let bytes = to.to_vec(&older).unwrap_or_else(|e| panic!("{context}: {e}"));
                let again: Sharing =
                    to.from_slice(&bytes).unwrap_or_else(|e| panic!("{context}: {e}"));
                let bytes = to.to_vec(&again).unwrap_or_else(|e| panic!("{context}: {e}"));
                let loaded: Newer = to
                    .from_slice_with(&bytes, &options)
                    .unwrap_or_else(|e| panic!("{context}: {e}"));
                let changed = &loaded.by_name["a"];
                assert_eq!(std::mem::replace(&mut changed.borrow_mut().hp, 2), 70, "{context}");
                check(&loaded, len, &context);
                unlink(loaded.chain);
            }
        }
        unlink(world.chain);
    }
}

/// For any file, the older program returns a value or an error, and so does a program that loads
/// its output.
fn load_anything(format: crate::common::Format, bytes: &[u8]) {
    if let Ok(older) = format.from_slice::<Sharing>(bytes) {
        for to in each_once() {
            let Ok(bytes) = to.to_vec(&older) else { continue };
            to.from_slice::<Sharing>(&bytes).unwrap_or_else(|e| panic!("{format} to {to}: {e}"));
        }
    }
    let Ok(older) = format.from_slice::<Older>(bytes) else { return };
    for to in each_once() {
        let Ok(bytes) = to.to_vec(&older) else { continue };
        to.from_slice::<Older>(&bytes).unwrap_or_else(|e| panic!("{format} to {to}: {e}"));
        if let Ok(newer) = to.from_slice::<Newer>(&bytes) {
            unlink(newer.chain);
        }
    }
}

proptest! {
    #![proptest_config(crate::common::search::config(200))]

    #[test]
    fn damaged_files(flips in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..4), cut in any::<usize>()) {
        let mut registry = Registry::new();
        register!(registry, dyn Effect { Burn, Freeze }).unwrap();
        let options = Options::new().registry(&registry);
        let world = newer(40);
        for format in each_once() {
            let bytes = format.to_vec_with(&world, &options).unwrap();
            for file in damaged(&bytes, &flips, cut) {
                load_anything(format, &file);
            }
        }
        unlink(world.chain);
    }
}

/// While there are no unknown members the binary format spends a byte per object on them.
#[test]
fn they_cost_a_byte() {
    #[derive(Clone, Default, Serialize)]
    struct Plain {
        known: u8,
    }
    let plain = archive::binary::to_vec(&vec![Plain::default(); 1000]).unwrap().len();
    let kept = archive::binary::to_vec(&vec![Kept::default(); 1000]).unwrap().len();
    assert!((1..=1010).contains(&(kept - plain)), "{plain} and {kept} bytes");
}

/// Any number of unknown members and references.
#[test]
fn many_members() {
    let text: String =
        (0..20_000).map(|i| format!(",\"k{i}\":{{\"$id\":{}}}", 20_000 - i)).collect();
    let objects: Vec<String> =
        (1..=20_000).map(|id| format!(r#"{{"$id":{id},"$value":{id}}}"#)).collect();
    let text = format!(r#"{{"title":"x"{text},"end":7,"objects":[{}]}}"#, objects.join(","));
    let older: Older = json::from_str(&text).unwrap();
    assert_eq!(older.rest.len(), 20_001);
    assert_eq!(older.rest["objects"][0]["$value"], Value::from(1));
    assert_eq!(older.rest["k0"]["$id"], Value::from(20_000));
    let saved = json::to_string(&older).unwrap();
    assert_eq!(saved.matches("$value").count(), 20_000);
    let again: Older = json::from_str(&saved).unwrap();
    assert_eq!(json::to_string(&again).unwrap(), saved);
}
