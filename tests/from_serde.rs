//! Files that serde wrote, and what `docs/COMING_FROM_SERDE.md` says of them.
#![cfg(all(feature = "serde", feature = "json", feature = "msgpack"))]

mod common;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use archive::serde::SerdeBackend;
use archive::{Backend, ErrorKind, Format, Serialize, json, msgpack};
use common::serde_formats::{Cbor, RmpArrays, RmpNamed, SerdeJson};
use proptest::prelude::*;

#[derive(Default, Clone, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
enum Order {
    #[default]
    Hold,
    Follow(u32),
    Go(i16, i16),
    Attack {
        target: u64,
        with: Option<String>,
    },
}

#[derive(Default, Clone, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
struct At(i32, i32);

#[derive(Default, Clone, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
struct Unit {
    name: String,
    hp: Option<u32>,
    at: At,
    orders: Vec<Order>,
    levels: (u8, bool, char),
    by_name: BTreeMap<String, f32>,
    by_number: BTreeMap<u16, String>,
    waits: Duration,
    nothing: (),
}

fn unit() -> Unit {
    Unit {
        name: "Ann \"the\" ß".into(),
        hp: Some(7),
        at: At(-3, 4),
        orders: vec![
            Order::Hold,
            Order::Follow(1),
            Order::Go(-1, 2),
            Order::Attack { target: u64::MAX, with: None },
        ],
        levels: (1, true, 'x'),
        by_name: [("a".into(), 0.5), ("b".into(), -1.25)].into(),
        by_number: [(1, "one".into()), (500, "many".into())].into(),
        waits: Duration::new(5, 6),
        nothing: (),
    }
}

/// What serde wrote, in all formats that read it.
fn files(unit: &Unit) -> Vec<(Format, Vec<u8>)> {
    let json = serde_json::to_vec(unit).unwrap();
    let named = rmp_serde::to_vec_named(unit).unwrap();
    let arrays = rmp_serde::to_vec(unit).unwrap();
    let mut cbor = Vec::new();
    ciborium::into_writer(unit, &mut cbor).unwrap();
    vec![
        (Format::Json, json.clone()),
        (Format::of::<SerdeBackend<SerdeJson>>(), json),
        (Format::MessagePack, named.clone()),
        (Format::of::<SerdeBackend<RmpNamed>>(), named),
        (Format::MessagePack, arrays.clone()),
        (Format::of::<SerdeBackend<RmpArrays>>(), arrays),
        (Format::of::<SerdeBackend<Cbor>>(), cbor),
    ]
}

#[test]
fn files_of_serde_load() {
    for (format, file) in files(&unit()) {
        let loaded: Unit = format.from_slice(&file).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(loaded, unit(), "{format}");
        let mut existing = Unit { orders: vec![Order::Follow(9); 9], ..Unit::default() };
        format.load_into(&mut existing, &file).unwrap();
        assert_eq!(existing, unit(), "{format}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_files_of_serde_load(
        name in any::<String>(),
        hp in any::<Option<u32>>(),
        numbers in any::<BTreeMap<u16, String>>(),
        go in any::<(i16, i16)>(),
        target in any::<u64>(),
        with in any::<Option<String>>(),
    ) {
        let orders = vec![Order::Go(go.0, go.1), Order::Attack { target, with }];
        let unit = Unit { name, hp, orders, by_number: numbers, ..unit() };
        for (format, file) in files(&unit) {
            prop_assert_eq!(&format.from_slice::<Unit>(&file).unwrap(), &unit, "{}", format);
        }
    }

    /// A damaged file is an error or a value, in every way of loading.
    #[test]
    fn damaged_files(at in any::<prop::sample::Index>(), to in any::<u8>(), cut in any::<bool>()) {
        for (format, mut file) in files(&unit()) {
            let at = at.index(file.len());
            if cut { file.truncate(at) } else { file[at] = to }
            let _ = format.from_slice::<Unit>(&file);
            let _ = format.load_into(&mut unit(), &file);
            let _ = format.from_slice::<archive::Value>(&file);
        }
    }
}

/// But for pairs in place of a map, serde reads ours.
#[test]
fn serde_reads_ours() {
    let unit = Unit { by_number: BTreeMap::new(), ..unit() };
    let text = SerdeBackend::<SerdeJson>::to_vec(&unit).unwrap();
    let mut expected = serde_json::to_value(&unit).unwrap();
    expected["by_number"] = serde_json::json!([]);
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&text).unwrap(), expected);

    #[derive(Default, PartialEq, Debug, Serialize, serde::Serialize, serde::Deserialize)]
    struct Plain {
        unit: At,
        orders: Vec<Order>,
        by_name: BTreeMap<String, f32>,
    }
    let plain = Plain { unit: At(1, 2), orders: unit.orders, by_name: unit.by_name };
    let named = SerdeBackend::<RmpNamed>::to_vec(&plain).unwrap();
    assert_eq!(named, rmp_serde::to_vec_named(&plain).unwrap());
    let arrays = SerdeBackend::<RmpArrays>::to_vec(&plain).unwrap();
    assert_eq!(rmp_serde::from_slice::<Plain>(&arrays).unwrap(), plain);
    let text = SerdeBackend::<SerdeJson>::to_vec(&plain).unwrap();
    assert_eq!(text, serde_json::to_vec(&plain).unwrap());
}

#[test]
fn pointers_that_serde_wrote_as_values() {
    #[derive(Default, Serialize)]
    struct Pair {
        first: Rc<At>,
        second: Rc<Vec<u8>>,
        third: Rc<u32>,
    }
    let file = br#"{"first":[1,2],"second":[3],"third":4}"#;
    for format in [Format::Json, Format::of::<SerdeBackend<SerdeJson>>()] {
        let pair: Pair = format.from_slice(file).unwrap();
        assert_eq!((&*pair.first, &**pair.second, *pair.third), (&At(1, 2), &[3][..], 4));
    }
}

#[test]
fn what_does_not_fit() {
    #[derive(Default, Debug, Serialize, serde::Serialize)]
    struct Speed {
        now: f64,
    }
    let text = serde_json::to_vec(&Speed { now: f64::NAN }).unwrap();
    assert_eq!(json::from_slice::<Speed>(&text).unwrap_err().path(), "now");

    let file = rmp_serde::to_vec(&(1, "x")).unwrap();
    assert_eq!(msgpack::from_slice::<Unit>(&file).unwrap_err().path(), "name");
    let error = SerdeBackend::<RmpArrays>::from_slice::<Unit>(&file).unwrap_err();
    assert_eq!((error.path(), error.kind()), ("name", ErrorKind::WrongType));
}
