//! Random types of rows, and random rows of them.

use super::{Keeps, Later, NAMES, Packet, large_tables, options, packet};
use crate::common::forged::{Entry, FIRST, Forged, put};
use allocation_counter::measure;
use archive_binary::rows::{Reader, RowTypes};
use archive_core::{Blank, ErrorKind, Serialize, Value};
use archive_test_support::search::{cases, seed};

use super::make::Maker;

/// Reads types, which may take at most a fixed multiple of their bytes.
fn types_of(bytes: &[u8], what: u64) -> Option<RowTypes> {
    let mut read = None;
    let taken = measure(|| read = RowTypes::from_bytes(bytes).ok());
    let allowed = (64 << 10) + 128 * bytes.len();
    let peak = taken.bytes_max as usize;
    assert!(peak <= allowed, "{what}: {peak} for the {} bytes of the types", bytes.len());
    read
}

/// Loads a row twice, the second time with the types learned before. Returns whether it is valid.
fn check<T: Serialize + Blank>(reader: &mut Reader, row: &[u8], types: usize, seed: u64) -> bool {
    let options = options();
    let (mut first, mut again) = (None, None);
    for loaded in [&mut first, &mut again] {
        let taken = measure(|| *loaded = Some(reader.load::<T>(row, &options).map(drop)));
        let allowed = (64 << 10) + 1024 * (row.len() + types);
        let what = std::any::type_name::<T>();
        assert!(taken.bytes_max as usize <= allowed, "{seed}, {what}: {taken:?}");
    }
    let text =
        |loaded: Option<archive_core::Result>| loaded.unwrap().map_err(|error| error.to_string());
    let (first, again) = (text(first), text(again));
    assert_eq!(first, again, "{seed}");
    first.is_ok()
}

/// Tables that are nearly all entries of the smallest size.
#[test]
fn large_types_take_memory_in_proportion() {
    for (number, forged) in (0..).zip(large_tables()) {
        let Some(types) = types_of(&forged.row_types(), number) else { continue };
        let mut reader = Reader::new(&types);
        for row in [&[0][..], &[0; 200], &[1, 0, 0, 0, 0, 0, 0]] {
            check::<Packet>(&mut reader, row, forged.row_types().len(), number);
            check::<Keeps>(&mut reader, row, forged.row_types().len(), number);
        }
    }
}

#[test]
fn random_rows() {
    let implied = packet();
    let first = seed();
    let (mut loads, mut loaded) = (0, 0);
    for seed in first..first + u64::from(cases(1_200)) {
        let room = [40, 400, 4_000][seed as usize % 3];
        let mut maker = Maker::new(seed, &NAMES, &implied, room, seed % 8 < 4);
        let more = maker.random.below(20);
        maker.add_types(more);
        for _ in 0..maker.random.below(3) {
            maker.change_types();
        }
        if maker.random.one_in(3) {
            maker.file.root = FIRST + maker.random.below(maker.file.types.len()) as u64;
        }
        maker.fill(maker.file.root);
        let file = maker.file.clone();
        // Some of the types are in the row and the others outside it.
        let outside = match seed % 2 {
            0 => file.types.len(),
            _ => maker.random.below(file.types.len()),
        };
        let kept = Forged { types: file.types[..outside].to_vec(), ..file.clone() };
        let Some(types) = types_of(&kept.row_types(), seed) else { continue };
        let rest = Forged { types: file.types[outside..].to_vec(), ..file.clone() };
        let mut reader = Reader::new(&types);
        let size = kept.row_types().len();
        for row in [rest.packet(&[]), [&[0], &file.data[..]].concat(), vec![0; 9]] {
            loads += 4;
            loaded += usize::from(check::<Packet>(&mut reader, &row, size, seed));
            loaded += usize::from(check::<Later>(&mut reader, &row, size, seed));
            loaded += usize::from(check::<Keeps>(&mut reader, &row, size, seed));
            loaded += usize::from(check::<Value>(&mut reader, &row, size, seed));
        }
    }
    println!("rows: {loaded} of {loads}");
    assert!(loaded * 20 > loads, "rows: {loaded} of {loads}");
}

/// Numbers of 2^60 in every place of types and of a row.
#[test]
fn huge_numbers() {
    let huge = &mut Vec::new();
    put(huge, 1 << 60);
    let packet_types = RowTypes::of::<Packet>().unwrap();
    let kept = packet_types.to_bytes();
    for at in 1..kept.len() {
        let forged = [&kept[..at], huge, &kept[at + 1..]].concat();
        // An array of that length is a valid type; nothing is reserved for it.
        types_of(&forged, at as u64);
    }
    let row = archive_binary::rows::to_vec(&Packet::default()).unwrap();
    let mut reader = Reader::new(&packet_types);
    for at in 1..row.len() {
        let forged = [&row[..at], huge, &row[at + 1..]].concat();
        check::<Packet>(&mut reader, &forged, 0, at as u64);
        check::<Later>(&mut reader, &forged, 0, at as u64);
        check::<Value>(&mut reader, &forged, 0, at as u64);
    }
}

/// Types that refer to each other in a cycle, and a type that is its own option.
#[test]
fn endless_types_end_in_errors() {
    let types = [
        vec![Entry::Option(FIRST)],
        vec![Entry::Tuple(vec![FIRST, FIRST])],
        vec![Entry::Array(FIRST, 1 << 40)],
        vec![Entry::Class(0, vec![(1, FIRST)])],
        vec![Entry::Seq(FIRST)],
    ];
    for (number, types) in (0..).zip(types) {
        let forged = Forged::new(&[], &types, FIRST).names(&["a", "b"]);
        let mut reader = Reader::new(&types_of(&forged.row_types(), number).unwrap());
        let row = vec![1; 100_000];
        let row = [&[0], &row[..]].concat();
        check::<Packet>(&mut reader, &row, 0, number);
        let error = reader.load::<Value>(&row, &options()).unwrap_err();
        let kinds = [ErrorKind::DepthLimit, ErrorKind::SizeLimit, ErrorKind::TrailingData];
        assert!(kinds.contains(&error.kind()), "{number}: {error}");
    }
}
