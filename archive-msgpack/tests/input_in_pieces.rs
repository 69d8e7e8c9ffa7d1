//! Output that is written piece by piece is the same.

use archive_core::{Backend, Number, Value};
use archive_test_support::{pieces::in_pieces, search::config};
use proptest::prelude::*;

use crate::common::{Encoder, MessagePack};

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(|value| Value::Number(Number::Int(value.into()))),
        "[a-c$]{0,40}".prop_map(Value::Str),
        prop::collection::vec(any::<u8>().prop_map(Value::from), 0..20).prop_map(Value::Array),
        (any::<i8>(), prop::collection::vec(any::<u8>(), 0..20)).prop_map(|(kind, bytes)| {
            // Both forms of an extension.
            let data = match kind {
                0.. => Value::Bytes(bytes),
                _ => bytes.into_iter().map(Value::from).collect(),
            };
            Value::Object(vec![("$ext".into(), kind.into()), ("$data".into(), data)])
        }),
    ];
    leaf.prop_recursive(4, 100, 20, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..20).prop_map(Value::Array),
            prop::collection::btree_map("[a-z]{1,3}", inner, 0..20)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn pieces_are_the_whole(tree in tree(), most in 0..100_usize) {
        let whole = MessagePack::to_vec(&tree).unwrap();
        let (pieces, passed) = in_pieces(Encoder::new(), &tree, most).unwrap();
        prop_assert_eq!(&pieces, &whole);
        prop_assert!(passed > 0 || whole.len() < 1000 + most);
    }
}

/// Headers of each width, for containers that are open while bytes are flushed.
#[test]
fn headers_that_were_passed_on_grow() {
    for count in [0, 1, 15, 16, 65535, 65536] {
        let items: Value = (0..count).map(Value::from).collect();
        let members = (0..count).map(|at| (format!("m{at}"), Value::Null)).collect();
        let tree = Value::Array(vec![Value::Array(vec![items]), Value::Object(members)]);
        let whole = MessagePack::to_vec(&tree).unwrap();
        for most in [0, 3, 5000] {
            assert!(in_pieces(Encoder::new(), &tree, most).unwrap().0 == whole, "{count} {most}");
        }
    }
}
