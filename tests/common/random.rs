//! Random trees.

use archive::Value;
use archive::value::Number;
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

/// Any tree, with names and texts that contain NUL.
pub fn tree() -> impl Strategy<Value = Value> {
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
