//! Object tables that no writer produces.

use std::cell::RefCell;
use std::rc::Rc;

use archive_binary::{bare, fingerprint};
use archive_core::{Backend, ErrorKind, Result, Value};
use archive_derive::Serialize;

use crate::common::Binary;
use crate::common::forged::{Entry, FIRST, Forged};

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Shared {
    number: u8,
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Holder {
    refs: Vec<Rc<RefCell<Shared>>>,
}

/// A [`Holder`] with this data, and objects at these offsets.
fn holder(data: &[u8], root_len: usize, objects: &[i64]) -> Result<Holder> {
    let types = [
        Entry::Class(0, vec![(1, FIRST + 1)]),
        Entry::Seq(FIRST + 2),
        Entry::Pointer(FIRST + 3),
        Entry::Class(2, vec![(3, 2)]),
    ];
    let names = ["Holder", "refs", "Shared", "number"];
    let forged = Forged::new(data, &types, FIRST).names(&names);
    let forged = forged.objects(FIRST + 3, objects.iter().map(|at| at - 6));
    Binary::from_slice(&Forged { root_len: root_len as u64, ..forged }.file())
}

#[test]
fn forged_objects() {
    let numbers = |holder: Holder| -> Vec<u8> {
        holder.refs.iter().map(|shared| shared.borrow().number).collect()
    };
    let kind = |holder: Result<Holder>| holder.unwrap_err().kind();
    assert_eq!(numbers(holder(&[2, 1, 5, 2, 6], 5, &[8, 10]).unwrap()), [5, 6]);
    // Two objects at one offset, and offsets outside of the data.
    assert_eq!(kind(holder(&[2, 1, 5, 2], 4, &[8, 8])), ErrorKind::BadPointer);
    for at in [-1, 0, 5, 6, 11, 1 << 40] {
        assert_eq!(kind(holder(&[2, 1, 5, 2], 4, &[8, at])), ErrorKind::BadPointer, "{at}");
    }
    // Pointees after the root. Some of them are never requested.
    assert_eq!(numbers(holder(&[1, 1, 1, 5], 2, &[9]).unwrap()), [5]);
    assert_eq!(numbers(holder(&[2, 2, 1, 1, 5, 2, 6], 3, &[10, 12]).unwrap()), [6, 5]);
    assert_eq!(numbers(holder(&[1, 1, 5, 2, 6], 3, &[8, 10]).unwrap()), [5]);
    assert_eq!(numbers(holder(&[1, 1, 2, 6, 1, 5], 2, &[11, 9]).unwrap()), [5]);
    // Other data there: after the pointees, between them, and where the table has an object.
    let cases: [(&[u8], usize, &[i64]); 7] = [
        (&[1, 1, 5, 9, 9, 9], 3, &[8, 10]),
        (&[1, 1, 5, 9, 2, 6], 3, &[8, 11]),
        (&[1, 1, 5, 2, 6, 9], 3, &[8, 10]),
        (&[1, 1, 1, 5, 9], 2, &[9]),
        (&[1, 1, 9, 1, 5], 2, &[10]),
        (&[2, 1, 2, 1, 5, 9, 2, 6], 3, &[10, 13]),
        (&[1, 1, 5, 1, 6], 3, &[8]),
    ];
    for (data, root_len, objects) in cases {
        let error = holder(data, root_len, objects).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TrailingData, "{data:?}: {error}");
    }
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Overlap {
    #[archive(bytes)]
    blob: Vec<u8>,
    shared: Vec<Rc<Vec<u8>>>,
}

/// Each byte of the blob is the id of an object, the length of the object before, and part of all
/// objects before. The last object is referred to first.
fn overlapping(count: u8) -> Forged {
    let mut data = vec![2 * count + 2];
    data.extend(1..=count + 1);
    data.resize(2 * usize::from(count) + 3, 7);
    data.push(count);
    data.extend((1..=count).rev());
    let types = [
        Entry::Class(0, vec![(1, 16), (2, FIRST + 1)]),
        Entry::Seq(FIRST + 2),
        Entry::Pointer(FIRST + 3),
        Entry::Seq(2),
    ];
    let names = ["Overlap", "blob", "shared"];
    // The first id is the first byte of the blob, which is after its length.
    let forged = Forged::new(&data, &types, FIRST).names(&names);
    forged.objects(FIRST + 3, (2..).take(count.into()))
}

#[test]
fn overlapping_objects() {
    for count in [2, 3, 60] {
        let forged = overlapping(count);
        let packet = Forged { names: Vec::new(), types: Vec::new(), ..forged.clone() };
        let other = fingerprint::to_vec(&Overlap::default()).unwrap();
        let loads = [
            Binary::from_slice::<Overlap>(&forged.file()).map(drop),
            Binary::from_slice::<Value>(&forged.file()).map(drop),
            bare::from_slice::<Overlap>(&packet.packet(&[])).map(drop),
            fingerprint::from_slice::<Overlap>(&packet.packet(&other[..8])).map(drop),
        ];
        for loaded in loads {
            let error = loaded.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BadPointer, "{error}");
        }
    }
    // Ids from 14 on, in a blob of 21 bytes.
    let packet = [
        0x01, 0x1a, 0x00, 0x15, 0x0e, 0x0f, 0x10, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0x03, 0x10, 0x0f, 0x0e, 0, 0, 0, 0x01, 0x00, 0x23, 0x10, 0x00, 0x0d, 0x01, 0x04,
        0x01, 0x02, 0x01, 0x02,
    ];
    let error = bare::from_slice::<Overlap>(&packet).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadPointer, "{error}");
}

/// Pointees at their offsets load in the order of the requests.
#[test]
fn objects_out_of_place() {
    #[derive(Debug, Default, Serialize)]
    #[archive(crate = archive_core)]
    struct Chain {
        next: Option<Rc<Chain>>,
        number: u32,
    }
    #[derive(Debug, Default, Serialize)]
    #[archive(crate = archive_core)]
    struct Saved {
        first: Rc<Chain>,
        all: Vec<Rc<Chain>>,
    }
    #[derive(Debug, Default, Serialize)]
    #[archive(crate = archive_core)]
    struct Loaded {
        all: Vec<Rc<Chain>>,
    }
    let mut all = vec![Rc::new(Chain::default())];
    for number in 1..40 {
        all.push(Rc::new(Chain { next: all.last().cloned(), number }));
    }
    let first = all[39].clone();
    let file = Binary::to_vec(&Saved { first, all }).unwrap();
    let loaded: Loaded = Binary::from_slice(&file).unwrap();
    assert_eq!(loaded.all.len(), 40);
    for pair in loaded.all.windows(2) {
        assert!(Rc::ptr_eq(&pair[0], pair[1].next.as_ref().unwrap()));
    }
    assert!(loaded.all.iter().zip(0..).all(|(chain, number)| chain.number == number));
}
