//! Searches: any values, and any sequence of good and damaged rows.

use std::fmt::Debug;

use proptest::prelude::*;

use super::{NewSquad, NewUnit, Squad, State, Unit, kept, options, squad};
use crate::common::damage::damaged;
use crate::common::everything::{Everything, Seed, everything};
use crate::common::report_of;
use crate::common::search::config;
use archive::binary::bare;
use archive::binary::rows::{self, Reader, RowTypes, Writer};
use archive::{Options, Save, Serialize, Value};

fn units() -> impl Strategy<Value = Unit> {
    let state =
        prop_oneof![Just(State::Idle), any::<u32>().prop_map(|target| State::Attacking { target })];
    let orders = proptest::collection::vec(any::<u32>(), 0..5);
    (any::<String>(), any::<u16>(), any::<[i16; 2]>(), state, orders).prop_map(
        |(name, hp, at, state, orders)| Unit { name, hp, at: at.map(f32::from), state, orders },
    )
}

/// Loads a row with a reader that was used before and with a new one.
fn same<T: Default + Serialize + Save>(
    reader: &mut Reader,
    row: &[u8],
    options: &Options<'_>,
    report: bool,
) {
    let given = options.clone().provide(reader.types().clone());
    let (mut one, mut other) = (T::default(), T::default());
    let (one_end, other_end) = if report {
        let text = |report: archive::Report| report.to_string();
        (
            reader.load_into_report(&mut one, row, options).map(text),
            report_of(&given, |options| rows::load_into_with(&mut other, row, options)).map(text),
        )
    } else {
        (
            reader.load_into(&mut one, row, options).map(|()| String::new()),
            rows::load_into_with(&mut other, row, &given).map(|()| String::new()),
        )
    };
    let text = |end: Result<String, archive::Error>| end.map_err(|error| error.to_string());
    let ok = one_end.is_ok();
    assert_eq!(text(one_end), text(other_end));
    if ok {
        let bytes = |value: &T| bare::to_vec_with(value, options).map_err(|e| e.to_string());
        assert_eq!(bytes(&one), bytes(&other));
    }
}

fn round_trip<T: Serialize + Save + archive::Element + Debug + PartialEq>(value: &T) {
    let (types, options) = (kept::<T>(), Options::new());
    let row = rows::to_vec(value).unwrap();
    assert_eq!(row, bare::to_vec(value).unwrap());
    let (mut out, mut writer) = (Vec::new(), Writer::new());
    for _ in 0..2 {
        let start = out.len();
        writer.append(&mut out, value, &options).unwrap();
        assert_eq!(out[start..], row);
    }
    let mut reader = Reader::new(&types);
    for _ in 0..2 {
        let loaded: T = reader.load(&row, &options).unwrap();
        assert_eq!(&loaded, value);
        assert_eq!(rows::to_vec(&loaded).unwrap(), row);
        let tree: Value = reader.load(&row, &options).unwrap();
        assert_eq!(
            tree,
            rows::from_slice_with(&row, &Options::new().provide(types.clone())).unwrap()
        );
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn any_unit_comes_back(unit in units()) {
        round_trip(&unit);
        let row = rows::to_vec(&unit).unwrap();
        let new: NewUnit = Reader::new(&kept::<Unit>()).load(&row, &Options::new()).unwrap();
        prop_assert_eq!((new.name, new.hp, new.mood), (unit.name, u32::from(unit.hp), 3));
    }

    #[test]
    fn everything_comes_back(
        number in any::<u64>(),
        signed in any::<i64>(),
        text in any::<String>(),
        list in proptest::collection::vec(any::<String>(), 0..4),
        bytes in proptest::collection::vec(any::<u8>(), 0..9),
    ) {
        let seed = Seed { number, signed, text, list, bytes, foreign: false };
        let value: Everything = everything(&seed);
        round_trip(&value);
    }

    /// A used reader loads the same as a new one, with the same errors and notes.
    #[test]
    fn a_reader_is_as_good_as_new(
        loads in proptest::collection::vec(
            (any::<u16>(), 0..4_u8, any::<(bool, bool)>(),
             proptest::collection::vec((any::<usize>(), any::<u8>()), 0..3), any::<usize>(), 0..5_usize),
            1..12,
        ),
    ) {
        let options = options().max_empty_elements(256);
        let going = options.clone().keep_going(true);
        let (mut units, mut squads) = (Reader::new(&kept::<Unit>()), Reader::new(&kept::<Squad>()));
        for (number, what, (report, goes), flips, cut, damage) in loads {
            let options = if goes { &going } else { &options };
            let unit = rows::to_vec(&super::unit(number)).unwrap();
            let squad = rows::to_vec_with(&squad(number), options).unwrap();
            let pick = |row: Vec<u8>| match damage {
                0..3 => damaged(&row, &flips, cut)[damage].clone(),
                _ => row,
            };
            match what {
                0 => same::<Unit>(&mut units, &pick(unit), options, report),
                1 => same::<NewUnit>(&mut units, &pick(unit), options, report),
                2 => same::<Squad>(&mut squads, &pick(squad), options, report),
                _ => same::<NewSquad>(&mut squads, &pick(squad), options, report),
            }
        }
    }

    /// Any bytes as types, and any types for a row: an error or a value.
    #[test]
    fn damaged_types_end_in_a_value_or_an_error(
        flips in proptest::collection::vec((any::<usize>(), any::<u8>()), 0..4),
        cut in any::<usize>(),
        other in proptest::collection::vec(any::<u8>(), 0..40),
    ) {
        let options = options().max_empty_elements(256);
        let row = rows::to_vec_with(&squad(3), &options).unwrap();
        let kept = RowTypes::of::<Squad>().unwrap().to_bytes();
        let random = [&[1], &other[..]].concat();
        for bytes in damaged(&kept, &flips, cut).into_iter().chain([random]) {
            let Ok(types) = RowTypes::from_bytes(&bytes) else { continue };
            let mut reader = Reader::new(&types);
            prop_assert_eq!(RowTypes::from_bytes(&types.to_bytes()).unwrap().to_bytes(), types.to_bytes());
            for row in [&row[..], &other, &[&[0], &other[..]].concat(), &[0; 300]] {
                let _ = reader.load::<Squad>(row, &options);
                let _ = reader.load::<NewUnit>(row, &options);
                let _ = reader.load::<Value>(row, &options);
            }
        }
    }
}
