//! [`Skip`]: skips a value. This library limits the depth itself, because not every format has a
//! limit that stacks can bear.
// Why: docs/decisions/serde.md#the-depth-of-skipped-values-is-counted-here

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};

use crate::shared::Shared;

/// Skips a value.
pub(crate) struct Skip<'a, 's> {
    levels: usize,
    /// How many more levels of the input may be entered that do not count for the value: an option,
    /// or a struct around one value, at each level of it.
    more: usize,
    /// The state that receives the error for too many levels, if any.
    shared: Option<&'a mut Shared<'s>>,
    /// Whether the value is read with `deserialize_any`. Some formats skip ignored values
    /// themselves, at any depth.
    any: bool,
}

impl<'a, 's> Skip<'a, 's> {
    /// Creates a skip with the depth that a value may have here.
    pub(crate) fn new(shared: &'a mut Shared<'s>) -> Self {
        let any = shared.manner.describes;
        let levels = shared.levels_left();
        let more = levels.saturating_add(super::MORE_LEVELS);
        Skip { levels, more, shared: Some(shared), any }
    }

    /// Creates a skip with that depth; deeper values pass if the format skips them itself.
    pub(crate) fn levels(levels: usize) -> Self {
        Skip { levels, more: levels, shared: None, any: false }
    }

    fn again(&mut self) -> Skip<'_, 's> {
        let Skip { levels, more, any, .. } = *self;
        Skip { levels, more, shared: self.shared.as_deref_mut(), any }
    }

    fn deeper<E: serde::de::Error>(&mut self) -> Result<(), E> {
        let Some(left) = self.levels.checked_sub(1) else { return Err(self.too_deep()) };
        self.levels = left;
        Ok(())
    }

    /// Enters a level of the input that does not count for the value.
    fn through<E: serde::de::Error>(&mut self) -> Result<(), E> {
        let Some(left) = self.more.checked_sub(1) else { return Err(self.too_deep()) };
        self.more = left;
        Ok(())
    }

    #[cold]
    fn too_deep<E: serde::de::Error>(&mut self) -> E {
        match &mut self.shared {
            Some(shared) => {
                let error = shared.too_deep();
                E::custom(shared.stash_error(error))
            }
            None => E::custom("nested too deeply"),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Skip<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        if self.any { from.deserialize_any(self) } else { from.deserialize_ignored_any(self) }
    }
}

macro_rules! scalars {
    ($($name:ident: $ty:ty;)*) => { $(
        fn $name<E>(self, _: $ty) -> Result<(), E> {
            Ok(())
        }
    )* };
}

impl<'de> Visitor<'de> for Skip<'_, '_> {
    type Value = ();

    scalars! {
        visit_bool: bool; visit_i64: i64; visit_i128: i128; visit_u64: u64; visit_u128: u128;
        visit_f64: f64; visit_str: &str; visit_bytes: &[u8];
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_some<D: Deserializer<'de>>(mut self, from: D) -> Result<(), D::Error> {
        self.through()?;
        self.deserialize(from)
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(mut self, from: D) -> Result<(), D::Error> {
        self.through()?;
        self.deserialize(from)
    }
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        self.deeper()?;
        while seq.next_element_seed(self.again())?.is_some() {}
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        self.deeper()?;
        while map.next_key_seed(self.again())?.is_some() {
            map.next_value_seed(self.again())?;
        }
        Ok(())
    }
    fn visit_enum<A: EnumAccess<'de>>(mut self, data: A) -> Result<(), A::Error> {
        use serde::de::VariantAccess;
        self.deeper()?;
        let ((), payload) = data.variant_seed(self.again())?;
        payload.newtype_variant_seed(self)
    }
}
