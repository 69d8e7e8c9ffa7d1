//! `rmp-serde` as the oracle: the same types, derived for both, through both, in both directions.

use archive_test_support::search::config;
use std::collections::{BTreeMap, HashMap};

use crate::common::{MessagePack, hex};
use archive_core::Backend;
use archive_derive::Serialize as Archived;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Archived, Serialize, Deserialize)]
#[archive(crate = archive_core)]
struct Scalars {
    truth: bool,
    small: (u8, i8),
    short: (u16, i16),
    long: (u32, i32),
    wide: (u64, i64),
    single: f32,
    double: f64,
    character: char,
    text: String,
    nothing: (),
}

#[derive(Clone, Debug, Default, PartialEq, Archived, Serialize, Deserialize)]
#[archive(crate = archive_core)]
struct Unit;

#[derive(Clone, Debug, Default, PartialEq, Archived, Serialize, Deserialize)]
#[archive(crate = archive_core)]
struct Id(u32);

#[derive(Clone, Debug, Default, PartialEq, Archived, Serialize, Deserialize)]
#[archive(crate = archive_core)]
struct Pair(i16, String);

#[derive(Clone, Debug, Default, PartialEq, Archived, Serialize, Deserialize)]
#[archive(crate = archive_core)]
enum State {
    #[default]
    Idle,
    Follow(Id),
    Patrol(f32, Option<i64>),
    Attack {
        target: u64,
        with: Vec<String>,
    },
    Boxed(Box<State>),
}

#[derive(Clone, Debug, Default, PartialEq, Archived, Serialize, Deserialize)]
#[archive(crate = archive_core)]
struct World {
    scalars: Scalars,
    id: Id,
    pair: Pair,
    states: Vec<State>,
    option: Option<Pair>,
    none: Option<u8>,
    names: BTreeMap<String, State>,
    numbers: BTreeMap<i64, Option<f32>>,
    hash: HashMap<u8, String>,
    tuple: (u8, (String, [i32; 3])),
    array: [State; 2],
    list: Vec<u32>,
}

fn scalars() -> impl Strategy<Value = Scalars> {
    let numbers =
        (any::<(u8, i8)>(), any::<(u16, i16)>(), any::<(u32, i32)>(), any::<(u64, i64)>());
    let rest = (any::<bool>(), any::<f32>(), any::<f64>(), any::<char>(), ".{0,40}");
    (numbers, rest).prop_map(|((small, short, long, wide), rest)| {
        let (truth, single, double, character, text) = rest;
        Scalars { truth, small, short, long, wide, single, double, character, text, nothing: () }
    })
}

fn state() -> impl Strategy<Value = State> {
    let leaf = prop_oneof![
        Just(State::Idle),
        any::<u32>().prop_map(|id| State::Follow(Id(id))),
        any::<(f32, Option<i64>)>().prop_map(|(speed, until)| State::Patrol(speed, until)),
        (any::<u64>(), prop::collection::vec(".{0,8}", 0..20))
            .prop_map(|(target, with)| State::Attack { target, with }),
    ];
    leaf.prop_recursive(3, 4, 1, |state| state.prop_map(|state| State::Boxed(Box::new(state))))
}

fn world() -> impl Strategy<Value = World> {
    let pair = || any::<(i16, String)>().prop_map(|(number, text)| Pair(number, text));
    // Keys that begin with `$` are escaped, which serde does not know.
    let names = prop::collection::btree_map("[^$].{0,40}|", state(), 0..20);
    (
        (scalars(), any::<u32>(), pair(), prop::collection::vec(state(), 0..20)),
        (prop::option::of(pair()), any::<Option<u8>>(), names, any::<BTreeMap<i64, Option<f32>>>()),
        (any::<HashMap<u8, String>>(), any::<(u8, (String, [i32; 3]))>(), [state(), state()]),
        prop::collection::vec(any::<u32>(), 0..40),
    )
        .prop_map(
            |((scalars, id, pair, states), (option, none, names, numbers), rest, list)| {
                let (id, (hash, tuple, array)) = (Id(id), rest);
                World {
                    scalars,
                    id,
                    pair,
                    states,
                    option,
                    none,
                    names,
                    numbers,
                    hash,
                    tuple,
                    array,
                    list,
                }
            },
        )
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn both_ways(mut world in world()) {
        let ours = MessagePack::to_vec(&world).unwrap();
        let read: World = rmp_serde::from_slice(&ours).unwrap();
        prop_assert_eq!(&read, &world, "ours, read by rmp-serde");

        let named = rmp_serde::to_vec_named(&world).unwrap();
        let read: World = MessagePack::from_slice(&named).unwrap();
        prop_assert_eq!(&read, &world, "named members, read by us");
        let compact = rmp_serde::to_vec(&world).unwrap();
        let read: World = MessagePack::from_slice(&compact).unwrap();
        prop_assert_eq!(&read, &world, "structs as arrays, read by us");

        // Byte for byte, except the order of hash maps.
        world.hash.clear();
        let ours = MessagePack::to_vec(&world).unwrap();
        let named = rmp_serde::to_vec_named(&world).unwrap();
        prop_assert_eq!(hex(&ours), hex(&named));
    }

    /// Every beginning of a file is detected, and none with data after the value.
    #[test]
    fn detected(world in world(), len in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let theirs = [rmp_serde::to_vec(&world), rmp_serde::to_vec_named(&world)];
        let [compact, named] = theirs.map(|bytes| bytes.unwrap());
        for mut file in [MessagePack::to_vec(&world).unwrap(), compact, named] {
            prop_assert!(MessagePack::detect(&file));
            prop_assert!(MessagePack::detect(&file[..=len.index(file.len())]));
            if file.len() < 4096 {
                file.push(byte);
                prop_assert!(!MessagePack::detect(&file));
            }
        }
    }
}

/// Bytes, which serde types must request.
struct Blob(Vec<u8>);

impl Serialize for Blob {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl serde::de::Visitor<'_> for Bytes {
            type Value = Blob;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Blob, E> {
                Ok(Blob(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn bytes(content in prop::collection::vec(any::<u8>(), 0..300)) {
        let theirs = rmp_serde::to_vec(&Blob(content.clone())).unwrap();
        let tree: archive_core::Value = MessagePack::from_slice(&theirs).unwrap();
        prop_assert_eq!(&tree, &archive_core::Value::Bytes(content.clone()));
        let ours = MessagePack::to_vec(&tree).unwrap();
        prop_assert_eq!(&ours, &theirs);
        prop_assert_eq!(&rmp_serde::from_slice::<Blob>(&ours).unwrap().0, &content);
        // A list of numbers accepts them, too.
        prop_assert_eq!(&MessagePack::from_slice::<Vec<u8>>(&theirs).unwrap(), &content);
        let numbers = MessagePack::to_vec(&content).unwrap();
        prop_assert_eq!(&numbers, &rmp_serde::to_vec(&content).unwrap());
    }

    #[test]
    fn wide_integers(signed: i128, unsigned: u128) {
        let theirs = rmp_serde::to_vec(&(signed, unsigned)).unwrap();
        prop_assert_eq!(MessagePack::from_slice::<(i128, u128)>(&theirs).unwrap(), (signed, unsigned));
        let ours = MessagePack::to_vec(&(signed, unsigned)).unwrap();
        prop_assert_eq!(MessagePack::from_slice::<(i128, u128)>(&ours).unwrap(), (signed, unsigned));
        // Integers that fit in 64 bits are plain numbers, which every reader accepts.
        let small = (signed as i64, unsigned as u64);
        let ours = MessagePack::to_vec(&(small.0 as i128, small.1 as u128)).unwrap();
        prop_assert_eq!(rmp_serde::from_slice::<(i64, u64)>(&ours).unwrap(), small);
    }
}

/// Where the two differ, as the page on the format says.
#[test]
fn differences_from_serde() {
    // `Some` of a null value has a wrapper. Without it, the value would load as `None`.
    let nested = vec![None, Some(None), Some(Some(1_u8))];
    let ours = MessagePack::to_vec(&nested).unwrap();
    assert_eq!(hex(&ours), "93 c0 81 a5 24 73 6f 6d 65 c0 01");
    assert_eq!(hex(&rmp_serde::to_vec(&nested).unwrap()), "93 c0 c0 01");
    assert_eq!(MessagePack::from_slice::<Vec<Option<Option<u8>>>>(&ours).unwrap(), nested);
    // Keys that begin with `$` are escaped.
    let map = BTreeMap::from([("$id".to_owned(), 1)]);
    let ours = MessagePack::to_vec(&map).unwrap();
    let theirs: BTreeMap<String, u8> = rmp_serde::from_slice(&ours).unwrap();
    assert_eq!(theirs, BTreeMap::from([("$$id".to_owned(), 1)]));
    let theirs = rmp_serde::to_vec(&map).unwrap();
    assert_eq!(MessagePack::from_slice::<BTreeMap<String, i32>>(&theirs).unwrap(), map);
    // A unit struct is null, as `()` is; an empty array is accepted for both.
    let ours = MessagePack::to_vec(&(Unit, ())).unwrap();
    assert_eq!(hex(&ours), "92 c0 c0");
    assert_eq!(rmp_serde::from_slice::<(Unit, ())>(&ours).unwrap(), (Unit, ()));
    let theirs = rmp_serde::to_vec(&(Unit, ())).unwrap();
    assert_eq!(hex(&theirs), "92 90 c0");
    assert_eq!(MessagePack::from_slice::<(Unit, ())>(&theirs).unwrap(), (Unit, ()));
    assert!(MessagePack::from_slice::<Unit>(&[0x91, 0xc0]).is_err());
    // Integers of more than 64 bits are text.
    let ours = MessagePack::to_vec(&u128::MAX).unwrap();
    assert!(rmp_serde::from_slice::<u128>(&ours).is_err());
}

#[test]
fn structs_as_arrays() {
    #[derive(Debug, Default, PartialEq, Archived)]
    #[archive(crate = archive_core)]
    struct Three {
        a: u8,
        #[archive(alias = "old")]
        b: u8,
        c: u8,
    }
    let load = MessagePack::from_slice::<Three>;
    assert_eq!(load(&[0x93, 1, 2, 3]).unwrap(), Three { a: 1, b: 2, c: 3 });
    assert_eq!(load(&[0x91, 1]).unwrap(), Three { a: 1, b: 0, c: 0 });
    assert_eq!(load(&[0x90]).unwrap(), Three::default());
    let options = archive_core::Options::new();
    let (_, report) = MessagePack::from_slice_report::<Three>(&[0x91, 1], &options).unwrap();
    let absent: Vec<&str> = report.notes().iter().map(|note| note.path.as_str()).collect();
    assert_eq!(absent, ["b", "c"]);
    let error = load(&[0x94, 1, 2, 3, 4]).unwrap_err();
    assert_eq!(error.kind(), archive_core::ErrorKind::WrongLength);
    let text = "`Three` has 3 members, but the array has 4 items at byte 4 in `Three`";
    assert_eq!(error.to_string(), text);
    let error = load(&[0x93, 1, 0xc3, 3]).unwrap_err();
    assert_eq!(error.to_string(), "b: expected u8, found true at byte 2 in `Three`");

    // Flattened members have no place in an array.
    #[derive(Debug, Default, PartialEq, Archived)]
    #[archive(crate = archive_core)]
    struct Outer {
        x: u8,
        #[archive(flatten)]
        three: Three,
    }
    let error = MessagePack::from_slice::<Outer>(&[0x94, 1, 2, 3, 4]).unwrap_err();
    assert_eq!(error.to_string(), "expected an object, found a sequence at byte 0");
}

/// Floats that are read as other numbers are in the report, if they were read at all.
#[test]
fn conversions_are_reported() {
    let options = archive_core::Options::new().keep_going(true);
    let file = MessagePack::to_vec(&(1.5_f64, 2.0_f32, 7_u8, 0.1_f64, "inf".to_owned())).unwrap();
    let (value, report) =
        MessagePack::from_slice_report::<(u8, u8, f64, f32, f32)>(&file, &options).unwrap();
    assert_eq!(value, (0, 2, 7.0, 0.1, f32::INFINITY));
    let notes: Vec<_> =
        report.notes().iter().map(|note| (&*note.path, note.kind.clone())).collect();
    let converted = |from, to| archive_core::NoteKind::Converted { from, to };
    assert_eq!(notes, [("[1]", converted("f32", "u8")), ("[3]", converted("f64", "f32"))]);
    let errors: Vec<&str> = report.errors().iter().map(|error| error.path()).collect();
    assert_eq!(errors, ["[0]"]);
}
