//! The properties of serde formats as backends; the rest is in the tests of all formats.

use archive_test_support as common;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::error::Position;
use archive::format::Backend;
use archive::serde_formats::{AsSerde, SerdeBackend, load_with, save_with};
use archive::{
    Archive, ErrorKind, Format, Options, Registry, Result, Serialize, polymorphic, register,
};
use common::serde_formats::{Cbor, Postcard, RmpNamed, Ron, SerdeJson, Toml};
use common::serde_formats::{RmpArrays, finds_names, has_value_positions, serde_formats};
use proptest::prelude::*;

type Json = SerdeBackend<SerdeJson>;

#[derive(Default, Clone, PartialEq, Debug, Serialize)]
enum Order {
    #[default]
    Hold,
    Go(i32, i32),
    Attack {
        target: u32,
        since: f64,
    },
    Say(String),
}

#[derive(Default, Clone, PartialEq, Debug, Serialize)]
struct Unit {
    name: String,
    hp: i64,
    aim: Option<f32>,
    orders: Vec<Order>,
    tags: BTreeMap<String, u8>,
    seen: BTreeMap<u32, bool>,
    #[archive(flatten)]
    place: Place,
}

#[derive(Default, Clone, PartialEq, Debug, Serialize)]
#[archive(version = 3)]
struct Place {
    x: f64,
    y: f64,
}

#[derive(Default, Clone, PartialEq, Debug, Serialize)]
struct Squad {
    units: Vec<Unit>,
    home: Place,
}

fn unit() -> impl Strategy<Value = Unit> {
    let order = prop_oneof![
        Just(Order::Hold),
        any::<(i32, i32)>().prop_map(|(x, y)| Order::Go(x, y)),
        (any::<u32>(), -1e9..1e9f64).prop_map(|(target, since)| Order::Attack { target, since }),
        any::<String>().prop_map(Order::Say),
    ];
    let orders = prop::collection::vec(order, 0..4);
    let aim = prop::option::of(-1e6..1e6f32);
    let tags = any::<BTreeMap<String, u8>>();
    (any::<String>(), any::<i64>(), aim, orders, tags, any::<BTreeMap<u32, bool>>()).prop_map(
        |(name, hp, aim, orders, tags, seen)| {
            let place = Place { x: 0.5, y: -2.0 };
            Unit { name, hp, aim, orders, tags, seen, place }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn values_that_fit_everywhere(units in prop::collection::vec(unit(), 0..3)) {
        let squad = Squad { units, home: Place { x: 1.0, y: 2.0 } };
        let toml = Format::of::<SerdeBackend<Toml>>();
        for format in serde_formats().into_iter().chain([toml]) {
            let bytes = format.to_vec(&squad).unwrap();
            let loaded: Squad = format.from_slice(&bytes).unwrap();
            prop_assert_eq!(&loaded, &squad, "{}", format);
            prop_assert_eq!(format.to_vec(&loaded).unwrap(), bytes);
        }
    }
}

#[test]
fn errors_have_a_path_and_a_position() {
    let text = b"{\"units\":[{\"name\":\"a\"},\n{\"hp\":\"x\"}]}";
    let error = Json::from_slice::<Squad>(text).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "units[1].hp"));
    assert!(matches!(error.position(), Some(Position::Line { line: 2, .. })), "{error:?}");
    assert_eq!(error.message(), "expected i64, found \"x\"");
    // Values that the format itself refuses.
    let error = Json::from_slice::<Squad>(b"{\"units\":[{\"name\":\"a\",]}").unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Syntax, "units[0]"), "{error}");
    assert!(matches!(error.position(), Some(Position::Line { line: 1, .. })), "{error:?}");
    assert_eq!(Json::from_slice::<Squad>(b"{} x").unwrap_err().kind(), ErrorKind::TrailingData);
}

/// A value that TOML cannot represent is an error with a path.
#[test]
fn toml_has_no_null_but_absence() {
    type Toml = SerdeBackend<common::serde_formats::Toml>;
    let squad = Squad { units: vec![Unit::default()], home: Place { x: 1.5, y: 0.0 } };
    let text = String::from_utf8(Toml::to_vec(&squad).unwrap()).unwrap();
    assert!(text.contains("[[units]]") && !text.contains("aim"), "{text}");
    let (loaded, report) =
        Toml::from_slice_report::<Squad>(text.as_bytes(), &Options::new()).unwrap();
    assert_eq!(loaded, squad);
    assert_eq!(report.absent().collect::<Vec<_>>(), ["units[0].aim"]);

    #[derive(Default, Debug, Serialize)]
    struct Odd {
        list: Vec<Option<u8>>,
        big: u64,
    }
    let error = Toml::to_vec(&Odd { list: vec![Some(1), None], big: 0 }).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "list[1]"), "{error}");
    #[derive(Default, Debug, PartialEq, Serialize)]
    struct Nested {
        twice: Option<Option<u8>>,
    }
    let error = Toml::to_vec(&Nested { twice: Some(None) }).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "twice"), "{error}");
    for nested in [Nested { twice: None }, Nested { twice: Some(Some(5)) }] {
        let bytes = Toml::to_vec(&nested).unwrap();
        assert_eq!(Toml::from_slice::<Nested>(&bytes).unwrap(), nested);
    }
    let error = Toml::to_vec(&Odd { list: vec![], big: u64::MAX }).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "big"), "{error}");
    assert_eq!(Toml::to_vec(&vec![1_u8]).unwrap_err().kind(), ErrorKind::Unsupported);
    let error =
        Toml::from_slice::<Squad>(b"home = { x = 1.0 }\nunits = [{ hp = 'x' }]").unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "units[0].hp"), "{error}");
    assert!(error.position().is_some(), "{error}");

    // A null that is not a member would vanish with its entry, its variant or its object.
    #[derive(Default, Debug, PartialEq, Serialize)]
    struct Entries {
        #[archive(as_object)]
        named: BTreeMap<String, Option<u8>>,
        text: BTreeMap<String, Option<u8>>,
        outcome: Option<std::result::Result<(), u8>>,
        shared: Option<Rc<Option<u8>>>,
    }
    let two = || BTreeMap::from([("a".to_owned(), None), ("b".to_owned(), Some(1))]);
    for (entries, path) in [
        (Entries { named: two(), ..Entries::default() }, "named.a"),
        (Entries { text: two(), ..Entries::default() }, "text[0][1]"),
        (Entries { outcome: Some(Ok(())), ..Entries::default() }, "outcome.Ok"),
        (Entries { shared: Some(Rc::new(None)), ..Entries::default() }, "shared"),
    ] {
        let error = Toml::to_vec(&entries).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, path), "{error}");
    }
    let some = |n| BTreeMap::from([("a".to_owned(), Some(n))]);
    let shared = Some(Rc::new(Some(3)));
    let entries = Entries { named: some(1), text: some(2), outcome: Some(Err(3)), shared };
    let bytes = Toml::to_vec(&entries).unwrap();
    assert_eq!(Toml::from_slice::<Entries>(&bytes).unwrap(), entries);

    // Exact numbers are not converted.
    #[derive(Default, Debug, PartialEq, Serialize)]
    struct Sizes {
        sizes: Vec<f32>,
    }
    let sizes = Sizes { sizes: (0..40_000).map(|n| n as f32 * 0.37).collect() };
    for format in [Format::of::<Toml>(), Format::of::<SerdeBackend<Cbor>>()] {
        let bytes = format.to_vec(&sizes).unwrap();
        let (loaded, report) = format.from_slice_report::<Sizes>(&bytes, &Options::new()).unwrap();
        assert_eq!(loaded, sizes, "{format}");
        assert!(report.is_empty(), "{format}: {report}");
    }

    // Shared objects and cycles, in a struct.
    #[derive(Default, Serialize)]
    struct World {
        nodes: Vec<Rc<RefCell<Node>>>,
    }
    let node = Rc::new(RefCell::new(Node { value: 7, ..Node::default() }));
    node.borrow_mut().back = Rc::downgrade(&node);
    let bytes = Toml::to_vec(&World { nodes: vec![node.clone(), node] }).unwrap();
    let World { nodes } = Toml::from_slice(&bytes).unwrap();
    assert!(Rc::ptr_eq(&nodes[0], &nodes[1]) && nodes[0].borrow().value == 7);
    assert!(Rc::ptr_eq(&nodes[0].borrow().back.upgrade().unwrap(), &nodes[0]));
}

/// A type that records how far its input had been read when its function ran.
#[test]
fn functions_run_inside_the_visitor() {
    thread_local!(static LEFT: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) });
    #[derive(Default)]
    struct Seen(u32);
    impl Serialize for Seen {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("n", &mut self.0)?;
            LEFT.with_borrow_mut(|left| left.push(self.0.to_string()));
            Ok(())
        }
    }
    archive::blank!(Seen);
    // The input is wrong after the second object: both were loaded by then.
    let error = Json::from_slice::<Vec<Seen>>(b"[{\"n\":1},{\"n\":2},#").err().unwrap();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Syntax, "[2]"));
    assert_eq!(error.to_string(), "[2]: expected value at line 1 column 18");
    assert_eq!(LEFT.take(), ["1", "2"]);
    let ron = SerdeBackend::<Ron>::from_slice::<Vec<Seen>>(b"[(n:1),(n:2),#").err().unwrap();
    assert_eq!((ron.kind(), ron.path()), (ErrorKind::Syntax, "[2]"), "{ron}");
    assert_eq!(LEFT.take(), ["1", "2"]);
    let rmp = b"\x93\x81\xa1n\x01\x81\xa1n\x02\xc1";
    let rmp = SerdeBackend::<RmpNamed>::from_slice::<Vec<Seen>>(rmp).err().unwrap();
    assert_eq!((rmp.kind(), rmp.path()), (ErrorKind::Syntax, "[2]"), "{rmp}");
    assert_eq!(LEFT.take(), ["1", "2"]);
}

#[test]
fn members_out_of_order_are_kept() {
    let text = br#"{"y":2.0,"tags":{"a":1},"orders":[{"Go":[1,2]},"Hold"],"more":[{}],"x":1.5,"name":"n"}"#;
    let (unit, report) = Json::from_slice_report::<Unit>(text, &Options::new()).unwrap();
    assert_eq!(unit.orders, [Order::Go(1, 2), Order::Hold]);
    assert_eq!((unit.place, &*unit.name, unit.tags["a"]), (Place { x: 1.5, y: 2.0 }, "n", 1));
    assert_eq!(report.unknown().collect::<Vec<_>>(), ["more"]);
    assert_eq!(report.absent().collect::<Vec<_>>(), ["hp", "aim", "seen"]);
    let twice = Json::from_slice::<Unit>(br#"{"name":"a","hp":1,"name":"b"}"#).unwrap_err();
    assert_eq!(twice.kind(), ErrorKind::DuplicateMember);
}

#[derive(Default, Serialize)]
struct Node {
    value: u32,
    next: Option<Rc<RefCell<Node>>>,
    back: Weak<RefCell<Node>>,
}

/// The reference comes before the object, so the load is repeated.
#[test]
fn an_object_may_come_after_its_reference() {
    let text = br#"[{"$id":1},{"$id":1,"$value":{"value":7,"next":null,"back":{"$weak":1}}}]"#;
    let nodes: Vec<Rc<RefCell<Node>>> = Json::from_slice(text).unwrap();
    assert!(Rc::ptr_eq(&nodes[0], &nodes[1]));
    assert!(Rc::ptr_eq(&nodes[0].borrow().back.upgrade().unwrap(), &nodes[0]));
    let bare: Vec<Rc<u32>> = Json::from_slice(br#"[{"$id":1},{"$id":1,"$value":7}]"#).unwrap();
    assert!(Rc::ptr_eq(&bare[0], &bare[1]));
    let error = Json::from_slice::<Vec<Rc<u32>>>(br#"[{"$id":1}]"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadPointer);
}

#[test]
fn long_chains_need_no_stack() {
    for format in serde_formats() {
        let mut chain = Rc::new(RefCell::new(Node::default()));
        for value in 0..20_000 {
            chain = Rc::new(RefCell::new(Node { value, next: Some(chain), back: Weak::new() }));
        }
        let bytes = format.to_vec(&chain).unwrap_or_else(|e| panic!("{format}: {e}"));
        let loaded: Rc<RefCell<Node>> =
            format.from_slice(&bytes).unwrap_or_else(|e| panic!("{format}: {e}"));
        for mut at in [chain, loaded] {
            let mut length = 0;
            loop {
                let next = at.borrow_mut().next.take();
                let Some(next) = next else { break };
                at = next;
                length += 1;
            }
            assert_eq!(length, 20_000, "{format}");
        }
    }
}

#[test]
fn nesting_ends_at_the_limit() {
    let deep = |open: &str, close: &str| {
        [open.repeat(100_000), close.repeat(100_000)].concat().into_bytes()
    };
    for format in [Format::of::<Json>(), Format::of::<SerdeBackend<Ron>>()] {
        for input in [deep("[", "]"), deep("{\"more\":", "}"), deep("[", "")] {
            assert!(format.from_slice::<Unit>(&input).is_err());
            assert!(format.from_slice::<archive::Value>(&input).is_err());
            assert!(format.from_slice::<Vec<Vec<u8>>>(&input).is_err());
        }
    }
    // Without optimisation a level takes much stack in rmp-serde itself.
    let rmp = || {
        let rmp = Format::of::<SerdeBackend<RmpNamed>>();
        assert!(rmp.from_slice::<archive::Value>(&[0x91; 100_000]).is_err());
        assert!(rmp.from_slice::<Unit>(&[0x81; 100_000]).is_err());
    };
    std::thread::Builder::new().stack_size(16 << 20).spawn(rmp).unwrap().join().unwrap();
    assert!(Format::of::<SerdeBackend<Cbor>>().from_slice::<Unit>(&[0x81; 100_000]).is_err());
    let postcard = Format::of::<SerdeBackend<Postcard>>();
    // An array of one in an array of one …
    assert!(postcard.from_slice::<archive::Value>(&[9, 1].repeat(100_000)).is_err());
}

#[test]
fn named_roots_keep_the_limits_of_their_options() {
    fn check<F: Backend>(depth: usize, enough: &Options<'_>, too_little: &Options<'_>) {
        let nest = |inner, _| archive::Value::Array(vec![inner]);
        let deep = (0..depth).fold(archive::Value::Null, nest);
        let mut writer = archive::format::Writer::<F>::with(enough);
        writer.save("deep", &deep).unwrap();
        let file = writer.finish().unwrap();
        let load = |options: &Options<'_>| {
            let mut loaded = archive::Value::Null;
            let mut reader = archive::format::Reader::<F>::with(file.as_ref(), options)?;
            reader.serialize("deep", &mut loaded).map(|()| loaded)
        };
        assert!(load(enough).unwrap() == deep, "{}", F::NAME);
        let error = load(too_little).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{}: {error}", F::NAME);
    }
    let (usual, less, more) =
        (Options::new(), Options::new().max_depth(50), Options::new().max_depth(400));
    check::<Json>(60, &usual, &less);
    check::<SerdeBackend<Ron>>(60, &usual, &less);
    check::<SerdeBackend<RmpNamed>>(60, &usual, &less);
    check::<SerdeBackend<Cbor>>(60, &usual, &less);
    // The others have limits of their own.
    check::<SerdeBackend<Postcard>>(200, &more, &usual);
}

/// The object around the roots does not count as a level.
#[test]
fn named_roots_load_at_the_depth_at_which_they_were_saved() {
    fn check<F: Backend>() {
        let place = Place { x: 1.0, y: -1.5 };
        let unit = Unit { orders: vec![Order::Go(1, 2)], place: place.clone(), ..Unit::default() };
        let squad = Squad { units: vec![unit], home: place };
        let mut saved = 0;
        for depth in 1..=7 {
            let options = Options::new().max_depth(depth);
            let mut writer = archive::format::Writer::<F>::with(&options);
            if writer.save("squad", &squad).is_ok() {
                let file = writer.finish().unwrap();
                let mut reader =
                    archive::format::Reader::<F>::with(file.as_ref(), &options).unwrap();
                let loaded: Squad = reader.load("squad").unwrap_or_else(|error| {
                    panic!("{}, depth {depth}: {error}", F::NAME);
                });
                assert_eq!(loaded, squad, "{}", F::NAME);
                saved += 1;
            }
        }
        assert!((1..7).contains(&saved), "{}: {saved}", F::NAME);
    }
    check::<Json>();
    check::<SerdeBackend<Ron>>();
    check::<SerdeBackend<RmpNamed>>();
    check::<SerdeBackend<Cbor>>();
    check::<SerdeBackend<Postcard>>();
}

#[test]
fn announced_lengths_reserve_nothing() {
    let postcard = Format::of::<SerdeBackend<Postcard>>();
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert!(postcard.from_slice::<Vec<[u64; 32]>>(&huge).is_err());
    assert!(postcard.from_slice::<BTreeMap<u64, u64>>(&huge).is_err());
    assert!(postcard.from_slice::<String>(&huge).is_err());
    let few = Options::new().max_elements(1000);
    let error = postcard.from_slice_with::<Vec<()>>(&huge, &few).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
    // A value that takes no bytes takes memory here.
    #[derive(Default, Debug, Serialize)]
    #[allow(dead_code)] // it is there to take room
    struct Empty {
        unit: ((), [u8; 0]),
        #[archive(skip)]
        large: [u64; 4],
    }
    for error in [
        postcard.from_slice::<Vec<()>>(&huge).unwrap_err(),
        postcard.from_slice::<Vec<Empty>>(&huge).unwrap_err(),
        postcard.from_slice::<Vec<Vec<Empty>>>(&[&[9][..], &huge].concat()).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
        assert!(error.message().contains("max_empty_elements"), "{error}");
    }
    let rmp = Format::of::<SerdeBackend<RmpNamed>>();
    assert!(rmp.from_slice::<Vec<[u64; 32]>>(&[0xdd, 0xff, 0xff, 0xff, 0xff]).is_err());
}

#[derive(PartialEq, Debug, serde::Serialize, serde::Deserialize)]
struct Reply {
    code: u16,
    unit: AsSerde<Unit>,
    more: Vec<AsSerde<Unit>>,
    end: String,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn types_of_ours_in_serde_code(unit in unit(), more in prop::collection::vec(unit(), 0..3)) {
        let more = more.into_iter().map(AsSerde).collect();
        let reply = Reply { code: 7, unit: AsSerde(unit), more, end: "end".into() };
        let text = serde_json::to_string(&reply).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Reply>(&text).unwrap(), &reply);
        let text = ron::to_string(&reply).unwrap();
        prop_assert_eq!(&ron::from_str::<Reply>(&text).unwrap(), &reply);
        let bytes = postcard::to_stdvec(&reply).unwrap();
        prop_assert_eq!(&postcard::from_bytes::<Reply>(&bytes).unwrap(), &reply);
        let bytes = rmp_serde::to_vec(&reply).unwrap();
        prop_assert_eq!(&rmp_serde::from_slice::<Reply>(&bytes).unwrap(), &reply);
        let bytes = rmp_serde::to_vec_named(&reply).unwrap();
        prop_assert_eq!(&rmp_serde::from_slice::<Reply>(&bytes).unwrap(), &reply);
        let mut bytes = Vec::new();
        ciborium::into_writer(&reply, &mut bytes).unwrap();
        prop_assert_eq!(&ciborium::from_reader::<Reply, _>(&*bytes).unwrap(), &reply);
    }
}

#[test]
fn pointers_of_ours_in_serde_code() {
    let shared = Rc::new(RefCell::new(Node { value: 3, ..Node::default() }));
    shared.borrow_mut().back = Rc::downgrade(&shared);
    let nodes = AsSerde(vec![shared.clone(), shared]);
    let text = serde_json::to_string(&nodes).unwrap();
    assert_eq!(
        text,
        r#"[{"$id":1,"$value":{"value":3,"next":null,"back":{"$weak":1}}},{"$id":1}]"#
    );
    let bytes = postcard::to_stdvec(&nodes).unwrap();
    let loaded: [AsSerde<Vec<Rc<RefCell<Node>>>>; 2] =
        [serde_json::from_str(&text).unwrap(), postcard::from_bytes(&bytes).unwrap()];
    for AsSerde(nodes) in loaded {
        assert!(Rc::ptr_eq(&nodes[0], &nodes[1]));
        assert!(Rc::ptr_eq(&nodes[0].borrow().back.upgrade().unwrap(), &nodes[0]));
    }
}

#[test]
fn errors_of_ours_in_serde_code() {
    let error = serde_json::from_str::<AsSerde<Squad>>(r#"{"units":[{"hp":1.5}]}"#).unwrap_err();
    assert!(error.to_string().contains("units[0].hp: expected i64, found 1.5"), "{error}");
    let options = Options::new().strict(true);
    let mut from = serde_json::Deserializer::from_str(r#"{"x":1,"z":2}"#);
    let error = load_with::<Place, _>(&mut from, &options).unwrap_err();
    assert!(error.to_string().contains('z'), "{error}");
    let mut out = Vec::new();
    save_with(&Place::default(), &mut serde_json::Serializer::new(&mut out), &options).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), r#"{"$version":3,"x":0.0,"y":0.0}"#);
}

/// The statements of the crate's documentation about single formats.
#[test]
fn limits_of_some_formats() {
    let ron = Format::of::<SerdeBackend<Ron>>();
    let postcard = Format::of::<SerdeBackend<Postcard>>();
    for format in serde_formats().into_iter().filter(|format| *format != postcard) {
        let file = format.to_vec(&vec![1_u32, 300]).unwrap();
        let error = format.from_slice::<Vec<u8>>(&file).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "[1]"), "{format}");
        assert_eq!(error.position().is_some(), has_value_positions(format), "{format}: {error:?}");
    }

    #[derive(Default, PartialEq, Debug, Serialize)]
    struct Short {
        a: u8,
        b: String,
    }
    #[derive(Default, PartialEq, Debug, Serialize)]
    struct Swapped {
        b: String,
        a: u8,
    }
    #[derive(Default, PartialEq, Debug, Serialize)]
    struct Long {
        a: u8,
        b: String,
        #[archive(default = 7)]
        c: u8,
    }
    for format in serde_formats() {
        let file = format.to_vec(&Short { a: 1, b: "x".into() }).unwrap();
        let swapped = format.from_slice::<Swapped>(&file).ok();
        let same = swapped == Some(Swapped { b: "x".into(), a: 1 });
        assert_eq!(same, finds_names(format), "{format}");
    }
    type Arrays = SerdeBackend<RmpArrays>;
    let file = Arrays::to_vec(&Short { a: 1, b: "x".into() }).unwrap();
    let (long, report) = Arrays::from_slice_report::<Long>(&file, &Options::new()).unwrap();
    assert_eq!(long, Long { a: 1, b: "x".into(), c: 7 });
    assert_eq!(report.absent().collect::<Vec<_>>(), ["c"]);
    let file = Arrays::to_vec(&long).unwrap();
    assert_eq!(Arrays::from_slice::<Short>(&file).unwrap(), Short { a: 1, b: "x".into() });

    // Empty parentheses are null where any value is requested from ron.
    assert_eq!(ron.from_slice::<Order>(b"\"Hold\"").unwrap(), Order::Hold);
    assert_eq!(ron.from_slice::<Order>(b"Say(\"x\")").unwrap(), Order::Say("x".into()));
    #[derive(Default, Debug, Serialize)]
    enum Sides {
        #[default]
        Neither,
        All(),
    }
    assert!(matches!(ron.from_slice::<Sides>(b"Neither").unwrap(), Sides::Neither));
    let error = ron.from_slice::<Sides>(b"All()").unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "All"));

    #[derive(Default, Serialize)]
    struct Eye {
        sees: Weak<u32>,
        object: Option<Rc<u32>>,
    }
    let object = Rc::new(7);
    let eye = Eye { sees: Rc::downgrade(&object), object: Some(object) };
    for format in serde_formats() {
        let file = format.to_vec(&eye).unwrap();
        let loaded: Eye = format.from_slice(&file).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert!(Rc::ptr_eq(&loaded.sees.upgrade().unwrap(), &loaded.object.unwrap()));
    }
    // A weak pointer alone does not save its object.
    let alone = Eye { object: None, ..eye };
    for format in serde_formats() {
        let loaded: Eye = format.from_slice(&format.to_vec(&alone).unwrap()).unwrap();
        assert!(loaded.sees.upgrade().is_none(), "{format}");
    }
    // An object after such a pointer, as in a file of another program, is not lost silently.
    let after = [&[4, 1, 0][..], &[1][..], &[1, 1, 0, 7, 0][..]].concat();
    let error = SerdeBackend::<Postcard>::from_slice::<Eye>(&after).err().unwrap();
    assert_eq!((error.kind(), error.path()), (ErrorKind::BadPointer, "object"), "{error}");
}

trait Thing: archive::Polymorphic {
    fn hp(&self) -> u32;
}
polymorphic!(dyn Thing);
impl Thing for Tree {
    fn hp(&self) -> u32 {
        self.hp
    }
}

/// Without a cell; it refers to the one that follows, weakly.
#[derive(Default, Serialize)]
struct Tree {
    hp: u32,
    next: Weak<Tree>,
    home: Option<Rc<Tree>>,
}

#[derive(Default, Serialize)]
struct Wood {
    first: Weak<Tree>,
    tallest: Option<Weak<RefCell<dyn Thing>>>,
    trees: Vec<Rc<Tree>>,
    dynamic: Vec<Rc<RefCell<dyn Thing>>>,
    typed: Option<Rc<RefCell<Tree>>>,
}

/// In formats that are read once, the targets of weak pointers to later objects are saved at the
/// pointer, with everything that belongs to them.
#[test]
fn weak_pointers_ahead_of_their_objects() {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Tree }).unwrap();
    let options = Options::new().registry(&registry);
    let home = Rc::new(Tree { hp: 100, ..Tree::default() });
    let mut trees: Vec<Rc<Tree>> = Vec::new();
    for hp in 0..5 {
        let next = trees.last().map(Rc::downgrade).unwrap_or_default();
        trees.push(Rc::new(Tree { hp, next, home: Some(home.clone()) }));
    }
    trees.reverse();
    let typed = Rc::new(RefCell::new(Tree { hp: 7, ..Tree::default() }));
    let dynamic: Rc<RefCell<dyn Thing>> = typed.clone();
    let wood = Wood {
        first: Rc::downgrade(&trees[0]),
        tallest: Some(Rc::downgrade(&dynamic)),
        trees,
        dynamic: vec![dynamic],
        typed: Some(typed),
    };
    for format in serde_formats() {
        let file = format.to_vec_with(&wood, &options).unwrap();
        let loaded = format.from_slice_with::<Wood>(&file, &options);
        let loaded = loaded.unwrap_or_else(|e| panic!("{format}: {e}"));
        assert!(Rc::ptr_eq(&loaded.first.upgrade().unwrap(), &loaded.trees[0]), "{format}");
        for (at, tree) in loaded.trees.iter().enumerate() {
            assert_eq!(tree.hp, 4 - at as u32, "{format}");
            let next = tree.next.upgrade();
            assert!(next.as_ref().map(Rc::as_ptr) == loaded.trees.get(at + 1).map(Rc::as_ptr));
            let home = [tree, &loaded.trees[0]].map(|tree| tree.home.clone().unwrap());
            assert!(Rc::ptr_eq(&home[0], &home[1]) && home[0].hp == 100, "{format}");
        }
        let tallest = loaded.tallest.unwrap().upgrade().unwrap();
        assert!(Rc::ptr_eq(&tallest, &loaded.dynamic[0]) && tallest.borrow().hp() == 7);
        loaded.typed.unwrap().borrow_mut().hp = 8;
        assert_eq!(tallest.borrow().hp(), 8, "{format}");
    }
}

/// Data that a format which is read once cannot keep is a typed error.
#[test]
fn unknown_types_need_a_description() {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Tree }).unwrap();
    let options = Options::new().registry(&registry);
    let things: Vec<Rc<RefCell<dyn Thing>>> = vec![Rc::new(RefCell::new(Tree::default()))];
    let fewer = Registry::new();
    let fewer = Options::new().registry(&fewer).keep_unknown(true);
    let postcard = Format::of::<SerdeBackend<Postcard>>();
    let file = postcard.to_vec_with(&things, &options).unwrap();
    let error = postcard.from_slice_with::<Vec<Rc<RefCell<dyn Thing>>>>(&file, &fewer);
    let error = error.err().unwrap();
    assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownType, "[0]"), "{error}");
    assert!(error.position().is_some(), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Cut short, and with other bytes and other ids.
    #[test]
    fn damaged_pointers(flips in prop::collection::vec((any::<usize>(), any::<u8>()), 1..4), cut in any::<usize>()) {
        let nodes: Vec<Rc<RefCell<Node>>> = (0..4).map(|_| Rc::default()).collect();
        for (value, node) in nodes.iter().enumerate() {
            let mut node = node.borrow_mut();
            node.value = value as u32;
            node.next = nodes.get(value + 1).cloned();
            node.back = Rc::downgrade(&nodes[value / 2]);
        }
        for format in serde_formats() {
            let bytes = format.to_vec(&nodes).unwrap();
            for (kind, bytes) in common::damage::damaged(&bytes, &flips, cut).iter().enumerate() {
                let loaded = format.from_slice::<Vec<Rc<RefCell<Node>>>>(bytes);
                prop_assert!(kind != 0 || loaded.is_err(), "{}: cut short", format);
                let _ = format.load_into(&mut Vec::<Rc<RefCell<Node>>>::new(), bytes);
                let going = Options::new().keep_going(true);
                let _ = format.from_slice_report::<Vec<Rc<RefCell<Node>>>>(bytes, &going);
                let _ = format.from_slice::<archive::Value>(bytes);
                for node in loaded.into_iter().flatten() {
                    node.borrow_mut().next = None;
                }
            }
        }
    }
}

/// The error kind of a format is kept, at any place in a value.
#[test]
fn a_limit_of_the_format_is_one_inside_of_structs_too() {
    #[derive(Default, Serialize)]
    struct Chain {
        next: Option<Box<Chain>>,
    }
    #[derive(Serialize)]
    enum Holder {
        One(Chain),
        Named { chain: Chain },
    }
    fn chain() -> Chain {
        (0..100).fold(Chain::default(), |inner, _| Chain { next: Some(Box::new(inner)) })
    }
    fn check<T: archive::Save>(value: T) {
        let error = Format::of::<SerdeBackend<Ron>>().to_vec(&value).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
        assert!(error.to_string().contains("recursion limit"), "{error}");
    }
    check(chain());
    check(vec![chain()]);
    check((1_u8, chain()));
    check(BTreeMap::from([("a".to_owned(), chain())]));
    check(BTreeMap::from([(1, chain())]));
    check(Holder::One(chain()));
    check(Holder::Named { chain: chain() });
    check(Rc::new(chain()));
}
