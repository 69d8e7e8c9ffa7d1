//! What is special to serde formats as back ends; the rest is in the tests of all formats.
#![cfg(feature = "serde")]

mod common;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::serde::{AsSerde, SerdeBackend, load_with, save_with};
use archive::{Archive, Backend, ErrorKind, Format, Options, Position, Result, Serialize};
use common::serde_formats::{Cbor, Postcard, RmpArrays, RmpNamed, Ron, SerdeJson};
use proptest::prelude::*;

type Json = SerdeBackend<SerdeJson>;

fn all() -> Vec<Format> {
    vec![
        Format::of::<Json>(),
        Format::of::<SerdeBackend<RmpNamed>>(),
        Format::of::<SerdeBackend<RmpArrays>>(),
        Format::of::<SerdeBackend<Ron>>(),
        Format::of::<SerdeBackend<Cbor>>(),
        Format::of::<SerdeBackend<Postcard>>(),
    ]
}

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
    fn what_fits_everywhere(units in prop::collection::vec(unit(), 0..3)) {
        let squad = Squad { units, home: Place { x: 1.0, y: 2.0 } };
        for format in all() {
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
    // What the format itself refuses.
    let error = Json::from_slice::<Squad>(b"{\"units\":[{\"name\":\"a\",]}").unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Syntax, "units[0]"), "{error}");
    assert!(matches!(error.position(), Some(Position::Line { line: 1, .. })), "{error:?}");
    assert_eq!(Json::from_slice::<Squad>(b"{} x").unwrap_err().kind(), ErrorKind::Syntax);
}

/// A type that tells how far its input had been read when its function ran.
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
    // The input is wrong behind the second object: both have been loaded by then.
    let error = Json::from_slice::<Vec<Seen>>(b"[{\"n\":1},{\"n\":2},#").err().unwrap();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Syntax, "[2]"));
    assert_eq!(error.to_string(), "[2]: expected value at line 1 column 17");
    assert_eq!(LEFT.take(), ["1", "2"]);
}

#[test]
fn what_comes_out_of_order_is_kept() {
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

/// The reference stands before the object, for which the load begins again.
#[test]
fn an_object_may_stand_behind_its_reference() {
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
    for format in all() {
        let mut chain = Rc::new(RefCell::new(Node::default()));
        for value in 0..20_000 {
            chain = Rc::new(RefCell::new(Node { value, next: Some(chain), back: Weak::new() }));
        }
        let bytes = format.to_vec(&chain).unwrap_or_else(|e| panic!("{format}: {e}"));
        let loaded: Rc<RefCell<Node>> =
            format.from_slice(&bytes).unwrap_or_else(|e| panic!("{format}: {e}"));
        for mut at in [chain, loaded] {
            let mut length = 0;
            while let Some(next) = {
                let next = at.borrow_mut().next.take();
                next
            } {
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
fn announced_lengths_reserve_nothing() {
    let postcard = Format::of::<SerdeBackend<Postcard>>();
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert!(postcard.from_slice::<Vec<[u64; 32]>>(&huge).is_err());
    assert!(postcard.from_slice::<BTreeMap<u64, u64>>(&huge).is_err());
    assert!(postcard.from_slice::<String>(&huge).is_err());
    let few = Options::new().max_elements(1000);
    let error = postcard.from_slice_with::<Vec<()>>(&huge, &few).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
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
