//! [`Kept`]: the access that a format passes to a visitor, with the format's errors kept. Errors
//! pass through functions of the program, which know only one error type. At the end the format
//! gets its own error back, because only that has the position and the kind.
// Why: docs/decisions/serde.md#errors-of-a-format-keep-their-type

use std::fmt;

use serde::de::{DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

/// The access `A`, which stores its last error in a slot.
pub(crate) struct Kept<'k, A, E> {
    access: A,
    slot: &'k mut Option<E>,
}

impl<'k, A, E> Kept<'k, A, E> {
    pub(crate) fn new(access: A, slot: &'k mut Option<E>) -> Self {
        Kept { access, slot }
    }
}

/// The message of an error that is kept.
#[derive(Debug)]
pub(crate) struct Words(String);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Words {}

impl serde::de::Error for Words {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Words(message.to_string())
    }
}

#[cold]
fn keep<E: fmt::Display>(error: E, slot: &mut Option<E>) -> Words {
    let words = Words(error.to_string());
    *slot = Some(error);
    words
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Kept<'_, A, A::Error> {
    type Error = Words;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Words> {
        self.access.next_element_seed(seed).map_err(|error| keep(error, self.slot))
    }
    fn size_hint(&self) -> Option<usize> {
        self.access.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Kept<'_, A, A::Error> {
    type Error = Words;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Words> {
        self.access.next_key_seed(seed).map_err(|error| keep(error, self.slot))
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Words> {
        self.access.next_value_seed(seed).map_err(|error| keep(error, self.slot))
    }
    fn size_hint(&self) -> Option<usize> {
        self.access.size_hint()
    }
}

impl<'k, 'de, A: EnumAccess<'de>> EnumAccess<'de> for Kept<'k, A, A::Error> {
    type Error = Words;
    type Variant = Kept<'k, A::Variant, A::Error>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), Words> {
        let Kept { access, slot } = self;
        match access.variant_seed(seed) {
            Ok((value, payload)) => Ok((value, Kept { access: payload, slot })),
            Err(error) => Err(keep(error, slot)),
        }
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Kept<'_, A, A::Error> {
    type Error = Words;

    fn unit_variant(self) -> Result<(), Words> {
        self.access.unit_variant().map_err(|error| keep(error, self.slot))
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Words> {
        self.access.newtype_variant_seed(seed).map_err(|error| keep(error, self.slot))
    }
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Words> {
        self.access.tuple_variant(len, visitor).map_err(|error| keep(error, self.slot))
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Words> {
        self.access.struct_variant(fields, visitor).map_err(|error| keep(error, self.slot))
    }
}
