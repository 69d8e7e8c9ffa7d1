//! Values that take no bytes in the file and would be many values in memory.

use std::collections::BTreeMap;

use archive_core::{Backend, ErrorKind, Options, Report, Result, Value};
use archive_derive::Serialize;

use crate::common::Binary;
use crate::common::forged::{Entry, FIRST, Forged, put, with_data};

/// More empty elements than this are an error.
const MOST: u64 = 1 << 16;

fn refused<T: std::fmt::Debug>(loaded: Result<T>) {
    let error = loaded.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
    // Trees may exceed their memory limit first.
    let limits = ["max_empty_elements", "max_expansion"];
    assert!(limits.iter().any(|limit| error.to_string().contains(limit)), "{error}");
}

#[test]
fn elements_without_bytes() {
    let file = Binary::to_vec(&vec![(); 4]).unwrap();
    let huge = with_data(&file, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    let error = Binary::from_slice::<Vec<()>>(&huge).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
    assert_eq!(Binary::from_slice::<Value>(&huge).unwrap_err().kind(), ErrorKind::SizeLimit);
    // Many sequences that each announce less than the limit.
    let file = Binary::to_vec(&vec![vec![()]]).unwrap();
    let mut data = vec![0xe8, 7];
    data.extend([0xff, 0xff, 3].repeat(1000));
    let error = Binary::from_slice::<Vec<Vec<()>>>(&with_data(&file, &data)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Keeps {
    number: u8,
    #[archive(unknown)]
    rest: Vec<(String, Value)>,
}

/// Tables in which each type contains the previous one twice, starting with a type whose values
/// take no bytes.
fn doubling(levels: u64, entry: impl Fn(u64) -> Entry, hollow: Entry) -> (Vec<Entry>, u64) {
    let types = [hollow].into_iter().chain((0..levels).map(|i| entry(FIRST + i)));
    (types.collect(), FIRST + levels)
}

#[test]
fn types_without_bytes_contain_each_other_twice() {
    type Make = fn(u64) -> Entry;
    let pairs: Make = |inner| Entry::Tuple(vec![inner; 2]);
    let arrays: Make = |inner| Entry::Array(inner, 2);
    let classes: Make = |inner| Entry::Class(0, vec![(0, inner), (1, inner)]);
    for entry in [pairs, arrays, classes] {
        for hollow in [Entry::Tuple(Vec::new()), Entry::Class(0, Vec::new()), Entry::Array(3, 0)] {
            for levels in [20, 60] {
                let (mut types, top) = doubling(levels, entry, hollow.clone());
                let forged = Forged::new(&[], &types, top).names(&["a", "b"]);
                refused(Binary::from_slice::<Value>(&forged.file()));
                refused(archive_binary::inspect(&forged.file()));
                // In a member that a field of unknown members keeps.
                types.push(Entry::Class(0, vec![(0, top), (1, 2)]));
                let forged = Forged::new(&[7], &types, top + 1).names(&["a", "number"]);
                refused(Binary::from_slice::<Keeps>(&forged.file()));
                // Or in an item, in a pointer and in an object of a hand-written function.
                let items = [types.as_slice(), &[Entry::Seq(top + 1)]].concat();
                let forged = Forged::new(&[2, 1, 2], &items, top + 2).names(&["a", "number"]);
                refused(Binary::from_slice::<Vec<Keeps>>(&forged.file()));
                refused(Binary::from_slice::<Vec<Value>>(&forged.file()));
                let items = [types.as_slice(), &[Entry::Pointer(top + 1)]].concat();
                let forged = Forged::new(&[1, 7], &items, top + 2).names(&["a", "number"]);
                refused(Binary::from_slice::<Value>(&forged.objects(top + 1, [1]).file()));
                let by_hand = Forged { layouts: vec![top + 1], ..Forged::new(&[0, 7], &types, 21) };
                refused(Binary::from_slice::<Value>(&by_hand.names(&["a", "number"]).file()));
            }
        }
    }
}

/// Tables of packets that describe the types that do not follow from the requested type.
#[test]
fn packets() {
    #[derive(Debug, Default, Serialize)]
    #[archive(crate = archive_core)]
    struct Packet {
        value: Value,
    }
    // Exactly one type is implied: the class.
    let entry = |inner| Entry::Tuple(vec![inner + 1; 2]);
    let (types, top) = doubling(60, entry, Entry::Tuple(Vec::new()));
    let data = [14, 1];
    let forged = Forged { pointees: vec![(None, top + 1)], ..Forged::new(&data, &types, 0) };
    let other = archive_binary::fingerprint::to_vec(&Packet::default()).unwrap();
    refused(archive_binary::bare::from_slice::<Packet>(&forged.packet(&[])));
    refused(archive_binary::fingerprint::from_slice::<Packet>(&forged.packet(&other[..8])));
}

/// A class of a thousand members without bytes, and ten thousand objects of it.
#[test]
fn many_members_without_bytes() {
    let names: Vec<String> = (0..1000).map(|i| format!("{i:x}")).collect();
    let members = (0..1000).map(|i| (i, 0)).collect();
    let types = [Entry::Seq(FIRST + 1), Entry::Class(0, members)];
    let mut data = Vec::new();
    put(&mut data, 10_000);
    let forged = Forged { names: names.clone(), ..Forged::new(&data, &types, FIRST) };
    refused(Binary::from_slice::<Value>(&forged.file()));
    refused(Binary::from_slice::<Vec<Keeps>>(&forged.file()));
    refused(Binary::from_slice::<Vec<BTreeMap<String, ()>>>(&forged.file()));
    // The same of objects that take a byte each.
    let members = (0..1000).map(|i| (i, if i == 0 { 2 } else { 0 })).collect();
    let types = [Entry::Seq(FIRST + 1), Entry::Class(0, members)];
    data.resize(10_002, 1);
    let forged = Forged { names, ..Forged::new(&data, &types, FIRST) };
    refused(Binary::from_slice::<Value>(&forged.file()));
    refused(Binary::from_slice::<Vec<Keeps>>(&forged.file()));
    refused(Binary::from_slice::<Vec<BTreeMap<String, Value>>>(&forged.file()));
}

/// The size of a requested value follows from the type of the program, however often it is in the
/// file.
#[test]
fn requested_values() {
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    #[archive(crate = archive_core)]
    struct Saved {
        unit: (),
        number: u8,
        pair: ((), ()),
        list: [(); 3],
    }
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    #[archive(crate = archive_core)]
    struct Loaded {
        list: [(); 3],
        pair: ((), ()),
        number: u16,
        unit: (),
    }
    let count = 3 * MOST as usize;
    let file = Binary::to_vec(&vec![Saved { number: 1, ..Saved::default() }; count]).unwrap();
    let loaded: Vec<Loaded> = Binary::from_slice(&file).unwrap();
    assert!(loaded.len() == count && loaded.iter().all(|item| item.number == 1));
    let map: BTreeMap<u32, ((), ())> = (0..count as u32).map(|key| (key, ((), ()))).collect();
    let file = Binary::to_vec(&map).unwrap();
    let loaded: BTreeMap<u64, ((), ())> = Binary::from_slice(&file).unwrap();
    assert_eq!(loaded.len(), count);
}

/// Values that are skipped and read later count once.
#[test]
fn members_in_another_order() {
    #[derive(Debug, Default, Serialize)]
    #[archive(crate = archive_core)]
    struct Saved {
        units: Vec<()>,
        number: u8,
    }
    #[derive(Debug, Default, Serialize)]
    #[archive(crate = archive_core)]
    struct Loaded {
        number: u8,
        units: Vec<()>,
    }
    let count = MOST as usize * 3 / 4;
    let file = Binary::to_vec(&Saved { units: vec![(); count], number: 1 }).unwrap();
    let loaded: Loaded = Binary::from_slice(&file).unwrap();
    assert_eq!(loaded.units.len(), count);
    let (saved, _): (Saved, Report) = Binary::from_slice_report(&file, &Options::new()).unwrap();
    assert_eq!(saved.units.len(), count);
    let less = Options::new().max_empty_elements(count as u64 - 1);
    refused(Binary::from_slice_with::<Loaded>(&file, &less));
}

/// Lists with more items than a 32-bit platform can count are not truncated to the low bits of
/// their length.
#[test]
#[cfg(target_pointer_width = "32")]
fn more_elements_than_the_platform_counts() {
    use archive_core::{Decoder as _, Encoder as _, Shape};

    let options = Options::new().max_empty_elements(u64::MAX).max_expansion(usize::MAX);
    for length in [1 << 32, (1 << 32) + 1, 1 << 60, 1 << 63, u64::MAX] {
        let file = Forged::new(&[], &[Entry::Array(0, length)], FIRST).file();
        let mut from = archive_binary::Decoder::new(&file, &options).unwrap();
        let mut to = Binary::encoder(&options, None);
        from.begin_root(&Shape::Any).unwrap();
        to.begin_root(&Shape::Any).unwrap();
        let error = from.hand_on(&mut to).unwrap_err();
        assert!(error.position().is_some(), "{error}");
        assert!(Binary::from_slice_with::<Vec<()>>(&file, &options).is_err());
        assert!(Binary::from_slice_with::<Value>(&file, &options).is_err());
    }
}
