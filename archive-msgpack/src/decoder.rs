//! [`Decoder`]: reads MessagePack.

use std::borrow::Cow;
use std::ops::Range;

use archive_core::block::{Asked, Found};
use archive_core::decoder::{OptionForm, close_in_order, open_some};
use archive_core::lookup::{Lookup, Members as _, Seen};
use archive_core::reserved;
use archive_core::{
    Class, Enum, Error, ErrorKind, Kind, LoadedHead, MapForm, Mark, Number, Position, Primitive,
    Result, Shape, VariantHead,
};
use rmp::Marker;

use crate::block::Blocks;
use crate::cursor::Cursor;
use crate::ext::Part;
use crate::frame::{Frame, misuse};
use crate::keys::Keys;
use crate::object::Here;
use crate::pointer;

/// Reads MessagePack by pulling values from the bytes. Never builds a tree.
///
/// Every form of a value in MessagePack is accepted, not only the smallest one. Skipped values are
/// checked like those that are read. The decoder does not recurse, and no input makes it panic.
///
/// ```
/// use archive::format::Decoder as _;
/// use archive::shape::{Class, NameOf};
///
/// static ROOM: Class = Class::data("Room");
///
/// let mut msgpack = archive::msgpack::Decoder::new(b"\x82\xa1w\xcd\x02\x80\xa5title\xa4Hall", 128);
/// msgpack.begin_object(&ROOM)?;
/// assert!(msgpack.member("title")?);
/// assert_eq!(msgpack.str()?, "Hall");
/// assert!(msgpack.member("w")?);
/// assert_eq!(msgpack.u16()?, 640);
/// assert!(!msgpack.member("h")?);
/// msgpack.end_object(&mut |_| Ok(()))?;
/// msgpack.end()?;
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder<'a> {
    pub(crate) cursor: Cursor<'a>,
    /// The offset of the value that was begun last.
    pub(crate) start: usize,
    /// The last conversion of a number, until it is reported.
    pub(crate) conversion: Option<(Primitive, Primitive)>,
    pub(crate) open: Vec<Frame<'a>>,
    pub(crate) keys: Keys,
    pub(crate) max_depth: usize,
    /// The offset of the key of the current map entry, whose text is escaped.
    pub(crate) key: usize,
    /// The offset of the last value whose kind was read.
    pub(crate) any: usize,
    /// Whether bytes are being read as a sequence; their items have no markers.
    pub(crate) in_bytes: bool,
    /// The next part of an extension that is read as an object, if there is one.
    pub(crate) part: Option<Part<'a>>,
    /// The shape that was requested for the sequence that was begun last.
    pub(crate) items: &'static Shape,
    /// The blocks. Each is read at once.
    pub(crate) blocks: Blocks,
}

/// An offset that is not in the input.
const NOWHERE: usize = usize::MAX;

impl<'a> Decoder<'a> {
    /// Creates a decoder of the given input. No more than `max_depth` objects and sequences may be
    /// open at a time.
    pub fn new(input: &'a [u8], max_depth: usize) -> Self {
        Decoder {
            cursor: Cursor::new(input),
            start: 0,
            conversion: None,
            open: Vec::new(),
            keys: Keys::new(max_depth),
            max_depth,
            key: NOWHERE,
            any: NOWHERE,
            in_bytes: false,
            part: None,
            items: &Shape::Any,
            blocks: Blocks::default(),
        }
    }

    /// Ends the decoding: checks that the input has only the one value.
    ///
    /// # Errors
    /// [`ErrorKind::TrailingData`] if anything comes after the value.
    pub fn end(&mut self) -> Result {
        if self.cursor.left() == 0 { Ok(()) } else { Err(self.cursor.trailing()) }
    }

    /// Moves to a mark and resets the state of the value that was being read.
    fn move_to(&mut self, mark: Mark) {
        self.cursor.at = mark.offset as usize;
        self.part = None;
        if mark.state == KEY {
            self.key = self.cursor.at;
        }
    }
}

/// The state of a mark at the key of a map entry.
const KEY: u64 = 1;

macro_rules! scalars {
    ($($name:ident: $ty:ty = $how:ident($($argument:expr),*);)*) => {$(
        #[inline]
        fn $name(&mut self) -> Result<$ty> {
            self.$how($($argument),*)
        }
    )*};
}

impl archive_core::Decoder for Decoder<'_> {
    scalars! {
        number: Number = any_number();
        i8: i8 = integer(Primitive::I8);
        i16: i16 = integer(Primitive::I16);
        i32: i32 = integer(Primitive::I32);
        i64: i64 = integer(Primitive::I64);
        i128: i128 = big_integer(Primitive::I128, i128::from_be_bytes);
        u8: u8 = integer(Primitive::U8);
        u16: u16 = integer(Primitive::U16);
        u32: u32 = integer(Primitive::U32);
        u64: u64 = integer(Primitive::U64);
        u128: u128 = big_integer(Primitive::U128, u128::from_be_bytes);
        f32: f32 = short_float();
        f64: f64 = float();
        str: &str = expect_text("text");
    }

    #[inline]
    fn input_len(&self) -> Option<usize> {
        Some(self.cursor.len())
    }

    fn position(&self) -> Position {
        self.started().position()
    }

    fn position_of(&self, mark: Mark) -> Position {
        Position::Offset(mark.offset)
    }

    fn peek(&mut self) -> Result<Kind> {
        self.start = self.cursor.at;
        match self.part {
            Some(Part::Type(_)) => return Ok(Kind::Number),
            Some(Part::Data(_)) => return Ok(Kind::Bytes),
            None if self.in_bytes => return Ok(Kind::Number),
            None if self.at_entry() => return Ok(Kind::Seq),
            None => {}
        }
        Ok(match self.cursor.marker() {
            Marker::Null => Kind::Null,
            Marker::True | Marker::False => Kind::Bool,
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => Kind::Str,
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => Kind::Bytes,
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => Kind::Seq,
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => {
                if self.has_text_keys()? {
                    Kind::Object
                } else {
                    Kind::Seq
                }
            }
            Marker::FixExt1
            | Marker::FixExt2
            | Marker::FixExt4
            | Marker::FixExt8
            | Marker::FixExt16
            | Marker::Ext8
            | Marker::Ext16
            | Marker::Ext32 => {
                self.any = self.cursor.at;
                Kind::Object
            }
            Marker::Reserved => return Err(self.cursor.unexpected("a value")),
            _ => Kind::Number,
        })
    }

    fn skip(&mut self) -> Result {
        self.start = self.cursor.at;
        if self.part.take().is_some() {
            return Ok(());
        }
        let values = match self.open.last() {
            Some(Frame::Bytes(_)) => return self.cursor.take(1).map(drop),
            Some(Frame::Entries(_)) => 2,
            _ => 1,
        };
        let limit = self.levels();
        for _ in 0..values {
            Here::new(&mut self.cursor, &mut self.keys).skip(limit, false)?;
        }
        Ok(())
    }
    fn skip_span(&mut self) -> Result<Option<Range<u64>>> {
        let start = self.mark().offset;
        self.skip()?;
        Ok(Some(start..self.mark().offset))
    }

    /// Accepts an empty array as null, because `rmp-serde` writes unit structs as empty arrays.
    #[inline]
    fn null(&mut self) -> Result {
        self.start = self.cursor.at;
        match self.cursor.byte() {
            0xc0 | 0x90 if !self.in_bytes => {
                self.cursor.at += 1;
                Ok(())
            }
            _ => Err(self.wrong_type("null")),
        }
    }

    #[inline]
    fn bool(&mut self) -> Result<bool> {
        self.start = self.cursor.at;
        match self.cursor.byte() {
            byte @ (0xc2 | 0xc3) if !self.in_bytes => {
                self.cursor.at += 1;
                Ok(byte == 0xc3)
            }
            _ => Err(self.wrong_type("bool")),
        }
    }

    #[inline]
    fn char(&mut self) -> Result<char> {
        let text = self.expect_text("a character")?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(self.wrong_type("a character")),
        }
    }

    #[inline]
    fn string(&mut self, out: &mut String) -> Result {
        self.string_into(out)
    }

    fn bytes(&mut self, out: &mut Vec<u8>) -> Result {
        self.any_bytes(out)
    }

    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape) -> Result<usize> {
        self.open_seq(shape)
    }

    #[inline]
    fn next_item(&mut self) -> Result<bool> {
        let left = match self.open.last_mut() {
            Some(Frame::Seq(left) | Frame::Entries(left) | Frame::Bytes(left)) => left,
            Some(Frame::Pair(left)) => {
                if *left == 2 {
                    self.key = self.cursor.at;
                }
                left
            }
            _ => return Err(misuse()),
        };
        let more = *left > 0;
        *left -= usize::from(more);
        Ok(more)
    }

    #[inline]
    fn end_seq(&mut self) -> Result {
        if self.next_item()? {
            let message = "the sequence has more items than were loaded";
            return Err(self.cursor.error(ErrorKind::WrongLength, message));
        }
        self.open.pop();
        self.in_bytes = false; // bytes do not nest
        Ok(())
    }

    fn begin_map(&mut self, shape: &'static Shape) -> Result<MapForm> {
        self.open_map(shape)
    }

    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result {
        self.open_object(class)
    }

    #[inline]
    fn member(&mut self, name: &str) -> Result<bool> {
        match self.open.last_mut() {
            Some(Frame::Object(object)) => {
                object.member(Here::new(&mut self.cursor, &mut self.keys), name)
            }
            Some(Frame::Fields(fields)) => fields.member(name),
            Some(Frame::Ext(..)) => Ok(false),
            _ => Err(misuse()),
        }
    }

    #[inline]
    fn next_is(&mut self, name: &str) -> Result<bool> {
        match self.open.last_mut() {
            Some(Frame::Object(object)) => {
                object.next_is(&mut Here::new(&mut self.cursor, &mut self.keys), name)
            }
            Some(Frame::Fields(_) | Frame::Ext(..)) => Ok(false),
            _ => Err(misuse()),
        }
    }

    #[inline]
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        match self.open.last_mut() {
            Some(Frame::Object(object)) => {
                Ok(object.next_key(Here::new(&mut self.cursor, &mut self.keys))?.map(Cow::Borrowed))
            }
            Some(Frame::Fields(_)) => Ok(None),
            Some(Frame::Ext(ext, next)) => {
                let Some((name, part)) = ext.part(*next) else { return Ok(None) };
                *next += 1;
                self.part = Some(part);
                Ok(Some(Cow::Borrowed(name)))
            }
            _ => Err(misuse()),
        }
    }

    #[inline]
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        match self.open.last_mut() {
            Some(Frame::Object(object)) => {
                object.close(Here::new(&mut self.cursor, &mut self.keys), unknown)?;
            }
            Some(Frame::Fields(fields)) => fields.close(&self.cursor)?,
            Some(Frame::Ext(..)) => self.part = None,
            _ => return Err(misuse()),
        }
        self.open.pop();
        Ok(())
    }

    #[inline]
    fn block(&mut self, size: usize, asked: Asked) -> Result<Option<Found<'_>>> {
        Ok(self.read_block(size, asked))
    }

    #[inline]
    fn blocks(&mut self, size: usize) -> Result<Option<Found<'_>>> {
        Ok(self.read_blocks(size))
    }

    fn undo_block(&mut self) {
        self.unread_block();
    }

    #[inline]
    fn begin_members(&mut self, class: &'static Class, seen: &mut Seen) -> Result<u32> {
        self.open_members(class, seen)
    }

    #[inline]
    fn next_member(&mut self, lookup: &'static Lookup, seen: &mut Seen) -> Result<Option<usize>> {
        self.find_next(lookup, seen)
    }

    #[inline]
    fn end_members(&mut self, seen: &mut Seen) -> Result {
        self.close_members(seen)
    }

    fn mark(&mut self) -> Mark {
        let state = if self.key == self.cursor.at { KEY } else { 0 };
        Mark { offset: self.cursor.at as u64, state, depth: self.open.len() as u32 }
    }

    fn goto(&mut self, mark: Mark) {
        self.move_to(mark);
    }

    fn recover(&mut self, mark: Mark) {
        while self.open.len() > mark.depth as usize {
            match self.open.pop() {
                Some(Frame::Object(object)) => {
                    object.forget(Here::new(&mut self.cursor, &mut self.keys))
                }
                Some(Frame::Members(base)) => self.keys.list.truncate(base),
                _ => {}
            }
        }
        self.in_bytes = matches!(self.open.last(), Some(Frame::Bytes(_)));
        self.move_to(mark);
    }

    fn find_pointees(&mut self, found: &mut dyn FnMut(u64, Mark)) -> Result {
        pointer::find_pointees(self.cursor.moved(0), self.max_depth, found)
    }

    fn take_conversion(&mut self, _: Primitive) -> Option<(Primitive, Primitive)> {
        self.conversion.take()
    }

    #[inline]
    fn begin_option(&mut self, _: &'static Shape, nullable: bool) -> Result<OptionForm> {
        self.start = self.cursor.at;
        if self.cursor.byte() == 0xc0 && !self.in_bytes {
            self.cursor.at += 1;
            return Ok(OptionForm::None);
        }
        if nullable { open_some(self) } else { Ok(OptionForm::Plain) }
    }

    #[inline]
    fn begin_variant(&mut self, info: &'static Enum) -> Result<VariantHead> {
        if let Some(name) = self.text()? {
            let index = info.find(name).ok_or_else(|| name.to_owned());
            return Ok(VariantHead { index, payload: false });
        }
        if !matches!(self.cursor.byte(), 0x80..=0x8f | 0xde..=0xdf) || self.in_bytes {
            return Err(self.wrong_type(&format!("a variant of `{}`", info.name())));
        }
        self.open_object(&MAP)?;
        let Some(name) = self.next_key()? else {
            return Err(self.here(Error::wrong_type("a variant", "an empty object")));
        };
        let index = info.find(&name).ok_or_else(|| name.into_owned());
        Ok(VariantHead { index, payload: true })
    }

    #[inline]
    fn at_pointer(&mut self, refused: bool) -> Result<bool> {
        if refused {
            self.cursor.at = self.start;
        }
        Ok(self.is_map() && self.begins_with(&reserved::OWN))
    }
    #[inline]
    fn at_some(&mut self) -> Result<bool> {
        if !self.is_map() || self.begins_with(&[reserved::SOME]) {
            return Ok(self.is_map());
        }
        self.first_key()?;
        Ok(false)
    }

    #[inline]
    fn begin_pointer(&mut self) -> Result<LoadedHead<'_>> {
        self.pointer_head()
    }

    fn end_pointer(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        close_in_order(self, unknown)
    }
}

/// The class of maps that are read as objects.
pub(crate) static MAP: Class = Class::new("map", archive_core::shape::NameOf::Data("map"), 0);
