//! Changes that were once saved wrongly, and loaded as another value or not at all.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::binary::{self, Document};
use archive::format::Source;
use archive::{Archive, ErrorKind, Result, Save, Serialize, Unknown, Value, json};

use super::unchanged;

fn document(value: impl Source) -> Document {
    let file = binary::to_vec(value).unwrap();
    unchanged(&file);
    Document::from_slice(&file).unwrap()
}

fn refused(document: &Document) -> (ErrorKind, String) {
    let error = document.to_vec().unwrap_err();
    (error.kind(), error.to_string())
}

#[derive(Default, Serialize)]
struct Team {
    units: Vec<Rc<RefCell<Unit>>>,
    first: Weak<RefCell<Unit>>,
    leaves: Vec<Rc<Leaf>>,
    end: u8,
}

#[derive(Default, Serialize)]
struct Unit {
    hp: u8,
    friend: Option<Rc<RefCell<Unit>>>,
}

#[derive(Default, Serialize)]
struct Leaf {
    hp: u8,
    under: Option<Rc<Leaf>>,
}

fn team() -> Document {
    let units: Vec<_> = [1, 2].map(|hp| Rc::new(RefCell::new(Unit { hp, friend: None }))).into();
    units[1].borrow_mut().friend = Some(units[0].clone());
    let first = Rc::downgrade(&units[0]);
    let under = Rc::new(Leaf { hp: 3, under: None });
    let leaf = Rc::new(Leaf { hp: 4, under: Some(under.clone()) });
    document(&Team { units, first, leaves: vec![under, leaf], end: 9 })
}

fn without(object: &mut Value, name: &str) {
    object.as_object_mut().unwrap().retain(|(key, _)| key != name);
}

#[test]
fn a_shared_object_has_an_id_of_its_own() {
    let mut lost = team();
    without(&mut lost.value["units"][0], "$id");
    assert_eq!(
        refused(&lost),
        (
            ErrorKind::BadPointer,
            "units[0]: a shared object has an id: add `$id`, a number from 1 on that no other object has".to_owned()
        )
    );
    for id in [0.into(), (-1).into(), "1".into(), 1.5.into(), Value::Null] {
        let mut forged = team();
        forged.value["units"][0]["$id"] = id;
        let (kind, message) = refused(&forged);
        assert_eq!(kind, ErrorKind::BadPointer);
        assert!(
            message.starts_with("units[0].$id: the id of an object must be a number"),
            "{message}"
        );
    }
    let mut copied = team();
    let copy = copied.value["units"][0].clone();
    copied.value["units"].as_array_mut().unwrap().push(copy);
    assert_eq!(
        refused(&copied),
        (
            ErrorKind::BadPointer,
            "units[2].$id: two objects have the id 1: give the copy one that no other object has"
                .to_owned()
        )
    );
    // A new number makes it a new object.
    copied.value["units"][2]["$id"] = 77.into();
    let team: Team = binary::from_slice(&copied.to_vec().unwrap()).unwrap();
    assert!(!Rc::ptr_eq(&team.units[0], &team.units[2]));
    assert_eq!((team.units[2].borrow().hp, team.end), (1, 9));
}

#[test]
fn references_refer_to_objects_of_their_type() {
    let mut gone = team();
    gone.value["units"].as_array_mut().unwrap().remove(0);
    let (kind, message) = refused(&gone);
    assert_eq!(kind, ErrorKind::BadPointer);
    assert!(message.starts_with("units[0].friend: no object has the id 1"), "{message}");

    let mut other = team();
    other.value["first"]["$weak"] = other.value["leaves"][0]["$id"].clone();
    let (kind, message) = refused(&other);
    assert_eq!(kind, ErrorKind::BadPointer);
    assert!(message.starts_with("first: the file has no reference here"), "{message}");

    let mut null = team();
    null.value["units"][0] = Value::Null;
    without(&mut null.value["units"][1]["$value"], "friend");
    null.value["units"][1]["$value"]["friend"] = Value::Null;
    assert_eq!(
        refused(&null),
        (
            ErrorKind::WrongType,
            "units[0]: expected a pointer, found null: only an option may be null".to_owned()
        )
    );
}

/// An object without a cell cannot be in a cycle.
#[test]
fn a_new_cycle_is_refused() {
    let mut cycle = team();
    let id = cycle.value["leaves"][1]["$id"].clone();
    cycle.value["leaves"][0]["$value"]["under"] = vec![("$id".to_owned(), id)].into();
    let (kind, message) = refused(&cycle);
    assert_eq!(kind, ErrorKind::BadPointer);
    assert!(message.contains("under: this reference closes a cycle"), "{message}");
}

/// The members that it saves depend on its value.
#[derive(Clone, Debug, Default, PartialEq)]
struct ByHand {
    kind: u8,
    small: u8,
    wide: u16,
    floats: Vec<f32>,
    doubles: Vec<f64>,
}
archive::save_by_clone!(ByHand);
archive::blank!(ByHand);

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("kind", &mut self.kind)?;
        match self.kind {
            0 => ar.serialize("x", &mut self.small),
            1 => ar.serialize("x", &mut self.wide),
            2 => ar.serialize("x", &mut self.floats),
            _ => ar.serialize("x", &mut self.doubles),
        }
    }
}

fn by_hand() -> Vec<ByHand> {
    let of = |kind| ByHand { kind, ..ByHand::default() };
    vec![
        ByHand { small: 7, ..of(0) },
        ByHand { wide: 300, ..of(1) },
        ByHand { floats: vec![0.5], ..of(2) },
        ByHand { doubles: vec![0.1], ..of(3) },
    ]
}

#[test]
fn objects_keep_their_types_when_others_move() {
    for at in 0..=4 {
        for which in 0..4 {
            let mut changed = document(&by_hand());
            let copy = changed.value[which].clone();
            changed.value.as_array_mut().unwrap().insert(at, copy);
            let loaded: Vec<ByHand> = binary::from_slice(&changed.to_vec().unwrap()).unwrap();
            let mut expected = by_hand();
            expected.insert(at, by_hand()[which].clone());
            assert_eq!(loaded, expected);
        }
    }
    // 300 fits one of the types that objects with these members have.
    let mut changed = document(&by_hand());
    changed.value[0]["x"] = 300.into();
    assert_eq!(refused(&changed), (ErrorKind::OutOfRange, "[0].x: 300 does not fit u8".to_owned()));
    let mut moved = document(&by_hand());
    moved.value.as_array_mut().unwrap().swap(0, 1);
    moved.value[0]["x"] = 301.into();
    moved.value[1]["x"] = 302.into();
    assert_eq!(refused(&moved).0, ErrorKind::WrongType);
    // Numbers are converted as they are in other objects.
    let mut float = document(&by_hand());
    float.value[2]["x"][0] = 0.25.into();
    let loaded: Vec<ByHand> = binary::from_slice(&float.to_vec().unwrap()).unwrap();
    assert_eq!(loaded[2].floats, [0.25]);
}

#[derive(Default, Serialize)]
struct Kept {
    a: u8,
    #[archive(unknown)]
    rest: Unknown,
}

#[test]
fn unknown_members_have_any_names() {
    let kept: Kept = json::from_str(r#"{"a":1,"$$x":{"$$y":[2]},"":3,"b":null}"#).unwrap();
    let mut changed = document(&kept);
    changed.value["$$x"]["$$y"][0] = 3.into();
    let loaded: Kept = binary::from_slice(&changed.to_vec().unwrap()).unwrap();
    assert_eq!(json::to_string(&loaded).unwrap(), r#"{"a":1,"$$x":{"$$y":[3]},"":3,"b":null}"#);
}

#[derive(Clone, Default)]
struct Versioned(u8);
archive::save_by_clone!(Versioned);
archive::blank!(Versioned);

impl Serialize for Versioned {
    const VERSION: u32 = 3;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("x", &mut self.0)
    }
}

#[derive(Default, Serialize)]
struct Lists {
    one: Vec<ByHand>,
    other: Vec<Versioned>,
    map: BTreeMap<u8, Versioned>,
    pairs: Vec<(u8, Versioned)>,
    options: (Option<Vec<Versioned>>, Option<Vec<ByHand>>),
}

#[test]
fn lists_of_objects_of_several_versions() {
    unchanged(&binary::to_vec(&Lists::default()).unwrap());
    let mut changed =
        document(&Lists { one: by_hand(), other: vec![Versioned(1)], ..Lists::default() });
    for version in [2.into(), "3".into(), Value::Null] {
        changed.value["other"][0]["$version"] = version;
        assert!(refused(&changed).1.starts_with("other[0]"), "{:?}", refused(&changed));
    }
}

#[test]
fn a_map_has_no_key_twice() {
    fn twice<T: Save>(map: T, key: impl Into<Value>) {
        let mut changed = document(&map);
        changed.value[1][0] = key.into();
        let (kind, message) = refused(&changed);
        assert_eq!(kind, ErrorKind::DuplicateMember, "{message}");
        assert!(message.starts_with("[1]: the map has the key"), "{message}");
    }
    twice(BTreeMap::from([(1_u8, ()), (2, ())]), 1.0);
    twice(BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 2)]), "a");
    twice(BTreeMap::from([(Some(1_u8), 1), (Some(2), 2)]), 1);
    twice(
        BTreeMap::from([((true, 'a'), 1), ((true, 'b'), 2)]),
        vec![Value::from(true), "a".into()],
    );
}

trait Thing: archive::Polymorphic {}
archive::polymorphic!(dyn Thing);
trait Other: archive::Polymorphic {}
archive::polymorphic!(dyn Other);
impl Thing for Versioned {}
impl Thing for Leaf {}
impl Other for Leaf {}

#[derive(Default, Serialize)]
struct Things {
    things: Vec<Box<dyn Thing>>,
    others: Vec<Box<dyn Other>>,
}

/// The types that a trait object may have are known from others at its place.
#[test]
fn trait_objects_of_known_types() {
    let mut registry = archive::Registry::new();
    registry.register::<dyn Thing, Versioned>("versioned").unwrap();
    registry.register::<dyn Thing, Leaf>("leaf").unwrap();
    registry.register::<dyn Other, Leaf>("leaf").unwrap();
    let options = archive::Options::new().registry(&registry);
    let things = Things {
        things: vec![Box::new(Versioned(1)), Box::new(Leaf::default())],
        others: vec![Box::new(Leaf::default())],
    };
    let file = binary::to_vec_with(&things, &options).unwrap();
    unchanged(&file);
    let mut changed = Document::from_slice(&file).unwrap();
    let thing = changed.value["things"][0].clone();
    changed.value["things"].as_array_mut().unwrap().push(thing.clone());
    let loaded: Things = binary::from_slice_with(&changed.to_vec().unwrap(), &options).unwrap();
    assert_eq!(loaded.things.len(), 3);
    changed.value["others"][0] = thing;
    let (kind, message) = refused(&changed);
    assert_eq!(kind, ErrorKind::UnknownType);
    assert!(
        message.starts_with("others[0].$type: the file has no object of type id `versioned` here"),
        "{message}"
    );
}
