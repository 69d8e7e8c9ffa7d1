//! [`FromTree`]: a deserializer of a tree.

use archive_core::{Number, Value};
use serde::de::value::StrDeserializer;
use serde::de::{Deserializer, Error, IntoDeserializer, Visitor};

use super::Refused;
use super::access::{Choice, Entries, Items};

/// A deserializer of a tree.
pub(crate) struct FromTree {
    pub(crate) tree: Value,
    /// Whether names that begin with `$` got another `$` when they were written.
    pub(crate) is_escaped: bool,
}

impl FromTree {
    pub(crate) fn of(tree: Value, is_escaped: bool) -> Self {
        FromTree { tree, is_escaped }
    }
}

/// Returns the name without the added `$`.
pub(crate) fn unescaped(name: &str, is_escaped: bool) -> &str {
    if is_escaped && name.starts_with("$$") { &name[1..] } else { name }
}

fn visit_number<'de, V: Visitor<'de>>(number: Number, visitor: V) -> Result<V::Value, Refused> {
    match number {
        Number::Int(value) => {
            if let Ok(value) = u64::try_from(value) {
                visitor.visit_u64(value)
            } else if let Ok(value) = i64::try_from(value) {
                visitor.visit_i64(value)
            } else {
                visitor.visit_i128(value)
            }
        }
        Number::UInt(value) => visitor.visit_u128(value),
        Number::F32(value) => visitor.visit_f32(value),
        Number::F64(value) => visitor.visit_f64(value),
    }
}

macro_rules! any {
    ($($name:ident)*) => { $(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
            self.deserialize_any(visitor)
        }
    )* };
}

/// Implements the integers that are text in formats without such numbers.
macro_rules! big {
    ($($name:ident $visit:ident $ty:ty;)*) => { $(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
            match &self.tree {
                Value::Str(text) => match text.parse::<$ty>() {
                    Ok(value) => visitor.$visit(value),
                    Err(_) => self.deserialize_any(visitor),
                },
                _ => self.deserialize_any(visitor),
            }
        }
    )* };
}

macro_rules! float {
    ($($name:ident)*) => { $(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
            match &self.tree {
                Value::Str(text) if text == "NaN" => visitor.visit_f64(f64::NAN),
                Value::Str(text) if text == "inf" => visitor.visit_f64(f64::INFINITY),
                Value::Str(text) if text == "-inf" => visitor.visit_f64(f64::NEG_INFINITY),
                _ => self.deserialize_any(visitor),
            }
        }
    )* };
}

impl<'de> Deserializer<'de> for FromTree {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let is_escaped = self.is_escaped;
        match self.tree {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(number) => visit_number(number, visitor),
            Value::Str(text) => visitor.visit_string(text),
            Value::Bytes(bytes) => visitor.visit_byte_buf(bytes),
            Value::Array(items) => {
                let mut items = Items::new(items, is_escaped);
                let value = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(value)
            }
            Value::Object(members) => {
                let entries = members.into_iter().map(|(name, value)| (Value::Str(name), value));
                let mut entries = Entries::new(entries.collect(), is_escaped);
                let value = visitor.visit_map(&mut entries)?;
                entries.end()?;
                Ok(value)
            }
        }
    }

    any! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_char
        deserialize_str deserialize_string deserialize_unit deserialize_identifier
    }
    big! {
        deserialize_i128 visit_i128 i128; deserialize_u128 visit_u128 u128;
    }
    float! { deserialize_f32 deserialize_f64 }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.deserialize_byte_buf(visitor)
    }
    /// Accepts sequences of numbers, because few formats distinguish bytes from them.
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let Value::Array(items) = &self.tree else { return self.deserialize_any(visitor) };
        let byte = |item: &Value| item.as_u64().and_then(|value| u8::try_from(value).ok());
        match items.iter().map(byte).collect::<Option<Vec<u8>>>() {
            Some(bytes) => visitor.visit_byte_buf(bytes),
            None => self.deserialize_any(visitor),
        }
    }
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.tree {
            Value::Bytes(bytes) => {
                let items = bytes.into_iter().map(Value::from).collect();
                FromTree::of(Value::Array(items), self.is_escaped).deserialize_any(visitor)
            }
            _ => self.deserialize_any(visitor),
        }
    }
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Refused> {
        self.deserialize_seq(visitor)
    }
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        self.deserialize_seq(visitor)
    }
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.tree {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        self.deserialize_any(visitor)
    }
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        visitor.visit_newtype_struct(self)
    }
    /// Accepts sequences of pairs, as which maps are written if not all keys are text.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let is_pair = |item: &Value| item.as_array().is_some_and(|pair| pair.len() == 2);
        match self.tree {
            Value::Array(pairs) if pairs.iter().all(is_pair) => {
                let entry = |pair| match pair {
                    Value::Array(mut pair) => {
                        let value = pair.pop().unwrap_or_default();
                        (pair.pop().unwrap_or_default(), value)
                    }
                    other => (other, Value::Null),
                };
                // The keys of pairs are not names.
                let entries = pairs.into_iter().map(entry).collect();
                let mut entries = Entries::pairs(entries, self.is_escaped);
                let value = visitor.visit_map(&mut entries)?;
                entries.end()?;
                Ok(value)
            }
            _ => self.deserialize_any(visitor),
        }
    }
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        self.deserialize_any(visitor)
    }
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        match self.tree {
            Value::Str(name) => {
                let name: StrDeserializer<'_, Refused> = (*name).into_deserializer();
                visitor.visit_enum(name)
            }
            Value::Object(mut members) if members.len() == 1 => match members.pop() {
                Some((name, payload)) => {
                    visitor.visit_enum(Choice { name, payload, is_escaped: self.is_escaped })
                }
                None => Err(Refused::custom("a variant without a name")),
            },
            _ => Err(Refused::custom("expected a variant: its name, or an object with one member")),
        }
    }
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_unit()
    }
}
