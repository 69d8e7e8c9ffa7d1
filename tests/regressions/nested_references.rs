//! Nested objects that a tree refers to from the innermost outwards were copied again and again.

use archive::{Serialize, Value};

use crate::common::forgiving;

/// Nested objects to which a tree refers from the innermost outwards: objects that the tree already
/// had were copied again with each object around them. The size of the result shows it.
#[test]
fn nested_objects_referred_to_from_the_inside() {
    #[derive(Default, Serialize)]
    struct Newer {
        references: Vec<Value>,
    }
    let levels = 60_u32;
    let mut pointer = Value::from(vec![Value::from(1); 1000]);
    for id in (1..=levels).rev() {
        let object = Value::Object(vec![("n".into(), pointer)]);
        pointer = Value::Object(vec![("$id".into(), id.into()), ("$value".into(), object)]);
    }
    let reference = |id: u32| Value::Object(vec![("$id".into(), id.into())]);
    let references: Vec<Value> = (1..=levels).rev().map(reference).collect();
    let file =
        Value::Object(vec![("removed".into(), pointer), ("references".into(), references.into())]);
    for format in forgiving() {
        let bytes = format.to_vec(&file).unwrap();
        let newer: Newer = format.from_slice(&bytes).unwrap();
        // Each object is stored at its first reference, and only there.
        let ids = (1..=levels).rev();
        for (value, id) in newer.references.iter().zip(ids) {
            assert_eq!(value.get("$id"), Some(&Value::from(id)), "{format}");
            let inner = value.pointer("/$value/n").unwrap_or_else(|| panic!("{format}: {id}"));
            if id == levels {
                assert_eq!(inner.as_array().map(<[Value]>::len), Some(1000), "{format}");
            } else {
                assert_eq!(inner, &reference(id + 1), "{format}: {id}");
            }
        }
    }
}
