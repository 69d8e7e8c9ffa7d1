//! New values of a type.

use archive::Value;
use archive::reflect::{Kind, Meta};

/// The number of types in one another for which a value is made. A type may contain itself.
const DEEPEST: usize = 16;

/// Returns values of the type. It accepts at least one of them if it has a value: a type does not say whether it is text,
/// a truth value or a character.
pub(crate) fn values(meta: &Meta) -> Vec<Value> {
    blank(meta, DEEPEST)
}

fn blank(meta: &Meta, depth: usize) -> Vec<Value> {
    if let Some(numbers) = meta.numbers() {
        let is_zero_in = numbers.min.to_f64().is_ok_and(|min| min <= 0.0);
        return vec![if is_zero_in { 0.into() } else { Value::Number(numbers.min) }];
    }
    let Some(depth) = depth.checked_sub(1) else { return vec![Value::Null] };
    // The first possibility of each part.
    let first = |meta: &Meta| blank(meta, depth).into_iter().next().unwrap_or_default();
    match meta.kind() {
        Kind::Plain => ["".into(), false.into(), " ".into(), Value::Null].to_vec(),
        Kind::Object => vec![Value::Object(Vec::new())],
        Kind::Map => vec![Value::Object(Vec::new()), Value::Array(Vec::new())],
        Kind::Sequence => {
            let items = match (meta.len(), meta.item()) {
                (Some(len), Some(item)) if len <= 1000 => vec![first(&item); len],
                _ => meta.items().iter().map(first).collect(),
            };
            vec![Value::Array(items)]
        }
        Kind::Enum => meta.variants().iter().take(1).map(|one| one.name().into()).collect(),
        Kind::Option => meta.item().map(|item| blank(&item, depth)).unwrap_or_default(),
        Kind::Pointer => {
            let mut values = meta.item().map(|item| blank(&item, depth)).unwrap_or_default();
            values.push(Value::Null);
            values
        }
        _ => vec![Value::Null],
    }
}
