//! The suite of values with all their encodings: each must decode to its value, and the encoding of
//! the value must be one of them.

use crate::common::{MessagePack, bytes, fixture, hex};
use archive_core::{Backend, Number, Value};
use serde_json::Value as Json;

/// The value of an entry of the suite.
fn expected(kind: &str, value: &Json) -> Value {
    match (kind, value) {
        ("binary", Json::String(text)) => Value::Bytes(bytes(text)),
        ("bignum", Json::String(text)) => Value::Number(Number::Int(text.parse().unwrap())),
        ("timestamp", Json::Array(parts)) => {
            let (seconds, nanos) = (parts[0].as_i64().unwrap(), parts[1].as_u64().unwrap());
            extension(-1, timestamp(seconds, nanos as u32))
        }
        ("ext", Json::Array(parts)) => {
            extension(parts[0].as_i64().unwrap(), bytes(parts[1].as_str().unwrap()))
        }
        _ => tree(value),
    }
}

fn extension(kind: i64, data: Vec<u8>) -> Value {
    Value::Object(vec![("$ext".into(), kind.into()), ("$data".into(), Value::Bytes(data))])
}

/// The data of a timestamp, in the smallest of its three forms.
fn timestamp(seconds: i64, nanos: u32) -> Vec<u8> {
    match u64::try_from(seconds) {
        Ok(seconds) if seconds >> 34 == 0 => {
            let both = (u64::from(nanos) << 34) | seconds;
            match u32::try_from(both) {
                Ok(short) => short.to_be_bytes().to_vec(),
                Err(_) => both.to_be_bytes().to_vec(),
            }
        }
        _ => [&nanos.to_be_bytes()[..], &seconds.to_be_bytes()].concat(),
    }
}

fn tree(value: &Json) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => (*value).into(),
        Json::String(text) => text.as_str().into(),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(value), ..) => value.into(),
            (_, Some(value), _) => value.into(),
            (.., value) => value.unwrap().into(),
        },
        Json::Array(items) => items.iter().map(tree).collect::<Vec<_>>().into(),
        Json::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), tree(value))).collect())
        }
    }
}

/// Numbers are equal if their values are: the suite lists floats among the forms of an integer.
fn is(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Number(Number::Int(a)), Value::Number(Number::Int(b))) => a == b,
        (Value::Number(a), Value::Number(b)) => a.to_f64().unwrap() == b.to_f64().unwrap(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && is(&a.1, &b.1))
        }
        _ => found == expected,
    }
}

#[test]
fn msgpack_test_suite() {
    let Some(suite) = fixture("msgpack-test-suite/dist/msgpack-test-suite.json") else { return };
    let suite: Json = serde_json::from_str(&suite).unwrap();
    let mut count = 0;
    for (group, entries) in suite.as_object().unwrap() {
        for entry in entries.as_array().unwrap() {
            let encodings: Vec<Vec<u8>> = entry["msgpack"]
                .as_array()
                .unwrap()
                .iter()
                .map(|encoding| bytes(encoding.as_str().unwrap()))
                .collect();
            // A big number occurs twice: as a number that may not be exact, and as text.
            let values = entry.as_object().unwrap().iter().filter(|(kind, _)| *kind != "msgpack");
            let exact = entry.get("bignum").is_some();
            for (kind, value) in values.filter(|(kind, _)| !exact || *kind == "bignum") {
                let expected = expected(kind, value);
                for encoding in &encodings {
                    let place = format!("{group}: {value} as {}", hex(encoding));
                    let found: Value = MessagePack::from_slice(encoding)
                        .unwrap_or_else(|e| panic!("{place}: {e}"));
                    assert!(is(&found, &expected), "{place}: {found:?}");
                    for value in [&found, &expected] {
                        let again = MessagePack::to_vec(value).unwrap();
                        assert!(encodings.contains(&again), "{place}: written {}", hex(&again));
                    }
                    count += 1;
                }
            }
        }
    }
    assert!(count > 200, "{count} encodings");
}
