//! The keys of a map. No two of them may be equal.

use std::collections::HashSet;
use std::fmt::Write;

use archive_core::{Error, ErrorKind, Number, Payload, Primitive, Result, Shape, Value};

/// The keys of a map that were found so far.
pub(super) struct Keys {
    shape: &'static Shape,
    found: HashSet<String>,
}

impl Keys {
    pub(super) fn new(shape: &'static Shape) -> Self {
        Keys { shape, found: HashSet::new() }
    }

    /// Adds a key.
    ///
    /// # Errors
    /// An error if the map already has the key.
    pub(super) fn add(&mut self, key: &Value) -> Result {
        let mut text = String::new();
        spell(key, self.shape, &mut text);
        if self.found.insert(text) {
            return Ok(());
        }
        let message = format_args!("the map has the key {key} twice: remove one of the entries");
        Err(Error::new(ErrorKind::DuplicateMember, message))
    }
}

/// Writes a key so that keys that are equal in the file have the same text.
fn spell(key: &Value, shape: &'static Shape, out: &mut String) {
    match (shape, key) {
        (Shape::Primitive(Primitive::F32, _), Value::Number(number)) => {
            // Zeros of both signs are equal.
            let bits = number.to_f32().map_or(0, |float| (float + 0.0).to_bits());
            let _ = write!(out, "{bits}");
        }
        (Shape::Primitive(Primitive::F64, _), Value::Number(number)) => {
            let bits = number.to_f64().map_or(0, |float| (float + 0.0).to_bits());
            let _ = write!(out, "{bits}");
        }
        (Shape::Seq(item, _) | Shape::Array(item, ..), Value::Array(items)) => {
            parts(items.iter().map(|value| (value, item.get())), out);
        }
        (Shape::Tuple(shapes, ..), Value::Array(items)) => {
            parts(items.iter().zip(shapes.iter().map(|shape| shape.get())), out);
        }
        (Shape::Option(inner), _) => spell(key, inner.get(), out),
        (Shape::Class(class), Value::Object(values)) => {
            for member in class.members.unwrap_or_default() {
                if let Some((_, value)) = values.iter().find(|(name, _)| name == member.name) {
                    spell(value, member.shape.get(), out);
                    out.push(',');
                }
            }
            if class.members.is_none() {
                let _ = write!(out, "{key}");
            }
        }
        (Shape::Enum(info), Value::Object(members)) if members.len() == 1 => {
            let (name, payload) = &members[0];
            let _ = write!(out, "{name:?}");
            match info.find(name).map(|index| &info.variants[index].payload) {
                Some(Payload::Newtype(shape)) => spell(payload, shape.get(), out),
                _ if payload.is_null() => {}
                _ => {
                    let _ = write!(out, "{payload}");
                }
            }
        }
        (_, Value::Number(number)) => match number.to_integer::<i128>() {
            Ok(integer) => {
                let _ = write!(out, "{integer}");
            }
            Err(_) => {
                let _ = write!(out, "{}", Number::to_string(number));
            }
        },
        _ => {
            let _ = write!(out, "{key}");
        }
    }
}

fn parts<'v>(parts: impl Iterator<Item = (&'v Value, &'static Shape)>, out: &mut String) {
    out.push('[');
    for (value, shape) in parts {
        spell(value, shape, out);
        out.push(',');
    }
    out.push(']');
}
