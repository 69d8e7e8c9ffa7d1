//! The schemas of values without members.

use archive_core::Value;
use archive_core::shape::{Payload, Primitive, Shape};

use super::{Schemas, any_of, described, object, text, texts, typed};
use crate::Meta;

impl Schemas<'_> {
    pub(super) fn value(&mut self, meta: &Meta) -> Value {
        self.is_root = false;
        match meta.shape {
            Shape::Primitive(primitive, meaning) => described(plain(*primitive), meaning),
            Shape::Seq(item, _) => {
                let items = self.of(&meta.part(item));
                object([("type", text("array")), ("items", items)])
            }
            Shape::Array(item, len, ..) => {
                let items = self.of(&meta.part(item));
                let (min, max) = (Value::from(*len as u64), Value::from(*len as u64));
                object([
                    ("type", text("array")),
                    ("items", items),
                    ("minItems", min),
                    ("maxItems", max),
                ])
            }
            Shape::Tuple(items, ..) => {
                let items = items.iter().map(|item| meta.part(item)).collect();
                self.tuple(items)
            }
            Shape::Map(key, value) => self.map(&meta.part(key), &meta.part(value)),
            Shape::Option(value) => {
                let value = meta.part(value);
                let inner = self.of(&value);
                let mut either = vec![typed("null"), inner.clone()];
                if may_be_null(value.shape) {
                    either.push(only("$some", inner));
                }
                any_of(either)
            }
            Shape::Pointer(pointee) => self.pointer(meta, &meta.part(pointee)),
            Shape::Weak(_) => any_of(vec![typed("null"), only("$weak", id())]),
            Shape::Dyn => self.owned_object(meta),
            // Anything. Classes and enums are definitions.
            _ => Value::Bool(true),
        }
    }

    pub(super) fn tuple(&mut self, items: Vec<Meta>) -> Value {
        if items.is_empty() {
            // A list of schemas in a schema must not be empty.
            return object([("type", text("array")), ("maxItems", Value::from(0))]);
        }
        let len = Value::from(items.len() as u64);
        let items = items.iter().map(|item| self.of(item)).collect();
        object([
            ("type", text("array")),
            ("prefixItems", Value::Array(items)),
            ("items", Value::Bool(false)),
            ("minItems", len),
        ])
    }

    /// Every loader accepts both forms of maps.
    fn map(&mut self, key: &Meta, value: &Meta) -> Value {
        let pair = self.tuple(vec![key.clone(), value.clone()]);
        let pairs = object([("type", text("array")), ("items", pair)]);
        let Some(names) = names(key.shape) else { return pairs };
        let values = self.of(value);
        let object = object([
            ("type", text("object")),
            ("propertyNames", names),
            ("additionalProperties", values),
        ]);
        any_of(vec![pairs, object])
    }
}

/// Returns the schema of an object with one member.
pub(super) fn only(name: &str, value: Value) -> Value {
    object([
        ("type", text("object")),
        ("properties", object([(name, value)])),
        ("required", texts([name])),
        ("additionalProperties", Value::Bool(false)),
    ])
}

/// Returns the schema of the number of an object.
pub(super) fn id() -> Value {
    object([("type", text("integer")), ("minimum", Value::from(1))])
}

fn plain(primitive: Primitive) -> Value {
    let whole = |min: i64, max: u64| {
        object([
            ("type", text("integer")),
            ("minimum", Value::from(min)),
            ("maximum", Value::from(max)),
        ])
    };
    match primitive {
        Primitive::Unit => typed("null"),
        Primitive::Bool => typed("boolean"),
        Primitive::U8 => whole(0, u8::MAX.into()),
        Primitive::U16 => whole(0, u16::MAX.into()),
        Primitive::U32 => whole(0, u32::MAX.into()),
        Primitive::U64 => whole(0, u64::MAX),
        Primitive::I8 => whole(i8::MIN.into(), i8::MAX as u64),
        Primitive::I16 => whole(i16::MIN.into(), i16::MAX as u64),
        Primitive::I32 => whole(i32::MIN.into(), i32::MAX as u64),
        Primitive::I64 => whole(i64::MIN, i64::MAX as u64),
        Primitive::U128 => object([("type", text("integer")), ("minimum", Value::from(0))]),
        Primitive::I128 => typed("integer"),
        Primitive::F32 | Primitive::F64 => {
            any_of(vec![typed("number"), object([("enum", texts(["NaN", "inf", "-inf"]))])])
        }
        Primitive::Char => object([
            ("type", text("string")),
            ("minLength", Value::from(1)),
            ("maxLength", Value::from(1)),
        ]),
        Primitive::Str => typed("string"),
        Primitive::Bytes => object([("type", text("array")), ("items", whole(0, u8::MAX.into()))]),
    }
}

/// Returns the schema of the names of keys, if keys of that type have names.
fn names(key: &Shape) -> Option<Value> {
    match key {
        Shape::Primitive(Primitive::Unit | Primitive::Bytes, _) => None,
        Shape::Primitive(Primitive::Str | Primitive::Char, _) => Some(typed("string")),
        Shape::Primitive(Primitive::Bool, _) => Some(object([("enum", texts(["false", "true"]))])),
        Shape::Primitive(..) => Some(typed("string")),
        Shape::Enum(info) => {
            let is_plain = |payload: &Payload| matches!(payload, Payload::Unit);
            if !info.variants.iter().all(|variant| is_plain(&variant.payload)) {
                return None;
            }
            if info.variants.iter().any(|variant| variant.other) {
                return Some(typed("string"));
            }
            let names = info.variants.iter();
            let names = names.flat_map(|variant| {
                std::iter::once(variant.name).chain(variant.aliases.iter().copied())
            });
            Some(object([("enum", texts(names))]))
        }
        _ => None,
    }
}

/// Returns whether a value may be null, so that `Some` of it is an object with `$some`.
fn may_be_null(shape: &Shape) -> bool {
    matches!(
        shape,
        Shape::Primitive(Primitive::Unit, _) | Shape::Option(_) | Shape::Weak(_) | Shape::Any
    )
}
