//! [`ToTree`]: a serializer that builds a tree.

use archive_core::{Number, Value};
use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::Refused;
use crate::tree::object_or_pairs;

/// A serializer that builds a tree with at most so many levels.
pub(crate) struct ToTree(pub(crate) usize);

impl ToTree {
    fn deeper(&self) -> Result<usize, Refused> {
        self.0.checked_sub(1).ok_or_else(Refused::too_deep)
    }
}

/// A sequence, and the variant it is the payload of.
pub(crate) struct Items {
    variant: Option<&'static str>,
    list: Vec<Value>,
    levels: usize,
}

/// A map, and the variant it is the payload of.
pub(crate) struct Entries {
    variant: Option<&'static str>,
    list: Vec<(Value, Value)>,
    key: Option<Value>,
    levels: usize,
}

/// Adds a `$` to a name that begins with `$`, so that it is not one of a pointer's names.
fn escaped(name: &str) -> String {
    if name.starts_with('$') { format!("${name}") } else { name.to_owned() }
}

fn variant(name: Option<&'static str>, payload: Value) -> Value {
    match name {
        Some(name) => Value::Object(vec![(escaped(name), payload)]),
        None => payload,
    }
}

macro_rules! scalars {
    ($($name:ident: $ty:ty;)*) => { $(
        fn $name(self, value: $ty) -> Result<Value, Refused> {
            Ok(value.into())
        }
    )* };
}

impl Serializer for ToTree {
    type Ok = Value;
    type Error = Refused;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Entries;

    scalars! {
        serialize_bool: bool; serialize_i8: i8; serialize_i16: i16; serialize_i32: i32;
        serialize_i64: i64; serialize_i128: i128; serialize_u8: u8; serialize_u16: u16;
        serialize_u32: u32; serialize_u64: u64; serialize_u128: u128; serialize_char: char;
        serialize_str: &str;
    }

    fn serialize_f32(self, value: f32) -> Result<Value, Refused> {
        Ok(Value::Number(Number::F32(value)))
    }
    fn serialize_f64(self, value: f64) -> Result<Value, Refused> {
        Ok(Value::Number(Number::F64(value)))
    }
    fn serialize_bytes(self, value: &[u8]) -> Result<Value, Refused> {
        Ok(Value::Bytes(value.to_vec()))
    }
    fn serialize_none(self) -> Result<Value, Refused> {
        Ok(Value::Null)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Refused> {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result<Value, Refused> {
        Ok(Value::Null)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, Refused> {
        Ok(Value::Null)
    }
    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<Value, Refused> {
        Ok(name.into())
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Value, Refused> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<Value, Refused> {
        Ok(variant(Some(name), value.serialize(ToTree(self.deeper()?))?))
    }
    fn serialize_seq(self, len: Option<usize>) -> Result<Items, Refused> {
        let list = Vec::with_capacity(len.unwrap_or(0).min(1024));
        Ok(Items { variant: None, list, levels: self.deeper()? })
    }
    fn serialize_tuple(self, len: usize) -> Result<Items, Refused> {
        self.serialize_seq(Some(len))
    }
    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Items, Refused> {
        self.serialize_seq(Some(len))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Items, Refused> {
        Ok(Items { variant: Some(name), list: Vec::new(), levels: self.deeper()? })
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Entries, Refused> {
        Ok(Entries { variant: None, list: Vec::new(), key: None, levels: self.deeper()? })
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries, Refused> {
        self.serialize_map(None)
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Entries, Refused> {
        let levels = self.deeper()?;
        Ok(Entries { variant: Some(name), list: Vec::new(), key: None, levels })
    }
}

macro_rules! items {
    ($($Trait:ident $method:ident;)*) => { $(
        impl $Trait for Items {
            type Ok = Value;
            type Error = Refused;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
                self.list.push(value.serialize(ToTree(self.levels))?);
                Ok(())
            }
            fn end(self) -> Result<Value, Refused> {
                Ok(variant(self.variant, Value::Array(self.list)))
            }
        }
    )* };
}
items! {
    SerializeSeq serialize_element; SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field; SerializeTupleVariant serialize_field;
}

impl Entries {
    fn finish(self) -> Value {
        let escape = |(key, value)| match key {
            Value::Str(name) => (Value::Str(escaped(&name)), value),
            key => (key, value),
        };
        // The keys of pairs are not names.
        let are_names = self.list.iter().all(|(key, _)| matches!(key, Value::Str(_)));
        let list = match are_names {
            true => self.list.into_iter().map(escape).collect(),
            false => self.list,
        };
        variant(self.variant, object_or_pairs(list))
    }
}

impl SerializeMap for Entries {
    type Ok = Value;
    type Error = Refused;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Refused> {
        self.key = Some(key.serialize(ToTree(self.levels))?);
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        let key = self.key.take().unwrap_or_default();
        self.list.push((key, value.serialize(ToTree(self.levels))?));
        Ok(())
    }
    fn end(self) -> Result<Value, Refused> {
        Ok(self.finish())
    }
}

macro_rules! fields {
    ($($Trait:ident;)*) => { $(
        impl $Trait for Entries {
            type Ok = Value;
            type Error = Refused;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Refused> {
                self.list.push((name.into(), value.serialize(ToTree(self.levels))?));
                Ok(())
            }
            fn end(self) -> Result<Value, Refused> {
                Ok(self.finish())
            }
        }
    )* };
}
fields! { SerializeStruct; SerializeStructVariant; }
