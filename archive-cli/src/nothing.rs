//! [`Nothing`]: an encoder that discards everything, to check a file by reading it.

use archive::Result;
use archive::format::Encoder;
use archive::shape::{Class, Shape};

pub struct Nothing;

impl Encoder for Nothing {
    fn null(&mut self) -> Result {
        Ok(())
    }
    fn bool(&mut self, _: bool) -> Result {
        Ok(())
    }
    fn i64(&mut self, _: i64) -> Result {
        Ok(())
    }
    fn u64(&mut self, _: u64) -> Result {
        Ok(())
    }
    fn f64(&mut self, _: f64) -> Result {
        Ok(())
    }
    fn f32(&mut self, _: f32) -> Result {
        Ok(())
    }
    fn str(&mut self, _: &str) -> Result {
        Ok(())
    }
    fn bytes(&mut self, _: &[u8]) -> Result {
        Ok(())
    }
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        Ok(())
    }
    fn item(&mut self) -> Result {
        Ok(())
    }
    fn end_seq(&mut self) -> Result {
        Ok(())
    }
    fn begin_object(&mut self, _: &'static Class) -> Result {
        Ok(())
    }
    fn member(&mut self, _: &str, _: &'static Shape) -> Result {
        Ok(())
    }
    fn end_object(&mut self) -> Result {
        Ok(())
    }
}
