//! Reading trees from formats that describe themselves.

use archive_core::decoder::POINTER_NAMES;
use archive_core::{Error, Value};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};

use crate::shared::{Shared, Tree};

/// Whether a member of that name, the first of its object, makes it a pointer.
pub(crate) fn is_pointer_name(name: &str) -> bool {
    name.starts_with('$') && POINTER_NAMES.contains(&name)
}

/// Reads whatever comes.
pub(crate) struct TreeSeed<'a, 's> {
    pub(crate) shared: &'a mut Shared<'s>,
    /// How many levels it may have.
    pub(crate) levels: usize,
    is_text: bool,
    pub(crate) has_pointers: &'a mut bool,
}

impl<'a, 's> TreeSeed<'a, 's> {
    /// Reads a tree of as many levels as a value of the program could have in the file, which has some
    /// that count for nothing.
    pub(crate) fn new(shared: &'a mut Shared<'s>, has_pointers: &'a mut bool) -> Self {
        let levels = shared.options.get_limits().depth.saturating_add(super::MORE_LEVELS);
        let is_text = shared.is_text;
        TreeSeed { shared, levels, is_text, has_pointers }
    }

    fn again(&mut self) -> TreeSeed<'_, 's> {
        TreeSeed {
            shared: self.shared,
            levels: self.levels,
            is_text: self.is_text,
            has_pointers: self.has_pointers,
        }
    }

    fn is_text(&self) -> bool {
        self.is_text
    }

    fn deeper(&mut self) -> Result<(), String> {
        match self.levels.checked_sub(1) {
            Some(left) => {
                self.levels = left;
                Ok(())
            }
            None => {
                let limit = self.shared.options.get_limits().depth;
                Err(self.shared.aside(Error::too_deep(limit)))
            }
        }
    }
}

/// Reads a sequence that has begun.
pub(crate) fn gather_seq<'de, A: SeqAccess<'de>>(
    seq: A,
    shared: &mut Shared<'_>,
) -> Result<Tree, Error> {
    let mut has_pointers = false;
    let value = TreeSeed::new(shared, &mut has_pointers).visit_seq(seq);
    value.map(|value| Tree { value, has_pointers }).map_err(|error| shared.refused(error))
}

/// Reads a map of which the first key has been read, unless it is empty.
pub(crate) fn gather_map<'de, A: MapAccess<'de>>(
    first: Option<Value>,
    map: A,
    shared: &mut Shared<'_>,
) -> Result<Tree, Error> {
    let mut has_pointers = false;
    let value = TreeSeed::new(shared, &mut has_pointers).rest_of_map(first, map);
    value.map(|value| Tree { value, has_pointers }).map_err(|error| shared.refused(error))
}

impl<'de> DeserializeSeed<'de> for TreeSeed<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        let is_text = from.is_human_readable();
        self.shared.is_text = is_text;
        from.deserialize_any(TreeSeed { is_text, ..self })
    }
}

impl<'de> Visitor<'de> for TreeSeed<'_, '_> {
    type Value = Value;

    visit_scalars!();

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Value, A::Error> {
        self.deeper().map_err(serde::de::Error::custom)?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self.again())? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Value, A::Error> {
        let first = map.next_key_seed(self.again())?;
        self.rest_of_map(first, map)
    }

    fn visit_enum<A: EnumAccess<'de>>(mut self, data: A) -> Result<Value, A::Error> {
        use serde::de::VariantAccess;
        self.deeper().map_err(serde::de::Error::custom)?;
        let (name, payload) = data.variant_seed(self.again())?;
        let Value::Str(name) = name else {
            return Err(serde::de::Error::custom("a variant without a name"));
        };
        let payload = payload.newtype_variant_seed(self.again())?;
        Ok(Value::Object(vec![(name, payload)]))
    }
}

impl TreeSeed<'_, '_> {
    fn rest_of_map<'de, A: MapAccess<'de>>(
        mut self,
        first: Option<Value>,
        mut map: A,
    ) -> Result<Value, A::Error> {
        self.deeper().map_err(serde::de::Error::custom)?;
        *self.has_pointers |= matches!(&first, Some(Value::Str(name)) if is_pointer_name(name));
        let mut entries = Vec::new();
        let mut next = first;
        while let Some(key) = next {
            entries.push((key, map.next_value_seed(self.again())?));
            next = map.next_key_seed(self.again())?;
        }
        Ok(object_or_pairs(entries))
    }
}

/// A map is an object if all its keys are text, and a sequence of pairs otherwise.
pub(crate) fn object_or_pairs(entries: Vec<(Value, Value)>) -> Value {
    if entries.iter().any(|(key, _)| !matches!(key, Value::Str(_))) {
        let pair = |(key, value)| Value::Array(vec![key, value]);
        return Value::Array(entries.into_iter().map(pair).collect());
    }
    let member = |(key, value)| match key {
        Value::Str(name) => (name, value),
        _ => (String::new(), value),
    };
    Value::Object(entries.into_iter().map(member).collect())
}
