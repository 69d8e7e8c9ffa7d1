//! Shared helpers of the tests.
#![allow(dead_code)] // each test uses a part of it

use std::path::Path;

use archive_core::{Options, Save, Source};
use archive_derive::Serialize;

/// The file that the original program wrote, unless it is absent.
pub fn fixture() -> Option<Vec<u8>> {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/fixtures/objectblob/bunch_of_data.sav");
    let file = std::fs::read(Path::new(path)).ok();
    if file.is_none() {
        println!("skipped: there is no {path}");
    }
    file
}

/// The example of the original program.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core, rename_all = "camelCase")]
pub struct BunchOfData {
    pub number_of_integers: i32,
    pub integer_array: Vec<i32>,
    pub number_of_floats: i32,
    pub float_array: Vec<f32>,
    pub text_string: String,
    pub truth: bool,
}

impl BunchOfData {
    /// The content of the fixture, with so many elements.
    pub fn documented(count: usize, truth: bool) -> Self {
        let mut integer_array: Vec<i32> = (0..count as i32).collect();
        if truth {
            integer_array[7] = -7;
        }
        BunchOfData {
            number_of_integers: count as i32,
            integer_array,
            number_of_floats: count as i32,
            float_array: (0..count).map(|i| i as f32 / 3.0).collect(),
            text_string: "Test string.".into(),
            truth,
        }
    }
}

/// A datum as the original program reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub name: String,
    pub kind: i32,
    pub size: usize,
    pub count: usize,
    pub data: Vec<u8>,
}

/// Walks over a file by the rules of the original program: a count, and that many blobs. A datum of
/// an unknown type is skipped by element size × element count. Panics where the original would
/// fail.
pub fn walk(file: &[u8]) -> Vec<(String, Vec<Seen>)> {
    let mut at = 0;
    let int = |at: &mut usize| {
        let value = i32::from_le_bytes(file[*at..*at + 4].try_into().unwrap());
        *at += 4;
        usize::try_from(value).unwrap_or_else(|_| panic!("{value} at {at}"))
    };
    let name = |at: &mut usize| {
        let len = int(at);
        let text = &file[*at..*at + len];
        *at += len;
        assert_eq!(text.iter().position(|byte| *byte == 0), Some(len - 1), "a C string");
        String::from_utf8_lossy(&text[..len - 1]).into_owned()
    };
    let mut blobs = Vec::new();
    for _ in 0..int(&mut at) {
        let blob = name(&mut at);
        let size = int(&mut at);
        let end = at + size;
        let mut data: Vec<Seen> = Vec::new();
        for _ in 0..int(&mut at) {
            let name = name(&mut at);
            let (kind, size, count) = (int(&mut at) as i32, int(&mut at), int(&mut at));
            let bytes = &file[at..at + size * count];
            at += size * count;
            match kind {
                0 => assert!(size == 1 && bytes.iter().all(|byte| *byte < 2)),
                1 => assert!(size == 1 && bytes.iter().position(|b| *b == 0) == Some(count - 1)),
                2 | 3 => assert_eq!(size, 4),
                4 => assert_eq!(size, 8),
                _ => {}
            }
            assert!(data.iter().all(|other| other.name != name), "duplicate {name}");
            data.push(Seen { name, kind, size, count, data: bytes.to_vec() });
        }
        assert_eq!(at, end, "the size of a blob");
        blobs.push((blob, data));
    }
    assert_eq!(at, file.len(), "the end of the file");
    blobs
}

/// Saves a value, and lets the original program walk over the file.
pub fn save<S: Source>(value: S) -> Vec<u8> {
    let file = archive_blob::to_vec(value).unwrap();
    walk(&file);
    file
}

/// As [`save`], with options.
pub fn save_with<S: Source>(value: S, options: &Options<'_>) -> Vec<u8> {
    let file = archive_blob::to_vec_with(value, options).unwrap();
    walk(&file);
    file
}

/// The data of a bare root: type, element size, element count and bytes of each.
pub fn data<T: Save + ?Sized>(value: &T) -> Vec<Seen> {
    let mut blobs = walk(&archive_blob::to_vec(value).unwrap());
    assert_eq!((blobs.len(), &*blobs[0].0), (1, ""));
    blobs.remove(0).1
}

/// The one datum of a bare root.
pub fn datum<T: Save + ?Sized>(value: &T) -> Seen {
    let mut data = data(value);
    assert_eq!(data.len(), 1, "{data:?}");
    data.remove(0)
}
