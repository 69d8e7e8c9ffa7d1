//! [`Reader`]: values one behind the other.

use std::borrow::Cow;

use archive_core::block::{Asked, Found};
use archive_core::decoder::{Kind, LoadedHead, MapForm, Mark, VariantHead};
use archive_core::shape::{Class, Enum, Payload, Primitive, Shape};
use archive_core::{Error, Number, Options, Position, Result};

use super::cannot;
use crate::cursor::{Cursor, narrow, no_variant, offset, too_many, unsigned};
use crate::shapes::is_empty;

/// Reads values one behind the other.
pub struct Reader<'a> {
    data: Cursor<'a>,
    /// How many items of the innermost sequence are left, and of those around it.
    left: u64,
    outer: Vec<u64>,
    /// How many things are open from the outermost block on, the block included.
    block: usize,
    /// What somebody expects who takes whatever there is.
    expected: Option<Primitive>,
    /// Where the last block was taken, and how many items of a sequence it was.
    undo: (usize, u64),
    /// How many more elements without bytes there may be.
    empty_left: u64,
    max_empty: u64,
}

impl<'a> Reader<'a> {
    /// A reader that goes on where the cursor is.
    pub(crate) fn new(data: Cursor<'a>, options: &Options<'_>) -> Self {
        let empty = options.get_limits().empty_elements;
        Reader {
            data,
            left: 0,
            outer: Vec::new(),
            block: 0,
            expected: None,
            undo: (0, 0),
            empty_left: empty,
            max_empty: empty,
        }
    }

    /// Where it is.
    pub(crate) fn at(&self) -> usize {
        self.data.at()
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

    /// Goes into a sequence.
    #[inline]
    fn open_seq(&mut self, len: u64, block: bool) {
        self.outer.push(std::mem::replace(&mut self.left, len));
        self.open(block);
    }

    /// Whether values of that shape take no bytes.
    #[inline]
    fn is_empty(&self, item: &'static Shape) -> bool {
        match item {
            Shape::Class(_) | Shape::Tuple(..) | Shape::Array(..) => is_empty(item),
            Shape::Primitive(primitive) => *primitive == Primitive::Unit,
            _ => false,
        }
    }

    /// A number of items: either each takes a byte at least, or they are counted.
    #[inline]
    fn count(&mut self, empty: bool) -> Result<usize> {
        let at = self.data.at();
        let count = self.data.u64()?;
        if empty {
            self.count_empty(count, at)?;
        } else if count > self.data.left() as u64 {
            return Err(too_many(count, self.data.left(), at));
        }
        usize::try_from(count).map_err(|_| too_many(count, self.data.left(), at))
    }

    #[cold]
    fn count_empty(&mut self, count: u64, at: usize) -> Result {
        match self.empty_left.checked_sub(count) {
            Some(left) => {
                self.empty_left = left;
                Ok(())
            }
            None => {
                let what = "elements that take no bytes";
                Err(Error::too_many(self.max_empty, what, "max_empty_elements").at(offset(at)))
            }
        }
    }
}

/// An integer of more than one byte.
macro_rules! integers {
    ($($name:ident $read:expr;)*) => { $(
        #[inline]
        fn $name(&mut self) -> Result<$name> {
            if self.block > 0 {
                return self.data.array().map($name::from_le_bytes);
            }
            let read: fn(&mut Cursor<'a>) -> Result<$name> = $read;
            read(&mut self.data)
        }
    )* };
}

impl<'a> archive_core::Decoder for Reader<'a> {
    fn as_dyn(&mut self) -> &mut dyn archive_core::Decoder {
        self
    }
    fn position(&self) -> Position {
        offset(self.data.at())
    }
    fn position_of(&self, mark: Mark) -> Position {
        Position::Offset(mark.offset)
    }
    #[inline]
    fn is_equal(&self) -> bool {
        true
    }

    #[inline]
    fn is_straight(&self) -> bool {
        true
    }

    #[inline]
    fn null(&mut self) -> Result {
        Ok(())
    }
    #[inline]
    fn bool(&mut self) -> Result<bool> {
        self.data.flag("bool")
    }
    #[inline]
    fn u8(&mut self) -> Result<u8> {
        self.data.byte()
    }
    #[inline]
    fn i8(&mut self) -> Result<i8> {
        self.data.byte().map(|byte| byte as i8)
    }
    integers! {
        u16 |data| narrow(data, |data| data.u64());
        u32 |data| narrow(data, |data| data.u64());
        i16 |data| narrow(data, |data| data.i64());
        i32 |data| narrow(data, |data| data.i64());
        u64 |data| data.u64();
        i64 |data| data.i64();
        u128 |data| data.u128();
        i128 |data| data.i128();
    }
    #[inline]
    fn f32(&mut self) -> Result<f32> {
        self.data.array().map(f32::from_le_bytes)
    }
    #[inline]
    fn f64(&mut self) -> Result<f64> {
        self.data.array().map(f64::from_le_bytes)
    }
    #[inline]
    fn char(&mut self) -> Result<char> {
        self.data.char()
    }
    #[inline]
    fn str(&mut self) -> Result<&str> {
        self.data.str()
    }
    #[inline]
    fn string(&mut self, out: &mut String) -> Result {
        self.data.string(out)
    }
    #[inline]
    fn bytes(&mut self, out: &mut Vec<u8>) -> Result {
        let bytes = self.data.bytes()?;
        out.clear();
        out.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn block(&mut self, size: usize, _: Asked) -> Result<Option<Found<'_>>> {
        let at = self.data.at();
        self.undo = (at, 0);
        Ok(Some(Found { bytes: self.data.take(size as u64)?, at: at as u64 }))
    }
    #[inline]
    fn blocks(&mut self, size: usize) -> Result<Option<Found<'_>>> {
        if self.block == 0 {
            return Ok(None);
        }
        let at = self.data.at();
        let count = std::mem::take(&mut self.left);
        self.undo = (at, count);
        match count.checked_mul(size as u64) {
            Some(all) => Ok(Some(Found { bytes: self.data.take(all)?, at: at as u64 })),
            None => Err(too_many(count, self.data.left(), self.data.at())),
        }
    }

    fn undo_block(&mut self) {
        let (at, left) = self.undo;
        self.data.goto(at);
        self.left += left;
    }

    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape) -> Result<usize> {
        let (len, block) = match shape {
            Shape::Tuple(items, size) => (items.len(), size.is_some()),
            Shape::Array(_, len, size) => (*len, size.is_some()),
            Shape::Seq(item) => {
                let item = item();
                let block = item.block_size().is_some();
                (self.count(!block && self.is_empty(item))?, block)
            }
            _ => return Err(cannot("a sequence")),
        };
        self.open_seq(len as u64, block);
        Ok(len)
    }
    #[inline]
    fn next_item(&mut self) -> Result<bool> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(true)
            }
            None => Ok(false),
        }
    }
    #[inline]
    fn end_seq(&mut self) -> Result {
        if self.left > 0 {
            return Err(more_items(self.data.at()));
        }
        self.left = self.outer.pop().unwrap_or_default();
        self.close();
        Ok(())
    }
    #[inline]
    fn begin_map(&mut self, shape: &'static Shape) -> Result<MapForm> {
        let Shape::Map(key, value) = shape else { return Err(cannot("a map")) };
        let len = self.count(self.is_empty(key()) && self.is_empty(value()))?;
        self.open_seq(len as u64, false);
        Ok(MapForm::Pairs(len))
    }

    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result {
        self.open(class.size.is_some());
        Ok(())
    }
    #[inline]
    fn member(&mut self, _: &str) -> Result<bool> {
        Ok(true)
    }
    #[inline]
    fn end_object(&mut self, _: &mut dyn FnMut(&str) -> Result) -> Result {
        self.close();
        Ok(())
    }

    #[inline]
    fn version(&mut self, class: &'static Class) -> Result<u32> {
        Ok(class.version)
    }

    #[inline]
    fn begin_option(&mut self, _: &'static Shape, _: bool) -> Result<bool> {
        self.data.flag("an option")
    }
    #[inline]
    fn end_option(&mut self, _: bool) -> Result {
        Ok(())
    }
    #[inline]
    fn begin_variant(&mut self, info: &'static Enum) -> Result<VariantHead> {
        let at = self.data.at();
        let number = self.data.u64()?;
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        match info.variants.get(index) {
            Some(variant) => {
                let payload = !matches!(variant.payload, Payload::Unit);
                Ok(VariantHead { index: Ok(index), payload })
            }
            None => Err(no_variant(number, at)),
        }
    }
    #[inline]
    fn end_variant(&mut self) -> Result {
        Ok(())
    }
    #[inline]
    fn at_pointer(&mut self, _: bool) -> Result<bool> {
        Ok(false)
    }

    fn mark(&mut self) -> Mark {
        Mark { offset: self.data.at() as u64, state: self.left, depth: self.outer.len() as u32 }
    }
    fn goto(&mut self, mark: Mark) {
        self.data.goto(usize::try_from(mark.offset).unwrap_or(usize::MAX));
    }
    fn recover(&mut self, mark: Mark) {
        self.goto(mark);
    }
    fn find_bodies(&mut self, _: &mut dyn FnMut(u64, Mark)) -> Result {
        Ok(())
    }

    fn expect(&mut self, shape: &'static Shape) {
        self.expected = match shape {
            Shape::Primitive(primitive) => Some(*primitive),
            _ => None,
        };
    }
    fn peek(&mut self) -> Result<Kind> {
        Ok(match self.expected {
            None => return Err(cannot("a value of any type")),
            Some(Primitive::Unit) => Kind::Null,
            Some(Primitive::Bool) => Kind::Bool,
            Some(Primitive::Str) => Kind::Str,
            Some(Primitive::Bytes) => Kind::Bytes,
            Some(Primitive::Char) => return Err(cannot("a character of any type")),
            Some(_) => Kind::Number,
        })
    }
    fn number(&mut self) -> Result<Number> {
        Ok(match self.expected {
            Some(Primitive::U8) => Number::Int(self.u8()?.into()),
            Some(Primitive::U16) => Number::Int(self.u16()?.into()),
            Some(Primitive::U32) => Number::Int(self.u32()?.into()),
            Some(Primitive::U64) => Number::Int(self.u64()?.into()),
            Some(Primitive::I8) => Number::Int(self.i8()?.into()),
            Some(Primitive::I16) => Number::Int(self.i16()?.into()),
            Some(Primitive::I32) => Number::Int(self.i32()?.into()),
            Some(Primitive::I64) => Number::Int(self.i64()?.into()),
            Some(Primitive::I128) => Number::Int(self.i128()?),
            Some(Primitive::U128) => unsigned(self.u128()?),
            Some(Primitive::F32) => Number::F32(self.f32()?),
            Some(Primitive::F64) => Number::F64(self.f64()?),
            _ => return Err(cannot("a number of any type")),
        })
    }

    // What nobody asks for: it is known what comes.
    fn skip(&mut self) -> Result {
        Err(cannot("a value that nobody reads"))
    }
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        Err(cannot("a member by its name"))
    }
    fn begin_pointer(&mut self) -> Result<LoadedHead<'_>> {
        Err(cannot("a pointer"))
    }
}

#[cold]
fn more_items(at: usize) -> Error {
    let message = "the sequence has more items than were asked for";
    Error::new(archive_core::ErrorKind::WrongLength, message).at(offset(at))
}
