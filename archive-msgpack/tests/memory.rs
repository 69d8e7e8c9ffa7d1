//! Hostile input reserves no more than a small multiple of its own size.

use std::collections::{BTreeMap, HashMap};

use crate::common::{MessagePack, hex};
use archive_core::{Backend, ErrorKind, Options, Value};
use archive_derive::Serialize;

#[derive(Default, Debug, Serialize)]
#[archive(crate = archive_core)]
struct Everything {
    list: Vec<u64>,
    units: Vec<()>,
    arrays: Vec<[u64; 16]>,
    text: String,
    map: HashMap<String, u64>,
    numbers: BTreeMap<u32, u64>,
}

/// The peak of allocated bytes while `run` runs.
fn peak(run: impl FnOnce()) -> usize {
    allocation_counter::measure(run).bytes_max as usize
}

#[test]
fn lengths_of_four_gigabytes() {
    const MARKERS: [u8; 5] = [0xc6, 0xc9, 0xdb, 0xdd, 0xdf];
    for name in ["list", "units", "arrays", "text", "map", "numbers", "unknown"] {
        for marker in MARKERS {
            for after in [&b""[..], &[0xc0; 40], &[0x91; 40], &[0xdd; 40]] {
                let header = [marker, 0xff, 0xff, 0xff, 0xff];
                let name = MessagePack::to_vec(name).unwrap();
                let file = [&[0x81][..], &name, &header, after].concat();
                let taken = peak(|| {
                    let error = MessagePack::from_slice::<Everything>(&file).unwrap_err();
                    let kinds = [ErrorKind::UnexpectedEnd, ErrorKind::WrongType];
                    assert!(kinds.contains(&error.kind()), "{}: {error}", hex(&file));
                    MessagePack::from_slice::<Value>(&file).unwrap_err();
                    MessagePack::from_slice::<Value>(&file[1 + name.len()..]).unwrap_err();
                });
                assert!(taken < 16 << 10, "{taken} bytes for {}", hex(&file));
            }
        }
    }
    // As many items as there are bytes, although each item of the program's type takes more.
    let n = 1_u32 << 20;
    let header = [&[0xdd][..], &n.to_be_bytes()].concat();
    let mut file = [header, vec![0x90; n as usize]].concat();
    let taken = peak(|| drop(MessagePack::from_slice::<Vec<[u64; 512]>>(&file).unwrap_err()));
    assert!(taken < 4 << 20, "{taken} bytes reserved");
    // Every level of nesting announces as many items as there are bytes left.
    for at in (0..file.len() - 5).step_by(5) {
        let left = (file.len() - at - 5) as u32;
        file[at] = 0xdd;
        file[at + 1..at + 5].copy_from_slice(&left.to_be_bytes());
    }
    let taken = peak(|| drop(MessagePack::from_slice::<Value>(&file).unwrap_err()));
    assert!(taken < 16 << 20, "{taken} bytes for nested announcements");
    // More numbers than the limit are not read to be counted: the load takes no more than
    // `Limits::reserve` allows ahead of the items.
    let numbers = [&[0xdd][..], &n.to_be_bytes(), &vec![1; n as usize]].concat();
    let options = Options::new().max_elements(1000);
    let taken = peak(|| {
        let error = MessagePack::from_slice_with::<Vec<u64>>(&numbers, &options).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::SizeLimit, "[1000]"));
    });
    assert!(taken < 2 << 20, "{taken} bytes for what there is too much of");
}
