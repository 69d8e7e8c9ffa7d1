//! [`Writer`]: values one behind the other.

use archive_core::Result;
use archive_core::backend::Sink;
use archive_core::encoder::UNKNOWN_LEN;
use archive_core::shape::{Class, Enum, Member, Shape};

use super::cannot;
use crate::varint::{put_bytes, put_i64, put_i128, put_u64, put_u128};

/// Writes values one behind the other.
pub struct Writer<'w> {
    out: Vec<u8>,
    /// Where the output goes as it is written, and how much of it went there.
    sink: Option<Sink<'w>>,
    written: u64,
    /// How many things are open from the outermost block on, the block included.
    block: usize,
}

/// How much is written before any of it goes to the sink.
const PART: usize = 1 << 16;

impl<'w> Writer<'w> {
    /// A writer that appends, and hands over what was written from time to time.
    pub(crate) fn new(out: Vec<u8>, sink: Option<Sink<'w>>) -> Self {
        Writer { out, sink, written: 0, block: 0 }
    }

    /// What was written and is still there, and how much was handed over.
    pub(crate) fn finish(self) -> (Vec<u8>, u64) {
        (self.out, self.written)
    }

    /// Hands over what was written, if it is enough.
    #[inline]
    fn hand_over(&mut self) -> Result {
        if self.out.len() >= PART && self.sink.is_some() { self.hand_over_part() } else { Ok(()) }
    }

    #[cold]
    fn hand_over_part(&mut self) -> Result {
        if let Some(sink) = &mut self.sink {
            sink(&self.out)?;
            self.written += self.out.len() as u64;
            self.out.clear();
        }
        Ok(())
    }

    /// Goes into something that may be a block, or is in one.
    #[inline]
    fn open(&mut self, block: bool) {
        if block || self.block > 0 {
            self.block += 1;
        }
    }

    #[inline]
    fn close(&mut self) {
        self.block = self.block.saturating_sub(1);
    }
}

/// An integer of more than one byte.
macro_rules! integers {
    ($($name:ident($ty:ty): $put:ident;)*) => { $(
        #[inline]
        fn $name(&mut self, value: $ty) -> Result {
            if self.block > 0 {
                self.out.extend_from_slice(&value.to_le_bytes());
            } else {
                $put(&mut self.out, value.into());
            }
            Ok(())
        }
    )* };
}

impl archive_core::Encoder for Writer<'_> {
    fn as_dyn(&mut self) -> &mut dyn archive_core::Encoder {
        self
    }

    integers! {
        u16(u16): put_u64;
        u32(u32): put_u64;
        u64(u64): put_u64;
        u128(u128): put_u128;
        i16(i16): put_i64;
        i32(i32): put_i64;
        i64(i64): put_i64;
        i128(i128): put_i128;
    }
    #[inline]
    fn null(&mut self) -> Result {
        Ok(())
    }
    #[inline]
    fn bool(&mut self, value: bool) -> Result {
        self.out.push(value.into());
        Ok(())
    }
    #[inline]
    fn u8(&mut self, value: u8) -> Result {
        self.out.push(value);
        Ok(())
    }
    #[inline]
    fn i8(&mut self, value: i8) -> Result {
        self.out.push(value as u8);
        Ok(())
    }
    #[inline]
    fn f32(&mut self, value: f32) -> Result {
        self.out.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }
    #[inline]
    fn f64(&mut self, value: f64) -> Result {
        self.out.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }
    #[inline]
    fn char(&mut self, value: char) -> Result {
        put_u64(&mut self.out, u32::from(value).into());
        Ok(())
    }
    #[inline]
    fn str(&mut self, value: &str) -> Result {
        self.bytes(value.as_bytes())
    }
    #[inline]
    fn bytes(&mut self, value: &[u8]) -> Result {
        put_bytes(&mut self.out, value);
        Ok(())
    }

    #[inline]
    fn block(&mut self, items: bool) -> Result<Option<&mut Vec<u8>>> {
        self.hand_over()?;
        Ok((!items || self.block > 0).then_some(&mut self.out))
    }
    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result {
        match shape {
            Shape::Tuple(_, size) | Shape::Array(_, _, size) => self.open(size.is_some()),
            _ if len == UNKNOWN_LEN => return Err(cannot("a sequence of unknown length")),
            _ => {
                put_u64(&mut self.out, len as u64);
                self.open(matches!(shape, Shape::Seq(item) if item().block_size().is_some()));
            }
        }
        Ok(())
    }
    #[inline]
    fn item(&mut self) -> Result {
        self.hand_over()
    }
    #[inline]
    fn end_seq(&mut self) -> Result {
        self.close();
        Ok(())
    }

    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result {
        self.open(class.size.is_some());
        Ok(())
    }
    #[inline]
    fn member(&mut self, _: &str, _: &'static Shape) -> Result {
        Ok(())
    }
    #[inline]
    fn typed_member(&mut self, _: &'static Member) -> Result {
        Ok(())
    }
    #[inline]
    fn end_object(&mut self) -> Result {
        self.close();
        Ok(())
    }
    #[inline]
    fn version(&mut self, _: u32) -> Result {
        Ok(())
    }

    #[inline]
    fn none(&mut self) -> Result {
        self.out.push(0);
        Ok(())
    }
    #[inline]
    fn begin_some(&mut self, _: &'static Shape, _: bool) -> Result {
        self.out.push(1);
        Ok(())
    }
    #[inline]
    fn end_some(&mut self, _: bool) -> Result {
        Ok(())
    }
    #[inline]
    fn begin_variant(&mut self, _: &'static Enum, index: usize) -> Result {
        put_u64(&mut self.out, index as u64);
        Ok(())
    }
    #[inline]
    fn end_variant(&mut self) -> Result {
        Ok(())
    }

    #[inline]
    fn fixed_members(&self) -> bool {
        true
    }
    #[inline]
    fn fixed_shape(&self) -> bool {
        true
    }
}
