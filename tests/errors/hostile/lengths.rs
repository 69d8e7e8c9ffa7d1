//! Lengths, counts, indices and ids that exceed any memory: in each place of a file, and with the
//! same error on platforms of 32 and 64 bits. A number that is truncated to 32 bits would be the
//! original one.

use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::{ErrorKind, Options, Result, Serialize, Value};

use crate::common::search::some_of;
use crate::common::{forgives, forgiving, formats};

#[derive(Default, Serialize)]
enum Choice {
    #[default]
    Nothing,
    Text(String),
    Pair {
        left: u8,
        right: i16,
    },
}

/// Every kind of value that has a length, a count, an index or an id, and no number of 64 bits.
#[derive(Default, Serialize)]
struct Lengths {
    text: String,
    list: Vec<Option<u16>>,
    block: Vec<[f32; 2]>,
    #[archive(bytes)]
    bytes: Vec<u8>,
    units: Vec<()>,
    array: [u8; 3],
    map: BTreeMap<String, i8>,
    choices: Vec<Choice>,
    shared: Vec<Rc<String>>,
    weak: Weak<String>,
}

fn lengths() -> Lengths {
    let shared = Rc::new("both".to_owned());
    Lengths {
        text: "Ann".into(),
        list: vec![Some(2), None],
        block: vec![[0.5, 1.5]; 2],
        bytes: vec![7, 8, 9],
        units: vec![(); 2],
        array: [1, 2, 3],
        map: [("key".to_owned(), -1)].into(),
        choices: vec![Choice::Text("one".into()), Choice::Pair { left: 1, right: 2 }],
        weak: Rc::downgrade(&shared),
        shared: vec![shared.clone(), shared],
    }
}

/// Has none of the members, so that all of them are skipped.
#[derive(Default, Serialize)]
struct Nothing {}

/// Numbers beyond 32 bits, some with the low 32 bits `low`.
fn beyond(low: u64) -> [u64; 7] {
    let high = 1 << 32;
    [high, high + 1, high + low, 1 << 60, 1 << 63, (1 << 63) + low, u64::MAX]
}

/// The file with a number in the place of the byte at `at`, as a varint, as a number of MessagePack, and as digits.
fn inserted(file: &[u8], at: usize) -> Vec<Vec<u8>> {
    let with = |bytes: &[u8]| [&file[..at], bytes, &file[at + 1..]].concat();
    let mut files = Vec::new();
    let mut low = file[at];
    if file[at].is_ascii_digit() {
        low -= b'0';
        files.extend(beyond(low.into()).map(|number| with(number.to_string().as_bytes())));
    }
    for mut number in beyond(file[at].into()) {
        let wide = [&[0xcf], &number.to_be_bytes()[..]].concat();
        let mut varint = Vec::new();
        while number >= 0x80 {
            varint.push(number as u8 | 0x80);
            number >>= 7;
        }
        varint.push(number as u8);
        files.extend([with(&wide), with(&varint)]);
    }
    // Lengths of MessagePack have 32 bits: those of text, bytes, extensions, lists and objects.
    for marker in [0xdb, 0xc6, 0xc9, 0xdd, 0xdf] {
        for length in [1 << 31, u32::MAX - 4, u32::MAX] {
            files.push(with(&[&[marker], &length.to_be_bytes()[..]].concat()));
        }
    }
    files
}

/// The file with a number over the bytes from `at` on.
fn overwritten(file: &[u8], at: usize) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    let mut with = |bytes: &[u8]| {
        if let Some(place) = file.get(at..at + bytes.len())
            && place != bytes
        {
            let mut file = file.to_vec();
            file[at..at + bytes.len()].copy_from_slice(bytes);
            files.push(file);
        }
    };
    for word in [i32::MAX as u32, 1 << 31, u32::MAX - 11, u32::MAX] {
        with(&word.to_le_bytes());
    }
    let low = file[at].into();
    beyond(low).iter().for_each(|number| with(&number.to_le_bytes()));
    files
}

#[test]
fn lengths_beyond_memory_are_errors_with_a_position() {
    for format in formats() {
        let file = format.to_vec(&lengths()).unwrap();
        let load = |file: &[u8]| -> Vec<Result<Vec<u8>>> {
            let options = Options::new();
            let typed = format.from_slice::<Lengths>(file).and_then(|it| format.to_vec(&it));
            let mut loads = vec![typed];
            if forgives(format) {
                let nothing = format.from_slice_with::<Nothing>(file, &options).map(|_| Vec::new());
                let tree = format.from_slice::<Value>(file).and_then(|it| format.to_vec(&it));
                loads.extend([nothing, tree]);
            }
            loads
        };
        let whole = load(&file);
        whole.iter().for_each(|loaded| assert!(loaded.is_ok(), "{format}"));
        for at in some_of(file.len()) {
            let inserted = inserted(&file, at).into_iter().map(|file| (file, true));
            // Another text may be a name that no value has. At the end there are lengths alone.
            let is_length = at + 16 >= file.len();
            let overwritten = overwritten(&file, at).into_iter().map(|file| (file, is_length));
            for (forged, is_length) in inserted.chain(overwritten) {
                for (loaded, whole) in load(&forged).iter().zip(&whole) {
                    match loaded {
                        Ok(bytes) if bytes.is_empty() || !is_length => {}
                        Ok(bytes) => assert_ne!(bytes, whole.as_ref().unwrap(), "{format} {at}"),
                        Err(error) => {
                            assert!(error.position().is_some(), "{format} {at}: {error}");
                        }
                    }
                }
            }
        }
    }
}

/// A member of the size of a pointer loads where it fits, and is out of range elsewhere.
#[test]
fn sizes_beyond_memory_are_out_of_range() {
    for format in forgiving() {
        for number in beyond(7) {
            let file = format.to_vec(&[number]).unwrap();
            match (usize::try_from(number), format.from_slice::<[usize; 1]>(&file)) {
                (Ok(size), loaded) => assert_eq!(loaded.unwrap(), [size], "{format}"),
                (Err(_), Ok(size)) => panic!("{format}: {number} is {size:?}"),
                (Err(_), Err(error)) => {
                    assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "[0]"));
                    assert!(error.position().is_some(), "{format}: {error}");
                }
            }
        }
    }
}
