//! Files in which long lists are columns.

mod changed_defaults;
mod changed_types;
mod column_laws;
mod columned_types;
mod forged_columns;

use std::fmt::Debug;

use archive::binary::columns::{self, Columns};
use archive::binary::{Document, inspect, inspect_types, to_vec_with};
use archive::format::Backend;
use archive::{Archive, Element, Options, Save, Serialize, Value};

use archive::binary::Binary;

use crate::common::columns::AllColumns;

/// Checks that a value has the same rows in both forms, and loads from both. Returns the file with
/// columns.
#[track_caller]
fn check<T: Save + Element + PartialEq + Debug>(value: &T) -> Vec<u8> {
    let rows = Binary::to_vec(value).unwrap();
    let file = Columns::to_vec(value).unwrap();
    assert!(columns::to_rows(&file).unwrap() == rows, "the rows differ");
    assert!(columns::from_rows(&rows, &Options::new()).unwrap() == file);
    assert!(to_vec_with(value, &Options::new().columns(true)).unwrap() == file);
    assert_eq!(Binary::from_slice::<T>(&file).unwrap(), *value);
    assert_eq!(Columns::from_slice::<T>(&rows).unwrap(), *value);
    assert_eq!(Columns::from_slice::<T>(&file).unwrap(), *value);
    let all = all_lists(&rows);
    assert!(AllColumns::to_vec(value).unwrap() == all);
    assert_eq!(AllColumns::from_slice::<T>(&all).unwrap(), *value);
    file
}

/// Turns every list into blocks, and back.
#[track_caller]
fn all_lists(rows: &[u8]) -> Vec<u8> {
    let most = Options::new().max_empty_elements(u64::MAX);
    let all = columns::from_rows_of(1, rows, &most).unwrap().into_owned();
    assert!(columns::to_rows(&all).unwrap() == rows, "the rows differ");
    all
}

#[test]
fn lists_of_64_entries() {
    let texts = |count| -> Vec<String> { (0..count).map(|at: u8| format!("text {at}")).collect() };
    assert!(!columns::has_columns(&check(&texts(63))));
    assert!(columns::has_columns(&check(&texts(64))));
    assert!(!columns::has_columns(&check(&vec![1_u32; 1000])), "plain numbers");
    assert!(!columns::has_columns(&check(&vec![[1.5_f32; 3]; 1000])), "plain numbers");
}

#[test]
fn blocks_are_full() {
    let numbers =
        |count: u32| -> Vec<Option<u32>> { (0..count).map(|at| at.checked_sub(9)).collect() };
    for count in [65_535, 65_536, 65_537, 131_072, 140_000] {
        check(&numbers(count));
    }
}

#[test]
fn other_ways_to_save_and_load() {
    let texts: Vec<String> = (0..1000).map(|at| format!("text {at}")).collect();
    let options = Options::new().columns(true);
    let file = check(&texts);
    let mut written = Vec::new();
    archive::binary::to_writer_with(&mut written, &texts, &options).unwrap();
    assert_eq!(written, file);
    archive::binary::save_into(&mut written, &texts, &options).unwrap();
    assert_eq!(written, file);
    assert_eq!(archive::binary::from_reader::<Vec<String>>(&file[..]).unwrap(), texts);
    let mut loaded = vec!["old".to_owned()];
    archive::binary::load_into(&mut loaded, &file).unwrap();
    assert_eq!(loaded, texts);

    let value: Value = archive::binary::from_slice(&file).unwrap();
    assert_eq!(value[999].as_str(), Some("text 999"));
    assert_eq!(inspect(&file).unwrap().value, value);
    assert_eq!(inspect_types(&file).unwrap().root, "Vec<String>");

    let mut document = Document::from_slice(&file).unwrap();
    assert!(document.to_vec().unwrap() == file, "nothing was changed");
    document.value[3] = "changed".into();
    let changed: Vec<String> = archive::binary::from_slice(&document.to_vec().unwrap()).unwrap();
    assert_eq!((&*changed[3], &*changed[4]), ("changed", "text 4"));
    assert!(archive::binary::Patch::new(&file, &Options::new()).unwrap().is_none());
}

/// A decoder reads rows, so it refuses the file, and names the function that makes rows of it.
#[test]
fn a_decoder_reads_rows() {
    let file = check(&vec!["text".to_owned(); 64]);
    let error = archive::binary::Decoder::new(&file, &Options::new()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the file has columns, which `binary::columns::to_rows` turns into rows at byte 5"
    );
}

#[test]
fn named_roots_have_no_columns() {
    let mut texts = vec!["text".to_owned(); 100];
    let mut writer = archive::binary::Writer::with(&Options::new().columns(true));
    writer.serialize("texts", &mut texts).unwrap();
    let file = writer.finish().unwrap();
    assert!(columns::from_rows(&file, &Options::new()).unwrap() == file);
    let mut reader = archive::binary::Reader::new(&file).unwrap();
    assert_eq!(reader.load::<Vec<String>>("texts").unwrap(), texts);
    // A reader reads rows.
    let file = check(&(texts, 1));
    let error = archive::binary::Reader::new(&file).err().unwrap();
    assert!(error.message().contains("`binary::columns::to_rows`"), "{error}");
    archive::binary::Reader::new(&columns::to_rows(&file).unwrap()).unwrap();
}

/// Numbers may have more bytes than necessary in a file of another program. Columns would lose them.
#[test]
fn long_numbers_stay_in_rows() {
    let texts = vec!["text".to_owned(); 100];
    let file = Binary::to_vec(&texts).unwrap();
    let mut long = [&file[..7], &[0x84, 0], &file[8..]].concat();
    // The end of the root, and the length of the file.
    let tables = 6 + data(&file).len() + 1;
    let width = long[tables..].iter().take_while(|byte| **byte >= 0x80).count() + 1;
    assert_eq!(width, 2);
    let end = 6 + data(&file).len() as u64 + 1;
    long[tables..tables + 2].copy_from_slice(&[end as u8 | 0x80, (end >> 7) as u8]);
    let (footer, total) = (long.len() - 8, long.len() as u64);
    long[footer..].copy_from_slice(&total.to_le_bytes());
    assert_eq!(Binary::from_slice::<Vec<String>>(&long).unwrap(), texts);
    assert!(columns::from_rows(&long, &Options::new()).unwrap() == long);
}

/// Blocks that would be longer than the rows are not written.
#[test]
fn columns_are_shorter() {
    #[derive(Clone, Debug, PartialEq, Serialize)]
    enum Many {
        A(u16),
        B(String),
        C([u32; 2]),
    }
    let row = |at: usize| match at % 3 {
        0 => Many::A(at as u16),
        1 => Many::B("x".repeat(at % 5)),
        _ => Many::C([u32::MAX, at as u32]),
    };
    for count in 64..200 {
        let values: Vec<Many> = (0..count).map(row).collect();
        let file = check(&values);
        assert!(file.len() <= Binary::to_vec(&values).unwrap().len());
    }
}

#[test]
fn an_older_version_remains() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/binary/v1/skirmish.bin");
    let file = std::fs::read(folder).unwrap();
    let all = columns::from_rows_of(1, &file, &Options::new()).unwrap();
    assert!(columns::has_columns(&all));
    assert!(columns::to_rows(&all).unwrap() == file);
}

/// The data of a file: the bytes between header and tables.
fn data(file: &[u8]) -> &[u8] {
    let footer = &file[file.len() - 16..];
    let tables = u64::from_le_bytes(footer[..8].try_into().unwrap()) as usize;
    &file[6..file.len() - 16 - tables]
}
