//! Whether two trees are the same.

use archive::Value;
use archive::value::Number;

/// The same except for the ids of objects, which are assigned again; floats are compared bit by
/// bit.
pub fn exactly(a: &Value, b: &Value) -> bool {
    compare(a, b, &|a, b| match (a, b) {
        (Value::Number(Number::F32(a)), Value::Number(Number::F32(b))) => {
            a.to_bits() == b.to_bits()
        }
        (Value::Number(Number::F64(a)), Value::Number(Number::F64(b))) => {
            a.to_bits() == b.to_bits()
        }
        _ => a == b,
    })
}

/// The same except for values that some formats cannot represent: in text, a float has no width and
/// is text if it is not finite, and bytes are numbers; elsewhere, an integer of more than 64 bits
/// is text.
pub fn in_any_format(a: &Value, b: &Value) -> bool {
    compare(a, b, &|a, b| match (a, b) {
        (Value::Number(a), Value::Number(b)) => same_number(*a, *b),
        (Value::Number(number), Value::Str(text)) | (Value::Str(text), Value::Number(number)) => {
            as_text(*number) == Some(text) || is_wide(*number) && number.to_string() == *text
        }
        (Value::Bytes(bytes), Value::Array(items)) | (Value::Array(items), Value::Bytes(bytes)) => {
            bytes.len() == items.len()
                && bytes.iter().zip(items).all(|(a, b)| *b == Value::from(u32::from(*a)))
        }
        _ => a == b,
    })
}

fn compare(a: &Value, b: &Value, leaf: &dyn Fn(&Value, &Value) -> bool) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compare(a, b, leaf))
        }
        (Value::Object(a), Value::Object(b)) => {
            let mut members = a.iter().zip(b);
            let same = |(a, b): (&(String, Value), &(String, Value))| {
                let ids = matches!((&a.1, &b.1), (Value::Number(_), Value::Number(_)))
                    && matches!(&*a.0, "$id" | "$weak");
                a.0 == b.0 && (ids || compare(&a.1, &b.1, leaf))
            };
            a.len() == b.len() && members.all(same)
        }
        _ => leaf(a, b),
    }
}

fn same_number(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::F32(a), Number::F32(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
        (Number::F64(a), Number::F64(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
        (Number::F32(a), Number::F64(b)) | (Number::F64(b), Number::F32(a)) => {
            (b as f32).to_bits() == a.to_bits() || a.is_nan() && b.is_nan()
        }
        _ => a == b,
    }
}

fn as_text(number: Number) -> Option<&'static str> {
    let float = match number {
        Number::F32(v) => f64::from(v),
        Number::F64(v) => v,
        _ => return None,
    };
    match float {
        f64::INFINITY => Some("inf"),
        f64::NEG_INFINITY => Some("-inf"),
        v if v.is_nan() => Some("NaN"),
        _ => None,
    }
}

fn is_wide(number: Number) -> bool {
    match number {
        Number::Int(v) => i64::try_from(v).is_err() && u64::try_from(v).is_err(),
        Number::UInt(_) => true,
        _ => false,
    }
}

/// Whether any value in a tree may be a pointer.
pub fn has_pointers(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_pointers),
        Value::Object(members) => {
            members.iter().any(|(name, value)| name.starts_with('$') || has_pointers(value))
        }
        _ => false,
    }
}

/// The depth of a tree.
pub fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.iter().map(|(_, v)| depth(v)).max().unwrap_or(0),
        _ => 0,
    }
}
