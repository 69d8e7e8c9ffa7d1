//! Structs of numbers, which are written and read by a plan of the bytes before each number. The
//! bytes are those of any struct, and other forms in the file load, too.

use crate::common::{MessagePack, bytes, hex};
use archive_core::{Backend, ErrorKind, Options};
use archive_test_support::search::config;
use proptest::prelude::*;

macro_rules! data {
    ($($item:item)*) => { $(
        #[derive(Clone, Debug, Default, PartialEq, archive_derive::Serialize)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[archive(crate = archive_core)]
        $item
    )* };
}

data! {
    #[derive(Copy)]
    struct Place {
        x: f32,
        y: f64,
    }

    #[derive(Copy)]
    struct Unit {
        place: Place,
        alive: bool,
        small: (u8, i8),
        medium: (u16, i16),
        large: [u32; 2],
        signed: [i32; 2],
        a_name_of_27_letters_in_all: u64,
        sum: i64,
    }

    struct Army {
        units: Vec<Unit>,
        leader: Unit,
        flags: Vec<bool>,
        heights: Vec<f32>,
        depths: Vec<f64>,
        bytes: Vec<u8>,
        shorts: Vec<u16>,
        words: Vec<u32>,
        longs: Vec<u64>,
        signed: (Vec<i8>, Vec<i16>, Vec<i32>, Vec<i64>),
        pairs: std::collections::BTreeMap<u16, Place>,
        grid: Vec<[u8; 3]>,
    }
}

/// Integers of all lengths.
fn any_long() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0..64_u32).prop_map(|(value, shift)| value >> shift)
}

fn any_signed() -> impl Strategy<Value = i64> {
    (any::<i64>(), 0..64_u32).prop_map(|(value, shift)| value >> shift)
}

fn float() -> impl Strategy<Value = f32> {
    any::<i16>().prop_map(|value| f32::from(value) / 7.0)
}

fn unit() -> impl Strategy<Value = Unit> {
    (float(), any_long(), any_signed()).prop_map(|(x, long, signed)| Unit {
        place: Place { x, y: f64::from(x) * 3.0 },
        alive: long % 2 == 0,
        small: (long as u8, signed as i8),
        medium: (long as u16, signed as i16),
        large: [long as u32, (long >> 7) as u32],
        signed: [signed as i32, (signed >> 9) as i32],
        a_name_of_27_letters_in_all: long,
        sum: signed,
    })
}

fn army() -> impl Strategy<Value = Army> {
    let units = prop::collection::vec(unit(), 0..20);
    let longs = prop::collection::vec(any_long(), 0..20);
    let signed = prop::collection::vec(any_signed(), 0..20);
    (units, unit(), longs, signed).prop_map(|(units, leader, longs, signed)| Army {
        flags: longs.iter().map(|long| long % 3 == 0).collect(),
        heights: units.iter().map(|unit| unit.place.x).collect(),
        depths: units.iter().map(|unit| unit.place.y).collect(),
        bytes: longs.iter().map(|long| *long as u8).collect(),
        shorts: longs.iter().map(|long| *long as u16).collect(),
        words: longs.iter().map(|long| *long as u32).collect(),
        signed: (
            signed.iter().map(|value| *value as i8).collect(),
            signed.iter().map(|value| *value as i16).collect(),
            signed.iter().map(|value| *value as i32).collect(),
            signed.clone(),
        ),
        pairs: units.iter().map(|unit| (unit.medium.0, unit.place)).collect(),
        grid: units.iter().map(|unit| [unit.small.0, 1, 200]).collect(),
        units,
        leader,
        longs,
    })
}

proptest! {
    #[test]
    fn the_bytes_are_those_of_rmp_serde(army in army()) {
        let file = MessagePack::to_vec(&army).unwrap();
        prop_assert_eq!(hex(&file), hex(&rmp_serde::to_vec_named(&army).unwrap()));
        let loaded: Army = MessagePack::from_slice(&file).unwrap();
        prop_assert_eq!(&loaded, &army);
        let arrays = rmp_serde::to_vec(&army).unwrap();
        prop_assert_eq!(&MessagePack::from_slice::<Army>(&arrays).unwrap(), &army);
        let mut there = Army { units: vec![Unit::default(); 3], longs: vec![9; 30], ..army.clone() };
        MessagePack::load_into(&mut there, &file, &Options::new()).unwrap();
        prop_assert_eq!(&there, &army);
    }
}

proptest! {
    #![proptest_config(config(80))]

    #[test]
    fn truncated_structs_are_errors(army in army()) {
        let file = MessagePack::to_vec(&army).unwrap();
        for len in 0..file.len() {
            let error = MessagePack::from_slice::<Army>(&file[..len]).unwrap_err();
            prop_assert_eq!(error.kind(), ErrorKind::UnexpectedEnd, "{} of {}", len, file.len());
        }
    }
}

/// A list with one element in another form, in the middle of others and at the end.
fn among_others(odd: &str) -> [Vec<u8>; 2] {
    let plain = bytes("82 a1 78 ca 3f 80 00 00 a1 79 cb 40 00 00 00 00 00 00 00");
    let odd = bytes(odd);
    [[&[0x93], &*plain, &*odd, &*plain].concat(), [&[0x93], &*plain, &*plain, &*odd].concat()]
}

#[test]
fn other_forms_are_read_value_by_value() {
    let plain = Place { x: 1.0, y: 2.0 };
    for (odd, place) in [
        ("82 a1 79 cb 40 00 00 00 00 00 00 00 a1 78 ca 3f 80 00 00", plain), // in another order
        ("82 a1 78 cb 3f f0 00 00 00 00 00 00 a1 79 ca 40 00 00 00", plain), // of other widths
        ("82 a1 78 01 a1 79 cc 02", plain),
        ("83 a1 78 01 a1 7a 93 01 02 03 a1 79 02", plain), // with one that nobody knows
        ("81 a1 79 02", Place { x: 0.0, y: 2.0 }),
        ("92 ca 3f 80 00 00 02", plain),
        ("de 00 02 d9 01 78 01 da 00 01 79 02", plain), // in other headers
        ("82 a1 78 01 a1 79 a3 69 6e 66", Place { x: 1.0, y: f64::INFINITY }),
        ("82 a3 24 69 64 01 a6 24 76 61 6c 75 65 82 a1 78 01 a1 79 02", plain), // in a pointer
    ] {
        for file in among_others(odd) {
            let loaded: Vec<Place> = MessagePack::from_slice(&file).unwrap();
            assert_eq!(loaded.len(), 3, "{odd}");
            assert!(loaded.contains(&place) && loaded[0] == plain, "{odd}: {loaded:?}");
        }
    }
}

#[test]
fn errors_name_the_place_in_the_file() {
    for (odd, expected) in [
        ("82 a1 78 c3 a1 79 02", "[1].x: expected f32, found true at byte 23 in `Place`"),
        ("82 a1 78 01 a1 78 02", "[1]: duplicate member \"x\" at byte 25 in `Place`"),
        ("05", "[1]: expected an object, found 5 at byte 20"),
    ] {
        let [file, _] = among_others(odd);
        let error = MessagePack::from_slice::<Vec<Place>>(&file).unwrap_err();
        assert_eq!(error.to_string(), expected, "{odd}");
    }
    let shorts = bytes("93 01 cd 01 00 02");
    let error = MessagePack::from_slice::<Vec<u8>>(&shorts).unwrap_err();
    assert_eq!(error.to_string(), "[1]: 256 does not fit u8 at byte 2");
}

/// The members of an object in every order, and with others among them.
#[test]
fn members_in_any_order() {
    data! {
        struct Mixed {
            name: String,
            count: u32,
            list: Vec<String>,
            a_name_of_thirty_three_letters_xx: bool,
        }
    }
    let value = Mixed {
        name: "Ann".into(),
        count: 70_000,
        list: vec!["a".into()],
        a_name_of_thirty_three_letters_xx: true,
    };
    let members = [
        [&b"\xa4name\xa3Ann"[..]].concat(),
        [&b"\xa5count\xce\x00\x01\x11\x70"[..]].concat(),
        [&b"\xa4list\x91\xa1a"[..]].concat(),
        [&b"\xd9\x21a_name_of_thirty_three_letters_xx\xc3"[..]].concat(),
        [&b"\xa7unknown\x82\x01\x02\x03\x90"[..]].concat(),
        [&b"\xa6others\x01"[..]].concat(),
    ];
    let file = |order: &[usize]| {
        let mut file = vec![0x80 | order.len() as u8];
        order.iter().for_each(|index| file.extend_from_slice(&members[*index]));
        file
    };
    assert_eq!(MessagePack::to_vec(&value).unwrap(), file(&[0, 1, 2, 3]));
    for turn in 0..6 {
        let order: Vec<usize> = (0..6).map(|index| (index * 5 + turn) % 6).collect();
        assert_eq!(MessagePack::from_slice::<Mixed>(&file(&order)).unwrap(), value, "{order:?}");
    }
    // The same name twice, known or not.
    for order in [&[0, 1, 0][..], &[4, 0, 1, 2, 3, 4], &[4, 5, 4, 0]] {
        let error = MessagePack::from_slice::<Mixed>(&file(order)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{order:?}: {error}");
    }
    let late = [&[0x82][..], &members[0], b"\xa8$version\x01"].concat();
    let error = MessagePack::from_slice::<Mixed>(&late).unwrap_err();
    assert_eq!(
        error.to_string(),
        "$version: the object has a version, and the type of the program has none at byte 11 in `Mixed`"
    );
}

#[test]
fn nesting_is_bounded_in_a_block_as_elsewhere() {
    let file = MessagePack::to_vec(&vec![Unit::default(); 2]).unwrap();
    let load = |depth| {
        let options = Options::new().max_depth(depth);
        MessagePack::from_slice_with::<Vec<Unit>>(&file, &options)
    };
    // A list, an object, and one inside of it, or an array.
    assert_eq!(load(1).unwrap().len(), 2);
    assert_eq!(load(0).unwrap_err().kind(), ErrorKind::DepthLimit);
    // Members that are not loaded are not saved, either.
    let save = |depth| {
        let options = Options::new().max_depth(depth);
        MessagePack::to_vec_with(&vec![Unit::default(); 2], &options)
    };
    assert_eq!(save(1).unwrap(), file);
    assert_eq!(save(0).unwrap_err().kind(), ErrorKind::DepthLimit);
    let nested = vec![[[1.0_f32; 2]; 1]];
    let nested = |depth| MessagePack::to_vec_with(&nested, &Options::new().max_depth(depth));
    assert!(nested(1).is_ok());
    assert_eq!(nested(0).unwrap_err().kind(), ErrorKind::DepthLimit);
}
