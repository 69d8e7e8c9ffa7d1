//! Values that are packed over a spool: the result is the same as in memory.

use archive_bins::SpoolEncoder;
use archive_core::Value;
use archive_test_support::{pieces::write, random::tree, search::config};
use proptest::prelude::*;

/// Packs a tree with bins in a spool.
fn packed(tree: &Value) -> archive_core::Result<Vec<u8>> {
    let mut spool = std::io::Cursor::new(Vec::new());
    let mut encoder = SpoolEncoder::new(&mut spool);
    write(&mut encoder, tree, &mut |_| Ok(()))?;
    let mut file = Vec::new();
    encoder.finish(&mut |bytes| {
        file.extend_from_slice(bytes);
        Ok(())
    })?;
    Ok(file)
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn spooled_objects_are_the_same(tree in tree()) {
        prop_assert_eq!(packed(&tree).unwrap(), archive_bins::to_vec(&tree).unwrap());
    }
}

#[test]
fn long_objects_are_spooled() {
    let unit = |at: i32| {
        let orders: Value =
            (0..at % 4).map(|order| Value::from(format!("order {order}"))).collect();
        let members =
            [("id", Value::from(at)), ("name", format!("unit {at}").into()), ("orders", orders)];
        Value::Object(members.map(|(name, value)| (name.to_owned(), value)).to_vec())
    };
    let text = Value::from("x".repeat(100_000));
    let tree = Value::Array(vec![text.clone(), (0..10_000).map(unit).collect(), text]);
    assert!(packed(&tree).unwrap() == archive_bins::to_vec(&tree).unwrap());
    let twice =
        Value::Object(vec![("a".into(), 1.into()), ("b".into(), 2.into()), ("a".into(), 3.into())]);
    let error = packed(&twice).unwrap_err();
    assert_eq!(error.to_string(), archive_bins::to_vec(&twice).unwrap_err().to_string());
}
