//! [`Skip`]: passes over a value. How deep it may nest is ours to say: not every format has a limit that
//! stacks can bear.

use std::fmt;

use archive_core::Error;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};

use crate::shared::Shared;

/// Passes over a value.
pub(crate) struct Skip<'a, 's> {
    levels: usize,
    /// Where the error for too many levels is put, if anywhere.
    shared: Option<&'a mut Shared<'s>>,
}

impl<'a, 's> Skip<'a, 's> {
    /// As deep as a [tree](super::TreeSeed) may nest.
    pub(crate) fn new(shared: &'a mut Shared<'s>) -> Self {
        let levels = shared.options.get_limits().depth.saturating_add(super::MORE_LEVELS);
        Skip { levels, shared: Some(shared) }
    }

    /// So deep.
    pub(crate) fn levels(levels: usize) -> Self {
        Skip { levels, shared: None }
    }

    fn again(&mut self) -> Skip<'_, 's> {
        Skip { levels: self.levels, shared: self.shared.as_deref_mut() }
    }

    fn deeper<E: serde::de::Error>(&mut self) -> Result<(), E> {
        let Some(left) = self.levels.checked_sub(1) else { return Err(self.too_deep()) };
        self.levels = left;
        Ok(())
    }

    #[cold]
    fn too_deep<E: serde::de::Error>(&mut self) -> E {
        match &mut self.shared {
            Some(shared) => {
                let limit = shared.options.get_limits().depth;
                E::custom(shared.aside(Error::too_deep(limit)))
            }
            None => E::custom("nested too deep"),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Skip<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_ignored_any(self)
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
        self.deeper()?;
        self.deserialize(from)
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(mut self, from: D) -> Result<(), D::Error> {
        self.deeper()?;
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
