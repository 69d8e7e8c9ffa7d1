//! [`Canonical`]: the format of the canonical form.

use archive_core::shape::{Class, Shape};
use archive_core::{Encoder, Result};

use super::Pieces;

pub(super) struct Canonical<'a>(pub &'a mut dyn Pieces);

impl Canonical<'_> {
    fn mark(&mut self, tag: u8) -> Result {
        self.0.piece(tag, &[], false)
    }
}

impl Encoder for Canonical<'_> {
    fn null(&mut self) -> Result {
        self.mark(b'n')
    }
    fn bool(&mut self, value: bool) -> Result {
        self.mark(if value { b't' } else { b'f' })
    }
    fn i64(&mut self, value: i64) -> Result {
        let tag = if value < 0 { b'i' } else { b'u' };
        self.0.piece(tag, &value.to_le_bytes(), false)
    }
    fn u64(&mut self, value: u64) -> Result {
        self.0.piece(b'u', &value.to_le_bytes(), false)
    }
    fn f64(&mut self, value: f64) -> Result {
        let value = if value.is_nan() { f64::NAN } else { value };
        self.0.piece(b'd', &value.to_bits().to_le_bytes(), false)
    }
    fn f32(&mut self, value: f32) -> Result {
        self.f64(value.into())
    }
    fn str(&mut self, value: &str) -> Result {
        self.0.piece(b's', value.as_bytes(), true)
    }
    fn bytes(&mut self, value: &[u8]) -> Result {
        self.0.piece(b'b', value, true)
    }
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        self.mark(b'[')
    }
    fn item(&mut self) -> Result {
        Ok(())
    }
    fn end_seq(&mut self) -> Result {
        self.mark(b']')
    }
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.mark(b'{')
    }
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        self.0.piece(b'm', name.as_bytes(), true)
    }
    fn end_object(&mut self) -> Result {
        self.mark(b'}')
    }
    fn version(&mut self, _: u32) -> Result {
        Ok(())
    }
}
