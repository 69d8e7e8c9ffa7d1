//! Files with columns that nothing wrote.

use crate::common::search::config;
use archive::Value;
use archive::binary::Document;
use archive::binary::columns::{self, Columns};
use archive::format::Backend;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{all_lists, check};
use archive::binary::Binary;

use super::data;
use archive::{Element, Options};
use std::collections::BTreeMap;
use std::fmt::Debug;

type Rows = Vec<(Option<u32>, String, Vec<Option<i64>>, Result<u16, String>)>;

fn rows() -> Rows {
    let row = |at: u32| {
        let list =
            (0..at % 4).map(|inner| (inner > 0).then_some(i64::MIN + i64::from(at))).collect();
        let choice =
            if at.is_multiple_of(3) { Err("x".repeat(at as usize % 9)) } else { Ok(at as u16) };
        (at.checked_sub(30), format!("text {at}"), list, choice)
    };
    (0..90).map(row).collect()
}

/// Loads in every way. Nothing panics, and the rows are at most 32 times as long.
fn load<T: Element + PartialEq + Debug>(file: &[u8]) {
    if let Ok(rows) = columns::to_rows(file) {
        assert!(rows.len() <= 64 + 32 * file.len());
    }
    let loaded = Binary::from_slice::<T>(file);
    assert!(loaded.is_err() || Columns::from_slice::<Value>(file).is_ok());
    match (loaded, Columns::from_slice::<T>(file)) {
        (Ok(loaded), direct) => assert_eq!(direct.unwrap(), loaded),
        // Without rows, nothing depends on their length.
        (Err(error), Ok(_)) => {
            assert!(error.message().contains("the rows of the columns"), "{error}")
        }
        (Err(_), Err(_)) => {}
    }
    drop(Document::from_slice(file));
    drop(archive::binary::inspect(file));
}

fn with_data(file: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut changed = data(file).to_vec();
    change(&mut changed);
    let mut all = [&file[..6], &changed, &file[6 + data(file).len()..]].concat();
    let (footer, total) = (all.len() - 8, all.len() as u64);
    all[footer..].copy_from_slice(&total.to_le_bytes());
    all
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn damage_is_an_error_or_another_value(
        all in any::<bool>(),
        flips in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in proptest::option::of(any::<prop::sample::Index>()),
        inserted in vec(any::<u8>(), 0..3),
    ) {
        let file = check(&rows());
        let file = if all { all_lists(&columns::to_rows(&file).unwrap()) } else { file };
        load::<Rows>(&with_data(&file, |data| {
            for (at, with) in &flips {
                let at = at.index(data.len());
                data[at] = *with;
            }
            if let Some(cut) = cut {
                let cut = cut.index(data.len());
                data.splice(cut..cut, inserted);
            }
        }));
        let mut whole = file.clone();
        for (at, with) in flips {
            let at = at.index(whole.len());
            whole[at] = with;
        }
        load::<Rows>(&whole);
    }
}

/// Numbers that are not characters, and texts that end inside of a character.
#[test]
fn no_value_is_made_up() {
    let row = |at: u32| {
        let char = char::from_u32(0xd700 + at).unwrap();
        let text = if at.is_multiple_of(2) { char.to_string() } else { "\u{e9}".to_owned() };
        (char, text, vec![char; at as usize % 4])
    };
    let file = check(&(0..100).map(row).collect::<Vec<_>>());
    for at in 0..data(&file).len() {
        let byte = data(&file)[at];
        for with in [0, 1, 2, 0x80, 0xb0, 0xc3, 0xff, byte.rotate_left(1), byte.reverse_bits()] {
            load::<Vec<(char, String, Vec<char>)>>(&with_data(&file, |data| data[at] = with));
        }
    }
}

#[test]
fn every_truncation_is_an_error() {
    let file = check(&rows());
    for len in 0..file.len() {
        Binary::from_slice::<Rows>(&file[..len]).unwrap_err();
    }
    for len in 0..data(&file).len() {
        Binary::from_slice::<Rows>(&with_data(&file, |data| data.truncate(len))).unwrap_err();
    }
}

/// A file whose data are these bytes. Its root has the type of `rows`.
fn forged(forged: &[u8]) -> String {
    let file = with_data(&check(&rows()), |data| *data = forged.to_vec());
    Columns::from_slice::<Rows>(&file).unwrap_err().to_string()
}

#[test]
fn lengths_that_cannot_be() {
    let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    assert!(forged(&most).contains("the input"), "{}", forged(&most));
    // 100 rows; a run of 2^63 bytes.
    assert!(forged(&[&[100], &most[..]].concat()).contains("ends in the middle"));
    // No run; a block of a type that is not there, and one with too many entries.
    assert!(forged(&[100, 0, 0xff, 1, 64]).contains("there is no such block"));
    assert!(forged(&[100, 0, 33, 0x81, 0x80, 4]).contains("there is no such block"));
    // Blocks of values without bytes, or of plain numbers, would cost time and no bytes.
    assert!(forged(&[100, 0, 0, 64]).contains("there is no such block"));
    assert!(forged(&[100, 0, 2, 64]).contains("there is no such block"));
    // The column of the options has a width that does not exist.
    assert!(forged(&[100, 0, 33, 64, 3, 0]).contains("3 bits"));
    // 64-bit numbers from 2^60 on in one bit each would be 80 times as long as rows.
    let text = forged(&[100, 0, 4, 8, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10, 0]);
    assert!(text.contains("1 bits"), "{text}");
}

#[test]
fn blocks_without_entries() {
    let file = check(&vec!["text".to_owned(); 64]);
    // The run of a byte is the number of texts.
    let more = with_data(&file, |data| {
        let at = data.iter().position(|byte| *byte == 64).unwrap() + 1;
        data.splice(at..at, [15, 0, 0].repeat(1000));
    });
    let message = "there is no such block";
    assert_eq!(columns::to_rows(&more).unwrap_err().message(), message);
    let error = Columns::from_slice::<Vec<String>>(&more).unwrap_err();
    assert_eq!(error.message(), message);
}

/// A variant that does not occur takes no bytes, so it takes no memory either.
#[test]
fn payloads_are_those_that_occur() {
    let file = check(&rows());
    let wrong = "the payloads of an enum";
    let Some(at) = data(&file).windows(4).rposition(|bytes| bytes[0] == 2 && bytes[1] == 0) else {
        panic!("two payloads");
    };
    for change in [[2, 1], [2, 7]] {
        let file = with_data(&file, |data| data[at..at + 2].copy_from_slice(&change));
        let error = columns::to_rows(&file).unwrap_err();
        assert!(error.message().contains(wrong) || error.message().contains("block"), "{error}");
    }
}

/// Lists of items that take no bytes, whose lengths are 2^24 and more.
#[test]
fn long_lists_of_nothing() {
    type Hollow = Vec<(String, Vec<()>)>;
    let value: Hollow = (0..64).map(|at| (format!("text {at}"), vec![(); at % 3])).collect();
    let file = Columns::to_vec(&value).unwrap();
    let lengths = data(&file).len() - (2 + 16 + 1);
    assert_eq!(data(&file)[lengths..][..2], [2, 0], "the lengths are the last column");
    for (width, size) in [(2, 16), (32, 256), (64, 512)] {
        let forged = with_data(&file, |data| {
            data.truncate(lengths);
            data.extend([width, 0x80, 0x80, 0x80, 0x80, 8]);
            data.extend(vec![0; size + 1]);
        });
        let error = Columns::from_slice::<Hollow>(&forged).unwrap_err().to_string();
        assert!(error.contains("no bytes") || error.contains("bits"), "{error}");
        assert!(Binary::from_slice::<Hollow>(&forged).is_err());
    }
}

/// A number of 128 bits has the bytes that it needs, and no others.
#[test]
fn wide_numbers_are_one_number_each() {
    type Wide = Vec<(u128, u128, String)>;
    let value: Wide = (0..64).map(|at| (5, 7, format!("text {at}"))).collect();
    let file = check(&value);
    let run: Vec<u8> = [vec![1, 1], vec![0; 8], vec![64], vec![5; 64]].concat();
    let at = data(&file).windows(run.len()).position(|part| *part == *run).unwrap();
    let forged = with_data(&file, |data| {
        let two = [vec![1, 2], vec![0; 8], vec![0x80, 1], [5, 7].repeat(64)].concat();
        let none = [vec![1, 0], vec![0; 8], vec![0]].concat();
        data.splice(at..at + 2 * run.len(), [two, none].concat());
    });
    assert!(Columns::from_slice::<Wide>(&forged).is_err());
    assert!(Binary::from_slice::<Wide>(&forged).is_err());
}

/// The same limits stop the load at the same place.
#[test]
fn limits_have_the_same_paths() {
    type Row = (String, Vec<(u8, u16)>, BTreeMap<u8, Option<Vec<u8>>>, [[u8; 2]; 2], Vec<()>);
    let row = |at: u8| -> Row {
        let pairs = (0..at % 4).map(|item| (item, u16::from(at) * 300)).collect();
        let map = (0..at % 3).map(|key| (key, key.checked_sub(1).map(|len| vec![at; len.into()])));
        (format!("text {at}"), pairs, map.collect(), [[at; 2]; 2], vec![(); (at % 2).into()])
    };
    let value: (u8, Vec<Row>) = (1, (0..70).map(row).collect());
    let file = check(&value);
    let load = |options: &Options<'_>| {
        let rows = Binary::from_slice_with::<(u8, Vec<Row>)>(&file, options);
        let columns = Columns::from_slice_with::<(u8, Vec<Row>)>(&file, options);
        let text = |error: archive::Error| (error.path().to_string(), error.message().to_owned());
        assert_eq!(rows.map_err(text), columns.map_err(text));
    };
    (0..1200).for_each(|most| load(&Options::new().max_elements(most)));
    (0..40).for_each(|most| load(&Options::new().max_empty_elements(most)));
    (0..9).for_each(|most| load(&Options::new().max_depth(most)));
}
