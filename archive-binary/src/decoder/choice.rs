//! Enums.

use archive_core::decoder::{Kind, VariantHead};
use archive_core::shape::{Enum, Payload};
use archive_core::{Decoder as _, Error, ErrorKind, Result};

use super::Decoder;
use super::object::UNTYPED;
use crate::cursor::no_variant;
use crate::types::{Type, TypeId};

impl Decoder<'_> {
    /// Reads a variant of an enum that matches the program's type.
    #[inline]
    pub(super) fn equal_variant(&mut self, info: &'static Enum) -> Result<VariantHead> {
        self.start = self.data.at();
        let number = self.data.u64()?;
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(variant) = info.variants.get(index) else {
            return Err(no_variant(number, self.start));
        };
        let payload = !matches!(variant.payload, Payload::Unit);
        if payload {
            self.open_frameless(false);
        }
        Ok(VariantHead { index: Ok(index), payload })
    }

    /// Reads a variant of another enum, or a value as text formats write it for a variant.
    pub(super) fn typed_variant(&mut self, info: &'static Enum) -> Result<VariantHead> {
        let slot = self.slot;
        if let Some(Type::Enum { variants, .. }) = self.tables.get(slot) {
            (self.start, self.slot) = (self.data.at(), TypeId::NONE);
            let number = self.data.u64()?;
            let index = usize::try_from(number).unwrap_or(usize::MAX);
            let Some((name, payload)) = variants.get(index).copied() else {
                return Err(no_variant(number, self.start));
            };
            if let Some(kind) = payload {
                self.open_frameless(false);
                self.slot = kind;
            }
            let found = match info.variants.get(index) {
                Some(variant) if variant.name == name => Some(index),
                _ => info.find(name),
            };
            let index = found.ok_or_else(|| name.to_owned());
            return Ok(VariantHead { index, payload: payload.is_some() });
        }
        let kind = self.peek()?;
        match kind {
            Kind::Str => {
                let name = self.typed_str("a variant")?;
                let index = info.find(name).ok_or_else(|| name.to_owned());
                Ok(VariantHead { index, payload: false })
            }
            Kind::Object => {
                self.object_slow(&UNTYPED)?;
                let Some(name) = self.next_name()? else {
                    return Err(Error::wrong_type("a variant", "an empty object").at(self.here()));
                };
                let index = info.find(name).ok_or_else(|| name.to_owned());
                Ok(VariantHead { index, payload: true })
            }
            _ => {
                self.take_slot();
                Err(self.wrong(&format!("a variant of `{}`", info.name()), slot))
            }
        }
    }
}

/// Creates the error for an object that represents a variant and has a second member.
#[cold]
pub(super) fn second_variant(name: &str) -> Error {
    let message =
        format_args!("a variant is an object with one member, found a second one: `{name}`");
    Error::new(ErrorKind::UnknownMember, message)
}
