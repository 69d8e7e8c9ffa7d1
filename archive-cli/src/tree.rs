//! Comparing trees from different formats, which represent some values differently.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use archive::Value;
use archive::format::reserved;
use archive::value::Number;

/// Normalizes a tree to what every format can represent: all floats have 64 bits, bytes are sequences of
/// numbers, and numbers that some formats cannot represent are text.
pub fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => plain_number(number),
        Value::Bytes(bytes) => bytes.into_iter().map(Value::from).collect(),
        Value::Array(items) => Value::Array(items.into_iter().map(plain).collect()),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (name, plain(value))).collect())
        }
        other => other,
    }
}

fn plain_number(number: Number) -> Value {
    match number {
        Number::Int(value) if i64::try_from(value).is_ok() || u64::try_from(value).is_ok() => {
            Value::Number(number)
        }
        Number::Int(value) => Value::Str(value.to_string()),
        Number::UInt(value) => Value::Str(value.to_string()),
        // The shortest text of the `f32`, as in text formats.
        Number::F32(value) if value.is_finite() => {
            Value::from(value.to_string().parse::<f64>().unwrap_or(value.into()))
        }
        Number::F32(value) => Value::Str(value.to_string()),
        Number::F64(value) if !value.is_finite() => Value::Str(value.to_string()),
        Number::F64(_) => Value::Number(number),
    }
}

/// Returns whether two plain scalars are the same value.
pub fn same_scalar(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(Number::F64(a)), Value::Number(Number::F64(b))) => {
            a == b && a.is_sign_negative() == b.is_sign_negative()
        }
        (Value::Number(a), Value::Number(b)) => match (a.to_f64(), b.to_f64()) {
            // Both are integers, or one is a float with no fraction.
            _ if a == b => true,
            (Ok(x), Ok(y)) => {
                let exact =
                    |number: &Number| number.conversion(archive::shape::Primitive::F64).is_none();
                x == y && exact(a) && exact(b)
            }
            _ => false,
        },
        (a, b) => a == b,
    }
}

/// Returns the entries of an object, or of a map that is stored as a sequence of pairs, by their keys as
/// text. In an object, a key that begins with `$` has a second one.
pub fn as_members(value: &Value) -> Option<Vec<(String, &Value)>> {
    match value {
        Value::Object(members) => {
            let plain = |name: &str| name[usize::from(name.starts_with("$$"))..].to_owned();
            Some(members.iter().map(|(name, value)| (plain(name), value)).collect())
        }
        Value::Array(entries) => entries
            .iter()
            .map(|entry| match entry.as_array()? {
                [Value::Str(key), value] => Some((key.clone(), value)),
                [key @ (Value::Number(_) | Value::Bool(_)), value] => {
                    Some((key.to_string(), value))
                }
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

/// Returns a hash of a plain tree that is independent of the ids of objects and of differences
/// between formats: maps are objects or pairs, and a null member may be absent.
pub fn hash(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash_into(value, &mut hasher);
    hasher.finish()
}

fn hash_into(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Null => 0_u8.hash(hasher),
        Value::Bool(value) => (1_u8, value).hash(hasher),
        Value::Number(number) => match number.to_f64() {
            Ok(float) => (2_u8, float.to_bits()).hash(hasher),
            Err(_) => (2_u8, number.to_string()).hash(hasher),
        },
        Value::Str(text) => (3_u8, text).hash(hasher),
        Value::Bytes(bytes) => (4_u8, bytes).hash(hasher),
        Value::Object(members) if pointer(members).is_some() => {
            7_u8.hash(hasher);
            for (name, value) in members {
                name.hash(hasher);
                if name != reserved::ID && name != reserved::WEAK {
                    hash_into(value, hasher);
                }
            }
        }
        Value::Array(items) => match as_members(value) {
            Some(members) => hash_members(&members, hasher),
            None => {
                (5_u8, items.len()).hash(hasher);
                items.iter().for_each(|item| hash_into(item, hasher));
            }
        },
        Value::Object(_) => hash_members(&as_members(value).unwrap_or_default(), hasher),
    }
}

/// Independent of the order of members.
fn hash_members(members: &[(String, &Value)], hasher: &mut DefaultHasher) {
    let known = members.iter().filter(|(_, value)| !value.is_null());
    let sum = known.fold(0_u64, |sum, (name, value)| {
        let mut own = DefaultHasher::new();
        name.hash(&mut own);
        hash_into(value, &mut own);
        sum.wrapping_add(own.finish())
    });
    (6_u8, sum).hash(hasher);
}

/// A pointer in a tree.
pub enum Pointer<'v> {
    /// A pointer that owns the object with that id, alone or shared.
    Strong(u64),
    /// A weak pointer to the object with that id.
    Weak(u64),
    /// A pointer to an object without an id: the members of the pointer.
    Owned(&'v [(String, Value)]),
}

/// Returns the pointer that an object represents, if it is one.
pub fn pointer(members: &[(String, Value)]) -> Option<Pointer<'_>> {
    let (first, value) = members.first()?;
    match first.as_str() {
        reserved::WEAK => Some(Pointer::Weak(value.as_u64()?)),
        reserved::ID => Some(Pointer::Strong(value.as_u64()?)),
        reserved::TYPE | reserved::VALUE => Some(Pointer::Owned(members)),
        _ => None,
    }
}

/// Returns the member with that name.
pub fn member<'v>(members: &'v [(String, Value)], name: &str) -> Option<&'v Value> {
    members.iter().find(|(other, _)| other == name).map(|(_, value)| value)
}

/// The pointers of a tree with which objects are stored, by the ids of the objects.
pub type Pointees<'v> = HashMap<u64, &'v [(String, Value)]>;

/// Returns the pointers of a tree with which objects are stored.
pub fn pointees(tree: &Value) -> Pointees<'_> {
    let mut found = Pointees::new();
    let mut open = vec![tree];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                if let Some(Pointer::Strong(id)) = pointer(members)
                    && member(members, reserved::VALUE).is_some()
                {
                    found.entry(id).or_insert(members);
                }
                open.extend(members.iter().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found
}

/// Returns whether replacing one tree by the other would change nothing in any format.
pub fn identical(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| identical(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|((name, a), (other, b))| name == other && identical(a, b))
        }
        (Value::Bytes(a), Value::Bytes(b)) => a == b,
        (Value::Bytes(bytes), Value::Array(items)) | (Value::Array(items), Value::Bytes(bytes)) => {
            items.len() == bytes.len()
                && bytes.iter().zip(items).all(|(byte, item)| identical(&(*byte).into(), item))
        }
        (Value::Number(a), b) => same_spelled(&plain_number(*a), b),
        (a, Value::Number(b)) => same_spelled(&plain_number(*b), a),
        (a, b) => a == b,
    }
}

/// Returns whether a number is written the same as another value.
fn same_spelled(number: &Value, other: &Value) -> bool {
    let other = match other {
        Value::Number(other) => &plain_number(*other),
        other => other,
    };
    match (number, other) {
        (Value::Number(Number::F64(a)), Value::Number(Number::F64(b))) => {
            a.to_bits() == b.to_bits()
        }
        (a, b) => a == b,
    }
}

/// Converts a value from JSON to the kind of the value that it replaces: to a float of the same size, or to
/// bytes.
pub fn adapted(old: &Value, new: &Value) -> Value {
    match (old, new) {
        (Value::Number(Number::F32(_)), Value::Number(number)) => match number.to_f32() {
            Ok(float) if identical(&Value::from(float), &as_float(new)) => Value::from(float),
            _ => adapted(&Value::from(0.0), new),
        },
        (Value::Number(Number::F64(_)), Value::Number(_)) => as_float(new),
        (Value::Number(Number::F32(_) | Number::F64(_)), Value::Str(text)) => match text.as_str() {
            "NaN" => Value::from(f64::NAN),
            "inf" => Value::from(f64::INFINITY),
            "-inf" => Value::from(f64::NEG_INFINITY),
            _ => new.clone(),
        },
        (Value::Bytes(_), Value::Array(items)) => {
            let byte = |item: &Value| item.as_u64().and_then(|byte| u8::try_from(byte).ok());
            let bytes: Option<Vec<u8>> = items.iter().map(byte).collect();
            bytes.map_or_else(|| new.clone(), Value::Bytes)
        }
        (Value::Array(before), Value::Array(items)) => {
            let pattern = |at: usize| before.get(at).or(before.last());
            let item = |(at, item): (usize, &Value)| match pattern(at) {
                Some(old) => adapted(old, item),
                None => item.clone(),
            };
            items.iter().enumerate().map(item).collect()
        }
        (Value::Object(before), Value::Object(members)) => {
            let adapt = |(name, value): &(String, Value)| match member(before, name) {
                Some(old) => (name.clone(), adapted(old, value)),
                None => (name.clone(), value.clone()),
            };
            Value::Object(members.iter().map(adapt).collect())
        }
        _ => new.clone(),
    }
}

/// Returns an integer as a float, if that is the same number.
fn as_float(value: &Value) -> Value {
    match value.as_f64() {
        Some(float) if matches!(value, Value::Number(Number::Int(_) | Number::UInt(_))) => {
            Value::from(float)
        }
        _ => value.clone(),
    }
}
