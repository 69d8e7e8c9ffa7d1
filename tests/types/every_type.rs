//! Every supported type in every format: values at the edges, and random ones.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use crate::common::{forgiving, round_trip};
use archive::{Serialize, json};
use proptest::collection::{btree_map, btree_set, hash_map, hash_set, vec, vec_deque};
use proptest::prelude::*;

/// Equality of floats bit by bit, so that NaN, -0.0 and subnormals count.
macro_rules! bits {
    ($($Bits:ident $float:ident),*) => { $(
        #[derive(Default, Clone, Copy, Debug, Serialize)]
        struct $Bits($float);

        impl PartialEq for $Bits {
            fn eq(&self, other: &Self) -> bool {
                self.0.to_bits() == other.0.to_bits() || self.0.is_nan() && other.0.is_nan()
            }
        }
    )* };
}
bits!(Bits32 f32, Bits64 f64);

#[test]
fn integers() {
    round_trip(&(u8::MIN, u8::MAX, u16::MAX, u32::MAX, u64::MAX, u128::MAX));
    round_trip(&(i8::MIN, i16::MIN, i32::MIN, i64::MIN, i128::MIN));
    round_trip(&(i8::MAX, i16::MAX, i32::MAX, i64::MAX, i128::MAX));
    round_trip(&vec![0_u128, 1, 1 << 63, 1 << 64, (1 << 127) - 1, 1 << 127]);
    round_trip(&vec![0_i128, -1, i64::MIN.into(), i128::from(i64::MIN) - 1, u64::MAX.into()]);
    round_trip(&(usize::MAX, isize::MIN));
}

#[test]
fn floats() {
    let edges =
        [0.0, -0.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::MIN, f64::EPSILON, 0.1, 1e300];
    let strange = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0 / 3.0, 123456789.125];
    round_trip(&edges.iter().chain(&strange).map(|v| Bits64(*v)).collect::<Vec<_>>());
    let edges = [0.0, -0.0, f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::MIN, 0.1, 16777216.0];
    let strange = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0 / 3.0];
    round_trip(&edges.iter().chain(&strange).map(|v| Bits32(*v)).collect::<Vec<_>>());
}

#[test]
fn text_and_units() {
    round_trip(&vec!['a', '\0', '\u{7f}', 'é', '\u{ffff}', '🦀', '"', '\\', '\u{10ffff}']);
    round_trip(&vec![String::new(), "a\0b\n\t\"\\/\u{1}é🦀\u{2028}".into(), "x".repeat(100_000)]);
    round_trip(&(true, false, (), vec![(); 3]));
    round_trip(&PathBuf::from("saves/été/quick.json"));
    round_trip(&vec![
        Duration::ZERO,
        Duration::new(u64::MAX, 999_999_999),
        Duration::from_millis(1),
    ]);
}

#[test]
fn containers() {
    round_trip(&(Vec::<u8>::new(), vec![1_u8, 2, 255], VecDeque::from([1_i32, -2])));
    round_trip(&(BTreeSet::from([3, 1, 2]), BTreeMap::from([(1, "one".to_owned())])));
    round_trip(&HashSet::from(["b".to_owned(), "a".to_owned(), String::new()]));
    round_trip(&HashMap::from([((1_u8, 'x'), vec![1]), ((0, 'y'), vec![])]));
    round_trip(&([1_u16; 0], [1_u16, 2, 3], [[1.5_f32, 2.5], [3.5, 4.5]], [7_u8; 100]));
    round_trip(&[String::from("a"), String::new()]);
    round_trip(&vec![vec![vec![Some(1_u8)], vec![]], vec![]]);
    round_trip(&((1,), (1, 2_u8, 'c'), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)));
    round_trip(&Box::new(Box::new(vec![Box::new(5_u32)])));
}

/// Tuples without items are sequences, not units.
#[test]
fn tuples_without_items() {
    #[derive(Default, Debug, PartialEq, Serialize)]
    struct Nothing();
    #[derive(Default, Debug, PartialEq, Serialize)]
    struct Skipped(#[archive(skip)] u8);
    #[derive(Debug, PartialEq, Serialize)]
    enum Variants {
        Empty(),
        Skipped(#[archive(skip)] u8),
    }
    round_trip(&vec![Some(Nothing()), None]);
    round_trip(&(Nothing(), Skipped(0), ((), Nothing()), [Nothing()]));
    round_trip(&vec![Variants::Empty(), Variants::Skipped(0)]);
}

#[test]
fn options() {
    round_trip(&(Some(1_u8), None::<u8>));
    round_trip(&vec![Some(Some(Some(1_u8))), Some(Some(None)), Some(None), None]);
    round_trip(&vec![Some(()), None]);
    round_trip(&vec![Some(Box::new(Some(3_u8))), Some(Box::new(None)), None]);
    assert_eq!(json::to_string(&Some(Some(1))).unwrap(), "1");
    assert_eq!(json::to_string(&Some(None::<u8>)).unwrap(), r#"{"$some":null}"#);
}

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Nested {
    id: u32,
    name: String,
    position: [f32; 3],
    state: State,
    history: Vec<State>,
    tags: BTreeMap<String, Tuple>,
    child: Option<Box<Nested>>,
    unit: Unit,
    wrapper: Wrapper,
}

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Unit;

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Wrapper(Option<u16>);

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Tuple(i64, String, Option<bool>);

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
enum State {
    #[default]
    Idle,
    Walking,
    Attacking {
        target: u32,
        since: f64,
    },
    Carrying(String),
    Trading(u8, Vec<i16>),
    Nested(Box<State>),
    Maybe(Option<u8>),
}

fn state() -> impl Strategy<Value = State> {
    let leaf = prop_oneof![
        Just(State::Idle),
        Just(State::Walking),
        (any::<u32>(), -1e9..1e9).prop_map(|(target, since)| State::Attacking { target, since }),
        any::<String>().prop_map(State::Carrying),
        (any::<u8>(), vec(any::<i16>(), 0..4)).prop_map(|(a, b)| State::Trading(a, b)),
        any::<Option<u8>>().prop_map(State::Maybe),
    ];
    leaf.prop_recursive(3, 8, 1, |inner| inner.prop_map(|state| State::Nested(Box::new(state))))
}

fn tuple() -> impl Strategy<Value = Tuple> {
    (any::<i64>(), any::<String>(), any::<Option<bool>>()).prop_map(|(a, b, c)| Tuple(a, b, c))
}

fn nested() -> impl Strategy<Value = Nested> {
    let one = (
        (any::<u32>(), any::<String>(), any::<[i16; 3]>()),
        state(),
        vec(state(), 0..3),
        btree_map(any::<String>(), tuple(), 0..3),
        any::<Option<u16>>(),
    )
        .prop_map(|((id, name, position), state, history, tags, wrapper)| Nested {
            id,
            name,
            position: position.map(|v| f32::from(v) / 8.0),
            state,
            history,
            tags,
            child: None,
            unit: Unit,
            wrapper: Wrapper(wrapper),
        });
    one.prop_recursive(3, 6, 1, |inner| {
        (inner.clone(), inner).prop_map(|(mut outer, child)| {
            outer.child = Some(Box::new(child));
            outer
        })
    })
}

proptest! {
    #![proptest_config(crate::common::search::config(48))]

    #[test]
    fn random_numbers(
        a in any::<(u8, u16, u32, u64, u128)>(),
        b in any::<(i8, i16, i32, i64, i128)>(),
        c in any::<u32>().prop_map(|v| Bits32(f32::from_bits(v))),
        d in any::<u64>().prop_map(|v| Bits64(f64::from_bits(v))),
        e in any::<(bool, char)>(),
    ) {
        round_trip(&(a, b, c, d, e));
    }

    #[test]
    fn random_containers(
        a in vec(any::<(u8, String)>(), 0..20),
        b in vec_deque(any::<Option<Option<i32>>>(), 0..20),
        c in btree_set(any::<i128>(), 0..20),
        d in hash_set(any::<(i16, String)>(), 0..20),
        e in btree_map(any::<String>(), vec(any::<u64>(), 0..3), 0..20),
        f in hash_map(any::<i32>(), any::<[u8; 4]>(), 0..20),
    ) {
        round_trip(&(a, b, c));
        round_trip(&(d, e, f));
    }

    #[test]
    fn random_structs(value in nested()) {
        round_trip(&value);
    }

    /// The text is that of serde_json, for values that both can represent.
    #[test]
    fn the_same_text_as_serde_json(value in both_derives::value()) {
        let text = serde_json::to_string(&value).unwrap();
        prop_assert_eq!(json::to_string(&value).unwrap(), &*text);
        prop_assert_eq!(
            json::to_string_pretty(&value).unwrap(),
            serde_json::to_string_pretty(&value).unwrap()
        );
        // And text of serde_json loads.
        prop_assert_eq!(json::from_str::<both_derives::Value>(&text).unwrap(), value);
    }
}

/// Types with both derives.
mod both_derives {
    use super::*;

    #[derive(Default, Clone, Debug, PartialEq, archive::Serialize, serde::Serialize)]
    pub(crate) struct Value {
        a: u64,
        b: i128,
        c: f32,
        d: f64,
        text: String,
        letter: char,
        list: Vec<Option<String>>,
        tuple: (i8, bool),
        array: [u16; 2],
        empty: Vec<u8>,
        unit: (),
        unit_struct: UnitStruct,
        newtype: Newtype,
        pair: Pair,
        choice: Vec<Choice>,
        duration: Duration,
        set: BTreeSet<i32>,
    }

    #[derive(Default, Clone, Debug, PartialEq, archive::Serialize, serde::Serialize)]
    struct UnitStruct;
    #[derive(Default, Clone, Debug, PartialEq, archive::Serialize, serde::Serialize)]
    struct Newtype(i32);
    #[derive(Default, Clone, Debug, PartialEq, archive::Serialize, serde::Serialize)]
    struct Pair(i32, String);
    #[derive(Clone, Debug, PartialEq, archive::Serialize, serde::Serialize)]
    enum Choice {
        Unit,
        Newtype(u8),
        Tuple(u8, String),
        Struct { a: u8 },
        EmptyTuple(),
        EmptyStruct {},
    }

    pub(crate) fn value() -> impl Strategy<Value = Value> {
        let choice = prop_oneof![
            Just(Choice::Unit),
            any::<u8>().prop_map(Choice::Newtype),
            any::<(u8, String)>().prop_map(|(a, b)| Choice::Tuple(a, b)),
            any::<u8>().prop_map(|a| Choice::Struct { a }),
            Just(Choice::EmptyTuple()),
            Just(Choice::EmptyStruct {}),
        ];
        (
            any::<(u64, i128, f32, f64, String, char)>(),
            vec(any::<Option<String>>(), 0..4),
            any::<((i8, bool), [u16; 2], i32, (i32, String))>(),
            vec(choice, 0..4),
            any::<(u32, u32)>(),
            btree_set(any::<i32>(), 0..4),
        )
            .prop_map(
                |((a, b, c, d, text, letter), list, (tuple, array, n, p), choice, t, set)| Value {
                    a,
                    b,
                    c,
                    d,
                    text,
                    letter,
                    list,
                    tuple,
                    array,
                    empty: Vec::new(),
                    unit: (),
                    unit_struct: UnitStruct,
                    newtype: Newtype(n),
                    pair: Pair(p.0, p.1),
                    choice,
                    duration: Duration::new(t.0.into(), t.1 % 1_000_000_000),
                    set,
                },
            )
    }
}

#[test]
fn hash_maps_are_written_in_the_order_of_their_keys() {
    let map: HashMap<i32, bool> = [3, -1, 200, 0, -70_000].into_iter().map(|k| (k, true)).collect();
    let text = json::to_string(&map).unwrap();
    assert_eq!(text, "[[-70000,true],[-1,true],[0,true],[3,true],[200,true]]");
    let set: HashSet<String> = ["b", "a\0", "a", "", "ab"].into_iter().map(Into::into).collect();
    assert_eq!(json::to_string(&set).unwrap(), r#"["","a","a\u0000","ab","b"]"#);
}

#[test]
fn maps_load_from_objects_too() {
    let map: BTreeMap<String, u8> = json::from_str(r#"{"b":1,"$$a":2,"":3}"#).unwrap();
    assert_eq!(map, BTreeMap::from([("b".into(), 1), ("$a".into(), 2), (String::new(), 3)]));
    let map: HashMap<i16, Vec<u8>> = json::from_str(r#"{"-4":[1],"30":[]}"#).unwrap();
    assert_eq!(map, HashMap::from([(-4, vec![1]), (30, vec![])]));
    let nested: BTreeMap<char, BTreeMap<bool, u8>> =
        json::from_str(r#"{"x":{"true":1},"y":[[false,2]]}"#).unwrap();
    assert_eq!(nested[&'x'][&true] + nested[&'y'][&false], 3);
    let error = json::from_str::<BTreeMap<u8, u8>>(r#"{"300":1}"#).unwrap_err();
    assert_eq!((error.kind(), error.path()), (archive::ErrorKind::OutOfRange, "300"), "{error}");
    for twice in [r#"{"a":1,"a":2}"#, r#"[["a",1],["a",2]]"#] {
        let error = json::from_str::<BTreeMap<String, u8>>(twice).unwrap_err();
        assert_eq!(error.kind(), archive::ErrorKind::DuplicateMember, "{error}");
    }
}

#[test]
fn elements_never_keep_another_elements_members() {
    #[derive(Default, Debug, PartialEq, Serialize)]
    struct Item {
        a: u8,
        b: u8,
        #[archive(skip)]
        cache: u8,
    }
    let mut list = vec![Item { a: 1, b: 2, cache: 3 }, Item::default(), Item::default()];
    json::load_into(&mut list, br#"[{"a":9},{"b":8}]"#).unwrap();
    let expected = vec![Item { a: 9, b: 0, cache: 0 }, Item { a: 0, b: 8, cache: 0 }];
    assert_eq!(list, expected);
    let mut some = Some(Box::new(Item { a: 1, b: 2, cache: 3 }));
    json::load_into(&mut some, br#"{"a":9}"#).unwrap();
    assert_eq!(some.unwrap().b, 0);
    // A struct that is not an element keeps the members that the file lacks.
    let mut item = Item { a: 1, b: 2, cache: 3 };
    json::load_into(&mut item, br#"{"a":9}"#).unwrap();
    assert_eq!(item, Item { a: 9, b: 2, cache: 3 });
}

#[test]
fn wrong_lengths() {
    for format in forgiving() {
        let three = format.to_vec(&[1_u8, 2, 3]).unwrap();
        for error in [
            format.from_slice::<[u8; 2]>(&three).unwrap_err(),
            format.from_slice::<[u8; 4]>(&three).unwrap_err(),
            format.from_slice::<(u8, u8)>(&three).unwrap_err(),
        ] {
            assert_eq!(error.kind(), archive::ErrorKind::WrongLength, "{format}: {error}");
        }
        assert_eq!(format.from_slice::<Vec<u16>>(&three).unwrap(), [1, 2, 3], "{format}");
    }
}
