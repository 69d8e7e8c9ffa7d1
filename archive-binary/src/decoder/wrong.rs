//! Messages about values whose type differs from the requested one.

use archive_core::decoder::Kind;
use archive_core::shape::Primitive;
use archive_core::{Error, Found, Result};

use super::Decoder;
use super::scalar::{untyped, wide_integer};
use crate::types::{Type, TypeId};

impl Decoder<'_> {
    /// Creates the error for a value of that type, if another type was requested.
    #[cold]
    pub(super) fn wrong(&self, expected: &str, found: TypeId) -> Error {
        match self.describe(found) {
            Ok(found) => Error::wrong_type(expected, found).at(self.here()),
            Err(error) => error,
        }
    }

    /// Describes the value at the cursor, of that type, for messages.
    #[cold]
    fn describe(&self, slot: TypeId) -> Result<String> {
        let mut slot = slot;
        let mut ahead = self.data;
        while let Some(Type::Option(value)) = self.tables.get(slot) {
            if !ahead.flag("an option")? {
                return Ok(Found::Null.to_string());
            }
            slot = *value;
        }
        let tagged = slot == TypeId::ANY;
        let tag = if tagged { ahead.byte()? } else { 0 };
        if let Some(Type::Enum { variants, .. }) = self.tables.get(slot) {
            let index = usize::try_from({ ahead }.u64()?).unwrap_or(usize::MAX);
            if let Some((name, None)) = variants.get(index) {
                return Ok(Found::Text(name).to_string());
            }
        }
        let number = if let Some(primitive) = slot.primitive() {
            untyped(primitive, &mut { ahead })?
        } else if let Some(wide) = slot.wide() {
            Some(wide_integer(wide, &mut { ahead })?)
        } else if tagged {
            super::tagged::number(tag, &mut { ahead })?
        } else {
            None
        };
        if let Some(number) = number {
            return Ok(Found::Number(number).to_string());
        }
        if slot == TypeId::of(Primitive::Char) {
            return Ok(Found::Text(ahead.char()?.encode_utf8(&mut [0; 4])).to_string());
        }
        let kind = if tagged {
            super::tagged::kind(tag, ahead.at())?
        } else {
            let mut here = self.data;
            here.goto(ahead.at());
            self.kind_at(slot, here)?
        };
        Ok(match kind {
            Kind::Bool if tagged => Found::Bool(tag == crate::tags::TRUE).to_string(),
            Kind::Bool => Found::Bool(ahead.flag("bool")?).to_string(),
            Kind::Str => Found::Text(ahead.str()?).to_string(),
            Kind::Bytes => Found::Bytes(ahead.bytes()?.len()).to_string(),
            Kind::Null => Found::Null.to_string(),
            other => other.to_string(),
        })
    }
}
