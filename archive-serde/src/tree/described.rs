//! Trees in formats that do not describe themselves: an enum stores the type of each value.

use std::fmt;

use archive_core::{Error, Number, Value};
use serde::Serialize;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

use crate::shared::Shared;

/// A tree that stores its types.
pub(crate) struct Described<'a>(pub(crate) &'a Value);

const NAME: &str = "Value";
const VARIANTS: &[&str] =
    &["Null", "Bool", "Int", "UInt", "Big", "F32", "F64", "Str", "Bytes", "Array", "Object"];

struct Raw<'a>(&'a [u8]);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_bytes(self.0)
    }
}

struct Items<'a>(&'a [Value]);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut seq = s.serialize_seq(Some(self.0.len()))?;
        self.0.iter().try_for_each(|item| seq.serialize_element(&Described(item)))?;
        seq.end()
    }
}

struct Members<'a>(&'a [(String, Value)]);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(name, value)| map.serialize_entry(name, &Described(value)))?;
        map.end()
    }
}

impl Serialize for Described<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        fn put<S: Serializer, T: Serialize + ?Sized>(
            s: S,
            index: u32,
            value: &T,
        ) -> Result<S::Ok, S::Error> {
            s.serialize_newtype_variant(NAME, index, VARIANTS[index as usize], value)
        }
        match self.0 {
            Value::Null => s.serialize_unit_variant(NAME, 0, VARIANTS[0]),
            Value::Bool(value) => put(s, 1, value),
            Value::Number(Number::Int(value)) => {
                match (i64::try_from(*value), u64::try_from(*value)) {
                    (Ok(value), _) => put(s, 2, &value),
                    (_, Ok(value)) => put(s, 3, &value),
                    _ => put(s, 4, &*value.to_string()),
                }
            }
            Value::Number(Number::UInt(value)) => put(s, 4, &*value.to_string()),
            Value::Number(Number::F32(value)) => put(s, 5, value),
            Value::Number(Number::F64(value)) => put(s, 6, value),
            Value::Str(text) => put(s, 7, text),
            Value::Bytes(bytes) => put(s, 8, &Raw(bytes)),
            Value::Array(items) => put(s, 9, &Items(items)),
            Value::Object(members) => put(s, 10, &Members(members)),
        }
    }
}

/// Reads a tree that stores its types.
pub(crate) struct DescribedSeed<'a, 's> {
    pub(crate) shared: &'a mut Shared<'s>,
    pub(crate) levels: usize,
}

impl<'a, 's> DescribedSeed<'a, 's> {
    pub(crate) fn new(shared: &'a mut Shared<'s>) -> Self {
        let levels = shared.options.settings().limits().depth.saturating_add(super::MORE_LEVELS);
        DescribedSeed { shared, levels }
    }

    fn deeper(&mut self) -> Result<DescribedSeed<'_, 's>, String> {
        match self.levels.checked_sub(1) {
            Some(levels) => Ok(DescribedSeed { shared: self.shared, levels }),
            None => {
                let limit = self.shared.options.settings().limits().depth;
                Err(self.shared.stash_error(Error::too_deep(limit)))
            }
        }
    }
}

impl<'de> DeserializeSeed<'de> for DescribedSeed<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_enum(NAME, VARIANTS, self)
    }
}

/// The index of a variant.
struct Index;

impl<'de> DeserializeSeed<'de> for Index {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Index {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the kind of a value")
    }
    fn visit_u64<E>(self, index: u64) -> Result<usize, E> {
        Ok(usize::try_from(index).unwrap_or(usize::MAX))
    }
    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<usize, E> {
        VARIANTS
            .iter()
            .position(|variant| *variant == name)
            .ok_or_else(|| E::unknown_variant(name, VARIANTS))
    }
}

impl<'de> Visitor<'de> for DescribedSeed<'_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a self-describing value")
    }

    fn visit_enum<A: EnumAccess<'de>>(mut self, data: A) -> Result<Value, A::Error> {
        use serde::de::Error;
        let (index, payload) = data.variant_seed(Index)?;
        if !matches!(index, 9 | 10) {
            return scalar(index, payload);
        }
        let inside = self.deeper().map_err(A::Error::custom)?;
        payload.newtype_variant_seed(Inside(inside, index == 9))
    }
}

/// Reads a value that contains no others. A separate function, since it takes much stack in some
/// builds.
#[inline(never)]
fn scalar<'de, A: VariantAccess<'de>>(index: usize, payload: A) -> Result<Value, A::Error> {
    use serde::de::Error;
    Ok(match index {
        0 => {
            payload.unit_variant()?;
            Value::Null
        }
        1 => Value::from(payload.newtype_variant::<bool>()?),
        2 => Value::from(payload.newtype_variant::<i64>()?),
        3 => Value::from(payload.newtype_variant::<u64>()?),
        4 => {
            let text = payload.newtype_variant::<String>()?;
            match (text.parse::<i128>(), text.parse::<u128>()) {
                (Ok(value), _) => Value::from(value),
                (_, Ok(value)) => Value::from(value),
                _ => return Err(A::Error::custom("an invalid number")),
            }
        }
        5 => Value::from(payload.newtype_variant::<f32>()?),
        6 => Value::from(payload.newtype_variant::<f64>()?),
        7 => Value::from(payload.newtype_variant::<String>()?),
        8 => Value::Bytes(payload.newtype_variant_seed(Bytes)?),
        _ => return Err(A::Error::custom("a value of an unknown kind")),
    })
}

/// Reads bytes.
pub(crate) struct Bytes;

impl<'de> DeserializeSeed<'de> for Bytes {
    type Value = Vec<u8>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Vec<u8>, D::Error> {
        from.deserialize_byte_buf(self)
    }
}

impl Visitor<'_> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }
    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
        Ok(bytes)
    }
}

/// Reads a sequence or a map of trees.
struct Inside<'a, 's>(DescribedSeed<'a, 's>, bool);

impl<'de> DeserializeSeed<'de> for Inside<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        if self.1 { from.deserialize_seq(self) } else { from.deserialize_map(self) }
    }
}

impl<'de> Visitor<'de> for Inside<'_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let DescribedSeed { shared, levels } = self.0;
        let mut items = Vec::new();
        while let Some(item) =
            seq.next_element_seed(DescribedSeed { shared: &mut *shared, levels })?
        {
            shared.keep(&mut items, item.own_size(), item)?;
        }
        shared.session.hold_no_more(&mut items);
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let DescribedSeed { shared, levels } = self.0;
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let seed = DescribedSeed { shared: &mut *shared, levels };
            let value = map.next_value_seed(seed)?;
            let size = name.capacity() + value.own_size();
            shared.keep(&mut members, size, (name, value))?;
        }
        shared.session.hold_no_more(&mut members);
        Ok(Value::Object(members))
    }
}
