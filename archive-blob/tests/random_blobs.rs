//! Random trees and random blobs.

use crate::common::save;
use archive_blob::{DataType, Datum, ObjectBlob, ObjectBlobList};
use archive_core::Value;
use archive_test_support::{pieces::in_pieces, random::tree, search::config};
use proptest::prelude::*;

fn datum() -> impl Strategy<Value = Datum> {
    (21..2000_i32, 0..5_usize, prop::collection::vec(any::<u8>(), 0..12)).prop_map(
        |(kind, size, data)| {
            let whole = data.len().checked_div(size).unwrap_or(0) * size;
            Datum::new(DataType::new(kind), size, &data[..whole]).unwrap()
        },
    )
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn trees_come_back(tree in tree()) {
        let file = save(&tree);
        let again: Value = archive_blob::from_slice(&file).unwrap();
        prop_assert_eq!(&again, &tree);
        prop_assert_eq!(save(&again), file);
    }

    #[test]
    fn unknown_data_is_kept(data in prop::collection::vec((any::<String>(), datum()), 0..6)) {
        let mut blob = ObjectBlob::new();
        for (name, datum) in &data {
            blob.set(name, datum).unwrap();
        }
        let mut list = ObjectBlobList::new();
        list.add("x\0", blob).unwrap();
        let file = list.to_vec().unwrap();
        crate::common::walk(&file);
        let again = ObjectBlobList::from_slice(&file).unwrap();
        prop_assert_eq!(&again, &list);
        prop_assert_eq!(again.to_vec().unwrap(), file);
    }

    #[test]
    fn garbage(bytes in prop::collection::vec(prop_oneof![0..8_u8, any::<u8>()], 0..200)) {
        let _ = archive_blob::from_slice::<Value>(&bytes);
        let _ = ObjectBlobList::from_slice(&bytes);
        let _ = ObjectBlob::from_slice(&bytes);
    }

    /// Lists into which a file of another shape is written piece by piece.
    #[test]
    fn shuffled(tree in tree(), cuts in prop::collection::vec(any::<(u16, u16, u8)>(), 1..4)) {
        let mut file = save(&tree);
        for (at, _, byte) in cuts {
            let at = usize::from(at) % file.len();
            file[at] = byte;
        }
        let _ = archive_blob::from_slice::<Value>(&file);
        let _ = ObjectBlobList::from_slice(&file).map(|list| assert_eq!(list.to_vec().unwrap(), file));
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn pieces_are_the_whole(tree in tree(), most in 0..300_usize) {
        let whole = save(&tree);
        let (pieces, passed) = in_pieces(archive_blob::Encoder::new(), &tree, most).unwrap();
        prop_assert_eq!(&pieces, &whole);
        prop_assert!(passed > 0 || whole.len() < 400 + most);
    }
}

/// A list becomes an array, or remains a list, after most of it was flushed.
#[test]
fn flushed_lists_become_arrays() {
    let numbers: Vec<Value> = (0..1000).map(Value::from).collect();
    let mut mixed = numbers.clone();
    mixed.push(Value::from("text"));
    let floats: Value = (0..1000).map(|at| Value::from(f64::from(at))).collect();
    let inner = vec![Value::Array(numbers.clone()), floats, Value::Array(mixed.clone())];
    let member = |name: &str, items: &[Value]| (name.to_owned(), Value::Array(items.to_vec()));
    for tree in [
        Value::Array(numbers.clone()),
        Value::Array(mixed.clone()),
        Value::Array(inner.clone()),
        Value::Object(vec![member("a", &numbers), member("b", &mixed), member("c", &inner)]),
        Value::Object(vec![member("a", &[7.into()]), member("b", &[Value::Array(inner)])]),
    ] {
        let whole = save(&tree);
        for most in [0, 100, 4000] {
            let (pieces, _) = in_pieces(archive_blob::Encoder::new(), &tree, most).unwrap();
            assert!(pieces == whole, "{most}");
        }
    }
}
