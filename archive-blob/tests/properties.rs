//! Random trees and random blobs.

use crate::common::save;
use archive_blob::{DataType, Datum, ObjectBlob, ObjectBlobList};
use archive_core::{Number, Value};
use archive_test_support::search::config;
use proptest::prelude::*;

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i32>().prop_map(|v| Number::Int(v.into())),
        any::<i128>().prop_map(Number::Int),
        any::<u64>().prop_map(|v| Number::Int(v.into())),
        (any::<u64>()).prop_map(|v| Number::UInt(u128::MAX - u128::from(v))),
        any::<f32>().prop_filter("equal to itself", |v| !v.is_nan()).prop_map(Number::F32),
        any::<f64>().prop_filter("equal to itself", |v| !v.is_nan()).prop_map(Number::F64),
    ]
}

fn tree() -> impl Strategy<Value = Value> {
    let text = prop_oneof![any::<String>(), "[a-c\0]{0,3}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number().prop_map(Value::Number),
        text.prop_map(Value::Str),
        any::<Vec<u8>>().prop_map(Value::Bytes),
        prop::collection::vec(any::<i32>().prop_map(Value::from), 0..4).prop_map(Value::Array),
        prop::collection::vec(any::<bool>().prop_map(Value::Bool), 0..3).prop_map(Value::Array),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let name = "[a-d\0]{0,2}";
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::btree_map(name, inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

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
    fn what_is_not_known_is_kept(data in prop::collection::vec((any::<String>(), datum()), 0..6)) {
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

    /// Lists that a file of another shape is written into, piece by piece.
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
