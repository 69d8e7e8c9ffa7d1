//! `Options::maps_as_objects`: maps whose keys have names are objects in the whole file.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::net::Ipv4Addr;
use std::num::NonZero;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use crate::common::{Erased, forgiving, formats, open_for_each_level, round_trip, round_trip_with};
use archive::{
    Archive, Blank, ErrorKind, Options, Polymorphic, Registry, Result, Save, Serialize, Value, json,
};
use indexmap::IndexMap;
use proptest::collection::{btree_map, hash_map, vec};
use proptest::prelude::*;
use smol_str::SmolStr;
use uuid::Uuid;

fn objects() -> Options<'static> {
    Options::new().maps_as_objects(true)
}

/// Whether a file of the format stores a map as an object under the option.
fn has_objects(format: impl std::fmt::Display) -> bool {
    !["binary", "columns", "fingerprint", "bare", "postcard"].contains(&&*format.to_string())
}

/// The value is `text` under the option and `plain` without, in every format; both load, with the
/// option and without.
#[track_caller]
fn check<T>(value: &T, text: &str, plain: &str)
where
    T: Serialize + Save + Blank + PartialEq + 'static + Debug,
{
    assert_eq!(json::to_string_with(value, &objects()).unwrap(), text);
    assert_eq!(json::to_string(value).unwrap(), plain);
    assert_eq!(Value::of_with(value, &objects()).unwrap().to_string(), text);
    round_trip_with(value, &objects());
    for format in formats() {
        let [object, pairs] = [&objects(), &Options::new()].map(|options| {
            let file = format.to_vec_with(value, options).unwrap();
            let other =
                if options.settings().maps_as_objects() { Options::new() } else { objects() };
            let loaded: T = format.from_slice_with(&file, &other).unwrap();
            assert_eq!(&loaded, value, "{format}");
            assert_eq!(format.to_vec_with(&loaded, options).unwrap(), file, "{format}");
            file
        });
        if !has_objects(format) {
            assert_eq!(object, pairs, "{format}");
        }
    }
    for format in forgiving().into_iter().filter(|format| has_objects(*format)) {
        let file = format.to_vec_with(value, &objects()).unwrap();
        let tree: Value = format.from_slice(&file).unwrap();
        assert_eq!(tree.to_string(), text, "{format}");
    }
}

#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Team {
    Red,
    #[archive(rename = "the blue")]
    Blue,
}

#[derive(Serialize, Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Name(String);

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Named {
    texts: HashMap<String, u8>,
    chars: BTreeMap<char, u8>,
    small: BTreeMap<i8, u8>,
    large: BTreeMap<u128, u8>,
    truths: HashMap<bool, u8>,
    teams: HashMap<Team, u8>,
    newtypes: BTreeMap<Name, u8>,
    paths: BTreeMap<PathBuf, u8>,
    addresses: BTreeMap<Ipv4Addr, u8>,
    boxed: BTreeMap<Box<str>, u8>,
    in_order: IndexMap<String, u8>,
    ids: HashMap<Uuid, u8>,
    smol: BTreeMap<SmolStr, u8>,
    nonzero: BTreeMap<NonZero<i16>, u8>,
}

fn named() -> Named {
    Named {
        texts: ["b", "", "$id", "$$", "\0"].map(|name| (name.to_owned(), 1)).into(),
        chars: [('ä', 1), ('$', 2)].into(),
        small: [(-5, 1), (7, 2), (-10, 3)].into(),
        large: [(u128::MAX, 1), (0, 2)].into(),
        truths: [(true, 1), (false, 2)].into(),
        teams: [(Team::Blue, 1), (Team::Red, 2)].into(),
        newtypes: [(Name("n".into()), 1)].into(),
        paths: [("a/b".into(), 1)].into(),
        addresses: [(Ipv4Addr::LOCALHOST, 1)].into(),
        boxed: [("x".into(), 1)].into(),
        in_order: [("z".to_owned(), 1), ("a".to_owned(), 2)].into(),
        ids: [(Uuid::from_u128(1), 2)].into(),
        smol: [("s".into(), 1)].into(),
        nonzero: [(NonZero::<i16>::MIN, 1)].into(),
    }
}

#[test]
fn keys_that_have_names() {
    check(
        &named(),
        concat!(
            r#"{"texts":{"":1,"\u0000":1,"$$$":1,"$$id":1,"b":1},"chars":{"$$":2,"ä":1},"#,
            r#""small":{"-10":3,"-5":1,"7":2},"large":{"0":2,"#,
            r#""340282366920938463463374607431768211455":1},"truths":{"false":2,"true":1},"#,
            r#""teams":{"Red":2,"the blue":1},"newtypes":{"n":1},"paths":{"a/b":1},"#,
            r#""addresses":{"127.0.0.1":1},"boxed":{"x":1},"in_order":{"z":1,"a":2},"#,
            r#""ids":{"00000000-0000-0000-0000-000000000001":2},"smol":{"s":1},"nonzero":{"-32768":1}}"#,
        ),
        concat!(
            r#"{"texts":[["",1],["\u0000",1],["$$",1],["$id",1],["b",1]],"chars":[["$",2],["ä",1]],"#,
            r#""small":[[-10,3],[-5,1],[7,2]],"large":[[0,2],"#,
            r#"[340282366920938463463374607431768211455,1]],"truths":[[false,2],[true,1]],"#,
            r#""teams":[["Red",2],["the blue",1]],"newtypes":[["n",1]],"paths":[["a/b",1]],"#,
            r#""addresses":[["127.0.0.1",1]],"boxed":[["x",1]],"in_order":[["z",1],["a",2]],"#,
            r#""ids":[["00000000-0000-0000-0000-000000000001",2]],"smol":[["s",1]],"nonzero":[[-32768,1]]}"#,
        ),
    );
    round_trip_with(&Named::default(), &objects());
}

#[derive(Serialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Nowhere,
    At(u8),
}

#[derive(Serialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Point {
    x: u8,
}

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Unnamed {
    tuples: BTreeMap<(u8, u8), BTreeMap<u8, u8>>,
    structs: BTreeMap<Point, u8>,
    options: BTreeMap<Option<u8>, u8>,
    enums: BTreeMap<Place, u8>,
    units: BTreeMap<(), u8>,
    lists: BTreeMap<Vec<u8>, u8>,
    maps: BTreeMap<BTreeMap<u8, u8>, u8>,
    tree: Value,
}

/// The same file has pairs and objects.
#[test]
fn other_keys_remain_pairs() {
    let value = Unnamed {
        tuples: [((1, 2), [(3, 4)].into())].into(),
        structs: [(Point { x: 1 }, 2)].into(),
        options: [(None, 1), (Some(1), 2)].into(),
        enums: [(Place::Nowhere, 1), (Place::At(1), 2)].into(),
        units: [((), 1)].into(),
        lists: [(vec![1], 2)].into(),
        maps: [([(1, 2)].into(), 3)].into(),
        tree: json::from_str(r#"[["a",1],["b",{"c":[[1,2]]}]]"#).unwrap(),
    };
    let same = concat!(
        r#""structs":[[{"x":1},2]],"options":[[null,1],[1,2]],"#,
        r#""enums":[["Nowhere",1],[{"At":1},2]],"units":[[null,1]],"lists":[[[1],2]],"maps":"#
    );
    let tree = r#""tree":[["a",1],["b",{"c":[[1,2]]}]]"#;
    check(
        &value,
        &format!(r#"{{"tuples":[[[1,2],{{"3":4}}]],{same}[[{{"1":2}},3]],{tree}}}"#),
        &format!(r#"{{"tuples":[[[1,2],[[3,4]]]],{same}[[[[1,2]],3]],{tree}}}"#),
    );
}

type Map = BTreeMap<String, u8>;

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Room {
    items: Map,
    doors: Option<Box<Room>>,
}

#[derive(Serialize, Debug, Clone, PartialEq)]
enum Event {
    Found(Map),
    Left { rooms: [Map; 1] },
}

#[derive(Serialize, Debug, Clone, PartialEq)]
struct World {
    rooms: HashMap<u8, Vec<Room>>,
    events: (Event, Event),
    shared: Vec<Rc<RefCell<Room>>>,
    bare: Rc<Map>,
    sent: Arc<Map>,
    maps: Vec<Option<BTreeMap<Team, Map>>>,
}

#[test]
fn at_any_place() {
    let map: Map = [("a".to_owned(), 1)].into();
    let room = Room { items: map.clone(), doors: None };
    let room = Room { items: map.clone(), doors: Some(Box::new(room)) };
    let shared = Rc::new(RefCell::new(room.clone()));
    let value = World {
        rooms: [(7, vec![room])].into(),
        events: (Event::Found(map.clone()), Event::Left { rooms: [map.clone()] }),
        shared: vec![shared.clone(), shared],
        bare: Rc::new(map.clone()),
        sent: Arc::new(map.clone()),
        maps: vec![None, Some([(Team::Red, map)].into())],
    };
    let text = |rooms: [&str; 2], map: &str, teams: [&str; 2]| {
        let room = format!(r#"{{"items":{map},"doors":{{"items":{map},"doors":null}}}}"#);
        format!(
            concat!(
                r#"{{"rooms":{}[{}]{},"events":[{{"Found":{}}},{{"Left":{{"rooms":[{}]}}}}],"#,
                r#""shared":[{{"$id":1,"$value":{}}},{{"$id":1}}],"bare":{{"$id":2,"$value":{}}},"#,
                r#""sent":{{"$id":3,"$value":{}}},"maps":[null,{}{}{}]}}"#,
            ),
            rooms[0], room, rooms[1], map, map, room, map, map, teams[0], map, teams[1]
        )
    };
    check(
        &value,
        &text([r#"{"7":"#, "}"], r#"{"a":1}"#, [r#"{"Red":"#, "}"]),
        &text(["[[7,", "]]"], r#"[["a",1]]"#, [r#"[["Red","#, "]]"]),
    );
    check(&vec![Map::new()], "[{}]", "[[]]");
    check(&BTreeMap::from([(1, Some(Map::new()))]), r#"{"1":{}}"#, "[[1,[]]]");
}

/// The attribute has the same effect.
#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Said {
    #[archive(as_object)]
    maps: HashMap<String, HashMap<u8, u8>>,
    #[archive(as_object, unordered)]
    any: HashMap<String, u8>,
}

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
#[archive(name = "Said")]
struct Unsaid {
    maps: HashMap<String, HashMap<u8, u8>>,
    any: HashMap<String, u8>,
}

#[test]
fn as_the_attribute_does_it() {
    let (maps, any) = ([("a".to_owned(), [(1, 2)].into())].into(), [("$".to_owned(), 3)].into());
    let said = Said { maps, any };
    let unsaid = Unsaid { maps: said.maps.clone(), any: said.any.clone() };
    for format in formats() {
        let file = format.to_vec(&said).unwrap();
        assert_eq!(format.to_vec_with(&said, &objects()).unwrap(), file, "{format}");
        assert_eq!(format.to_vec_with(&unsaid, &objects()).unwrap(), file, "{format}");
    }
}

trait Thing: Polymorphic + Debug {}
archive::polymorphic!(dyn Thing);

#[derive(Serialize, Debug, Default)]
struct Bag {
    items: HashMap<u8, u8>,
}
impl Thing for Bag {}

#[derive(Serialize, Debug, Default)]
struct Things {
    owned: Vec<Box<dyn Thing>>,
    shared: Vec<Rc<RefCell<dyn Thing>>>,
}

#[test]
fn through_trait_objects() {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Thing { Bag }).unwrap();
    let options = objects().registry(&registry);
    let bag = || Bag { items: [(1, 2)].into() };
    let things =
        Things { owned: vec![Box::new(bag())], shared: vec![Rc::new(RefCell::new(bag()))] };
    let text = concat!(
        r#"{"owned":[{"$type":"Bag","$value":{"items":{"1":2}}}],"#,
        r#""shared":[{"$id":1,"$type":"Bag","$value":{"items":{"1":2}}}]}"#
    );
    assert_eq!(json::to_string_with(&things, &options).unwrap(), text);
    for format in formats() {
        let file = format.to_vec_with(&things, &options).unwrap();
        let mut loaded: Things = format.from_slice_with(&file, &options).unwrap();
        assert_eq!(format!("{loaded:?}"), format!("{things:?}"), "{format}");
        let again = format.to_vec_with(&mut Erased(&mut loaded), &options).unwrap();
        assert_eq!(again, file, "{format}");
        if has_objects(format) && forgiving().iter().any(|it| it.name() == format.name()) {
            let tree: Value = format.from_slice(&file).unwrap();
            assert_eq!(tree.to_string(), text, "{format}");
        }
    }
}

/// An object that is deferred because it is too deep.
#[derive(Serialize, Debug, Default, PartialEq)]
struct Link {
    map: BTreeMap<u8, u8>,
    next: Option<Rc<RefCell<Link>>>,
}

#[test]
fn objects_that_wait() {
    let mut chain = Link::default();
    for n in 0..60 {
        chain = Link { map: [(n, 1)].into(), next: Some(Rc::new(RefCell::new(chain))) };
    }
    round_trip_with(&chain, &objects());
    let text = json::to_string_with(&chain, &objects()).unwrap();
    assert!(text.contains("$deferred"));
    assert_eq!(text.matches(r#""map":{"#).count(), 61);
}

/// A value that cannot be saved.
#[derive(Debug, Default, Clone, PartialEq)]
struct Broken;

impl Serialize for Broken {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.save(ar)
    }
}
impl Save for Broken {
    fn save<A: Archive>(&self, _: &mut A) -> Result {
        Err(archive::Error::custom("broken"))
    }
}
archive::blank!(Broken);

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Crate {
    #[archive(as_object)]
    map: BTreeMap<String, u8>,
}

#[test]
fn errors_say_where() {
    let value = BTreeMap::from([(1_u8, BTreeMap::from([("a".to_owned(), vec![Broken])]))]);
    for format in formats().into_iter().filter(|format| has_objects(*format)) {
        let error = format.to_vec_with(&value, &objects()).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Custom, "1.a[0]"), "{format}");
        // Two maps, and the first entry: three values.
        let deep = objects().max_depth(3 / open_for_each_level() as usize);
        let error = format.to_vec_with(&value, &deep).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::DepthLimit, "1.a"), "{format}");
        let few = objects().max_elements(5);
        let error = format.to_vec_with(&value, &few).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::SizeLimit, "1.a[1]"), "{format}");
        let held = Crate { map: [("a".to_owned(), 1)].into() };
        let error = format.to_vec_with(&held, &Options::new().max_elements(0)).unwrap_err();
        assert_eq!((error.class(), error.path()), (Some("Crate"), "map.a"), "{format}");
    }
}

proptest! {
    #![proptest_config(crate::common::search::config(48))]

    /// Any keys load, and are saved as the same file.
    #[test]
    fn random_maps(
        texts in hash_map(r"[$a\x00-\x1fé]{0,3}", vec(any::<Option<u8>>(), 0..3), 0..20),
        numbers in btree_map(any::<i128>(), hash_map(any::<u64>(), any::<bool>(), 0..3), 0..3),
        chars in hash_map(any::<char>(), btree_map(any::<(bool, u8)>(), any::<char>(), 0..3), 0..5),
    ) {
        let value = (texts, numbers, chars);
        round_trip(&value);
        round_trip_with(&value, &objects());
    }
}
