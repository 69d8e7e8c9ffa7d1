//! Writing trees.

use archive_core::{Number, Value};
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

/// A tree, written in the form for formats that describe themselves.
pub(crate) struct Written<'a>(pub(crate) &'a Value);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => s.serialize_none(),
            Value::Bool(value) => s.serialize_bool(*value),
            Value::Number(number) => write_number(*number, s),
            Value::Str(text) => s.serialize_str(text),
            Value::Bytes(bytes) => s.serialize_bytes(bytes),
            Value::Array(items) => {
                let mut seq = s.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| seq.serialize_element(&Written(item)))?;
                seq.end()
            }
            Value::Object(members) => {
                let mut map = s.serialize_map(Some(members.len()))?;
                members
                    .iter()
                    .try_for_each(|(name, value)| map.serialize_entry(name, &Written(value)))?;
                map.end()
            }
        }
    }
}

/// Writes a number; integers of more than 64 bits are written as text.
fn write_number<S: Serializer>(number: Number, s: S) -> Result<S::Ok, S::Error> {
    match number {
        Number::Int(value) => write_int(value, s),
        Number::UInt(value) => s.serialize_str(&value.to_string()),
        Number::F32(value) => write_f32(value, s),
        Number::F64(value) => write_f64(value, s),
    }
}

/// Writes an integer; one of more than 64 bits is written as text.
pub(crate) fn write_int<S: Serializer>(value: i128, s: S) -> Result<S::Ok, S::Error> {
    if let Ok(value) = i64::try_from(value) {
        s.serialize_i64(value)
    } else if let Ok(value) = u64::try_from(value) {
        s.serialize_u64(value)
    } else {
        s.serialize_str(&value.to_string())
    }
}

/// Writes a float; in text formats, floats that are not finite are written as text.
#[inline]
pub(crate) fn write_f32<S: Serializer>(value: f32, s: S) -> Result<S::Ok, S::Error> {
    match special(value.into()) {
        Some(text) if s.is_human_readable() => s.serialize_str(text),
        _ => s.serialize_f32(value),
    }
}

/// As [`write_f32`].
#[inline]
pub(crate) fn write_f64<S: Serializer>(value: f64, s: S) -> Result<S::Ok, S::Error> {
    match special(value) {
        Some(text) if s.is_human_readable() => s.serialize_str(text),
        _ => s.serialize_f64(value),
    }
}

fn special(value: f64) -> Option<&'static str> {
    if value.is_finite() {
        None
    } else if value.is_nan() {
        Some("NaN")
    } else if value > 0.0 {
        Some("inf")
    } else {
        Some("-inf")
    }
}
