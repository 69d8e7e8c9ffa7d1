//! Random values have the same rows after they were columns.

use std::collections::BTreeMap;

use crate::common::search::config;
use crate::common::uncounted::Uncounted;
use archive::binary::Binary;
use archive::binary::columns::Columns;
use archive::format::Backend;
use archive::{Options, Serialize};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::check;

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Row {
    small: (u8, i8, bool, char),
    unsigned: (u16, u32, u64, u128),
    signed: (i16, i32, i64, i128),
    plain: [u64; 2],
    floats: (f32, f64),
    text: String,
    maybe: Option<Option<i16>>,
    list: Vec<(u32, String)>,
    blocks: Vec<[u16; 3]>,
    map: BTreeMap<i64, Option<String>>,
    choice: Choice,
    nothing: (),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
enum Choice {
    None,
    One(i64),
    Named { at: u16, name: String },
    Inner(Option<Small>),
    All(Vec<(u8, Small)>),
    Empty(()),
    Full([Small; 2], [(); 3], [u8; 0]),
}

/// Values of this type are columns up to a level, and rows inside of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
enum Nested {
    Leaf(Choice),
    Wrapped(Box<Nested>),
    List(Vec<Nested>),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
enum Small {
    A,
    B(bool),
    C { wide: i128 },
}

/// Numbers around a random one, and at the limits.
fn near(limits: bool) -> impl Strategy<Value = (u64, u32)> {
    let spread = if limits { 0..64_u32 } else { 0..12 };
    (prop_oneof![Just(0), Just(u64::MAX), any::<u64>(), 0..300_u64], spread)
}

fn small() -> impl Strategy<Value = Small> + Clone {
    prop_oneof![
        Just(Small::A),
        any::<bool>().prop_map(Small::B),
        any::<i128>().prop_map(|wide| Small::C { wide }),
    ]
}

fn choice() -> impl Strategy<Value = Choice> {
    prop_oneof![
        Just(Choice::None),
        any::<i64>().prop_map(Choice::One),
        (any::<u16>(), ".{0,4}").prop_map(|(at, name)| Choice::Named { at, name }),
        proptest::option::of(small()).prop_map(Choice::Inner),
        vec((any::<u8>(), small()), 0..4).prop_map(Choice::All),
        Just(Choice::Empty(())),
        [small(), small()].prop_map(|two| Choice::Full(two, [(); 3], [])),
    ]
}

fn nested() -> impl Strategy<Value = Nested> {
    choice().prop_map(Nested::Leaf).prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Nested::Wrapped(inner.into())),
            vec(inner, 0..3).prop_map(Nested::List),
        ]
    })
}

/// A row whose values are all taken from columns at once, if the feature `columns` is on.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Taken {
    tuple: Pair,
    inner: Inner<Vec<i16>>,
    letters: Vec<char>,
    flags: Vec<bool>,
    numbers: (Vec<u8>, Vec<i64>, Vec<f32>, Vec<usize>),
    array: [u32; 3],
    names: Vec<Option<String>>,
    kind: Kind,
    payload: Payload,
    empty: Empty,
    nested: Option<Option<Vec<Payload>>>,
    sizes: (usize, isize),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Pair(u16, f64);

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Inner<T> {
    list: T,
    only: New,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct New(String);

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Empty;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
enum Kind {
    A,
    B,
    C,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
enum Payload {
    None,
    Text(String),
    Both(u8, Vec<Kind>),
    Named { inner: Inner<Option<i32>>, empty: Empty },
}

fn kind() -> impl Strategy<Value = Kind> + Clone {
    prop_oneof![Just(Kind::A), Just(Kind::B), Just(Kind::C)]
}

fn payload() -> impl Strategy<Value = Payload> {
    prop_oneof![
        Just(Payload::None),
        ".{0,80}".prop_map(Payload::Text),
        (any::<u8>(), vec(kind(), 0..70)).prop_map(|(number, kinds)| Payload::Both(number, kinds)),
        (any::<Option<i32>>(), "[a-z]{0,20}").prop_map(|(list, only)| Payload::Named {
            inner: Inner { list, only: New(only) },
            empty: Empty
        }),
    ]
}

prop_compose! {
    fn taken()(
        (small, float, texts) in (any::<u16>(), 0.0..9.0, ("[äöü]{0,9}", ".{0,40}")),
        list in vec(any::<i16>(), 0..9),
        letters in vec(any::<char>(), 0..5),
        flags in vec(any::<bool>(), 0..90),
        numbers in (vec(any::<u8>(), 0..200), vec(-9..9_i64, 0..4), vec(0.0..1.0_f32, 0..4), vec(any::<u32>(), 0..3)),
        array in any::<[u32; 3]>(),
        kinds in (kind(), payload()),
        nested in proptest::option::of(proptest::option::of(vec(payload(), 0..3))),
        sizes in (any::<u32>(), any::<i32>()),
    ) -> Taken {
        Taken {
            tuple: Pair(small, float),
            inner: Inner { list, only: New(texts.0.clone()) },
            letters,
            flags,
            numbers: (numbers.0, numbers.1, numbers.2, numbers.3.into_iter().map(|it| it as usize).collect()),
            array,
            names: vec![Some(texts.0), None, Some(texts.1)],
            kind: kinds.0,
            payload: kinds.1,
            empty: Empty,
            nested,
            sizes: (sizes.0 as usize, sizes.1 as isize),
        }
    }
}

prop_compose! {
    fn row()(
        small in any::<(u8, i8, bool, char)>(),
        (base, bits) in near(true),
        (low, few) in near(false),
        floats in any::<(f32, f64)>(),
        text in ".{0,9}",
        maybe in any::<Option<Option<i16>>>(),
        list in vec((any::<u32>(), "[a-c]{0,3}"), 0..4),
        blocks in vec(any::<[u16; 3]>(), 0..3),
        map in btree_map(any::<i64>(), proptest::option::of("x{0,3}"), 0..3),
        choice in choice(),
    ) -> Row {
        let number = base ^ (base.wrapping_mul(0x9e37_79b9_7f4a_7c15) & ((1_u64 << bits) - 1));
        let near = low.wrapping_add(number & ((1 << few) - 1));
        // Floats without NaN, which is not equal to itself.
        let floats = (f32::from_bits(floats.0.to_bits() & 0xbfff_ffff), f64::from_bits(floats.1.to_bits() & (u64::MAX >> 2)));
        Row {
            small,
            unsigned: (number as u16, near as u32, number, u128::from(number) << (bits % 65)),
            signed: (near as i16, number as i32, near as i64, i128::from(number.cast_signed())),
            plain: [number, near],
            floats,
            text,
            maybe,
            list,
            blocks,
            map,
            choice,
            nothing: (),
        }
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn rows_are_the_same(some in vec(row(), 1..40), times in 1..6_usize, limit in any::<bool>()) {
        let mut rows: Vec<Row> = some.iter().cloned().cycle().take(some.len() * times).collect();
        if limit {
            rows.resize(64, some[0].clone());
        }
        check(&rows);
        // In another list, and as entries of a map.
        check(&vec![rows.clone(), some]);
        check(&(0_u64..).zip(rows).collect::<BTreeMap<_, _>>());
    }

    #[test]
    fn values_taken_at_once_are_the_same(some in vec(taken(), 1..20), times in 1..9_usize) {
        let values: Vec<Taken> = some.iter().cloned().cycle().take(some.len() * times).collect();
        check(&values);
        check(&(1, vec![values, some]));
    }

    #[test]
    fn rows_inside_of_columns_are_the_same(some in vec(nested(), 1..30), times in 1..6_usize) {
        let values: Vec<Nested> = some.iter().cloned().cycle().take(some.len() * times).collect();
        check(&(some, values));
    }
}

/// Items that take no bytes count when they are saved, also if the list does not know its length.
#[test]
fn items_without_bytes_are_counted() {
    let value: Vec<_> = (0..64).map(|at| (format!("{at}"), Uncounted(vec![(); 3]))).collect();
    let save = |most| {
        let options = Options::new().max_empty_elements(most);
        let rows = Binary::to_vec_with(&value, &options).map_err(|error| error.kind());
        let columns = Columns::to_vec_with(&value, &options).map_err(|error| error.kind());
        assert_eq!(rows.is_ok(), columns.is_ok(), "{most}: {:?} {:?}", rows.err(), columns.err());
        columns.is_ok()
    };
    assert_eq!([191, 192].map(save), [false, true]);
}
