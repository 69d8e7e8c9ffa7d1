//! Writing values that describe themselves.

use archive_core::Result;
use archive_core::pointer::PointerKind;
use archive_core::shape::{Payload, Variant};

use super::Encoder;
use super::state::State;
use crate::tags;
use crate::varint::{put_u64, put_u128};

impl Encoder<'_> {
    /// Ends a tagged value. If it is not part of another tagged value, its place is complete.
    pub(super) fn end_tagged_value(&mut self) {
        if self.run == 0 {
            self.close();
        }
    }

    fn tagged(&mut self, tag: u8, bytes: &[u8]) -> Result {
        self.part.bytes.push(tag);
        self.part.bytes.extend_from_slice(bytes);
        self.end_tagged_value();
        Ok(())
    }

    pub(super) fn tagged_null(&mut self) -> Result {
        self.tagged(tags::NULL, &[])
    }

    pub(super) fn tagged_bool(&mut self, value: bool) -> Result {
        self.tagged(if value { tags::TRUE } else { tags::FALSE }, &[])
    }

    pub(super) fn tagged_uint(&mut self, value: u128) -> Result {
        self.part.bytes.push(tags::UINT);
        put_u128(&mut self.part.bytes, value);
        self.end_tagged_value();
        Ok(())
    }

    pub(super) fn tagged_int(&mut self, value: i128) -> Result {
        match u128::try_from(value) {
            Ok(value) => self.tagged_uint(value),
            Err(_) => {
                self.part.bytes.push(tags::NEGATIVE);
                put_u128(&mut self.part.bytes, !value as u128);
                self.end_tagged_value();
                Ok(())
            }
        }
    }

    pub(super) fn tagged_f32(&mut self, value: f32) -> Result {
        self.tagged(tags::F32, &value.to_le_bytes())
    }

    pub(super) fn tagged_f64(&mut self, value: f64) -> Result {
        self.tagged(tags::F64, &value.to_le_bytes())
    }

    pub(super) fn tagged_char(&mut self, value: char) -> Result {
        self.tagged_str(value.encode_utf8(&mut [0; 4]))
    }

    pub(super) fn tagged_str(&mut self, value: &str) -> Result {
        self.part.bytes.push(tags::STR);
        put_u64(&mut self.part.bytes, value.len() as u64);
        self.part.bytes.extend_from_slice(value.as_bytes());
        self.end_tagged_value();
        Ok(())
    }

    pub(super) fn tagged_bytes(&mut self, value: &[u8]) -> Result {
        self.part.bytes.push(tags::BYTES);
        put_u64(&mut self.part.bytes, value.len() as u64);
        self.part.bytes.extend_from_slice(value);
        self.end_tagged_value();
        Ok(())
    }

    pub(super) fn begin_tagged_seq(&mut self) {
        self.part.bytes.push(tags::SEQ);
        self.run += 1;
    }

    pub(super) fn begin_tagged_object(&mut self) {
        self.part.bytes.push(tags::OBJECT);
        self.run += 1;
    }

    /// Writes the name of a member. Its length is stored plus one, because 0 ends the object.
    pub(super) fn tagged_key(&mut self, name: &str) {
        put_u64(&mut self.part.bytes, name.len() as u64 + 1);
        self.part.bytes.extend_from_slice(name.as_bytes());
    }

    /// Ends a sequence or an object.
    pub(super) fn end_tagged(&mut self) {
        self.part.bytes.push(tags::END);
        self.run = self.run.saturating_sub(1);
        self.end_tagged_value();
    }

    /// Writes a variant as its name, or as an object with one member.
    pub(super) fn begin_tagged_variant(&mut self, variant: &Variant) -> Result {
        if let Payload::Unit = variant.payload {
            return self.tagged_str(variant.name);
        }
        self.begin_tagged_object();
        self.tagged_key(variant.name);
        Ok(())
    }

    /// Writes the tag before a pointer.
    pub(super) fn tagged_pointer(&mut self, kind: PointerKind) {
        debug_assert!(matches!(self.state, State::Tagged));
        self.part.bytes.push(match kind {
            PointerKind::Null => tags::NULL,
            PointerKind::Weak => tags::WEAK,
            PointerKind::Owned => tags::DYN,
            _ => tags::POINTER,
        });
    }
}
