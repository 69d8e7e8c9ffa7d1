//! [`ValueDecoder`]: a [`Decoder`] that reads a [`Value`].

use std::borrow::Cow;
use std::convert::Infallible;

use super::Value;
use super::layout::{Content, Node, begins_with, bodies, lay_out, siblings};
use super::object::Object;
use crate::format::decoder::{Decoder, Kind, float, short_float};
use crate::model::error::{Error, ErrorKind, Position, Result};
use crate::model::mark::Mark;
use crate::model::number::Number;
use crate::model::reserved;
use crate::model::shape::{Class, Member, Primitive, Shape, each_member};
use crate::visit::guide::{Guide, Route};

/// A [`Decoder`] that reads a [`Value`]. For formats whose authors only want to parse text into a
/// [`Value`]. ([`Value::to`] is shorter if there is only a tree.)
///
/// It does not recurse, at any depth of the value. A value has no input, so errors say where
/// in the value they occurred ([`Error::path`]), and their position is byte 0.
///
/// ```
/// use archive::Value;
/// use archive::format::{Class, Decoder, ValueDecoder, shape::NameOf};
///
/// static ROOM: Class = Class::data("Room");
///
/// let room = Value::Object(vec![("title".into(), "Hall".into()), ("width".into(), 640.into())]);
/// let mut decoder = ValueDecoder::new(&room);
/// decoder.begin_object(&ROOM)?;
/// assert!(decoder.member("width")?);
/// assert_eq!(decoder.u16()?, 640);
/// assert!(decoder.member("title")?);
/// assert_eq!(decoder.str()?, "Hall");
/// assert!(!decoder.member("height")?);
/// decoder.end_object(&mut |_| Ok(()))?;
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Debug)]
pub struct ValueDecoder<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    /// The index of the value at the cursor.
    pub(super) at: usize,
    /// If that value is bytes read as a sequence: the index of the byte at the cursor.
    pub(super) byte: Option<usize>,
    open: Vec<Frame>,
    pub(super) conversion: Option<(Primitive, Primitive)>,
    /// Whether an object may be stored as an array of its members.
    arrays: bool,
    /// Whether floats have no width, as in text.
    pub(super) text_floats: bool,
    guide: Guide<'static>,
}

/// Collects the names of members, including those of flattened members in their places.
fn collect_names(members: &'static [Member], names: &mut Vec<&'static str>) {
    let Ok(()) = each_member::<Infallible>(members, &mut |member, _| {
        names.push(member.name);
        Ok(())
    });
}

/// An object or sequence that is open.
#[derive(Debug)]
enum Frame {
    /// The index of the sequence, and of its next item.
    Items(usize, usize),
    /// The index of the bytes, and the next byte.
    Bytes(usize, usize),
    Object(Object),
}

impl<'a> ValueDecoder<'a> {
    /// Creates a decoder of a borrowed value.
    pub fn new(value: &'a Value) -> Self {
        Self::over(Cow::Borrowed(value))
    }

    /// Creates a decoder that owns the value.
    pub fn owned(value: Value) -> Self {
        Self::over(Cow::Owned(value))
    }

    fn over(value: Cow<'a, Value>) -> Self {
        let nodes = lay_out(value);
        let open = Vec::new();
        ValueDecoder {
            nodes,
            at: 0,
            byte: None,
            open,
            conversion: None,
            arrays: false,
            text_floats: false,
            guide: None,
        }
    }

    /// Changes values in place, and finds the program's own objects by references to them.
    #[doc(hidden)]
    pub fn live(mut self) -> Self {
        self.guide = Some(Route::LIVE);
        self
    }

    /// Returns the number of bytes that the flat list of the values takes.
    #[doc(hidden)]
    pub fn size(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<'_>>()
    }

    /// Also accepts an array in place of an object whose members are known at compile time, with
    /// the members in their order, as other libraries write them. (Every item needs a name, so an
    /// item after the last member is reported as an unknown member named by its index: `#7`.)
    pub fn with_arrays(mut self, arrays: bool) -> Self {
        self.arrays = arrays;
        self
    }

    /// Sets whether the tree comes from text, in which floats have no width: a number loaded as an
    /// `f32` is then noted in the report only if an `f32` does not [spell](Number::spells) it.
    pub fn with_text_floats(mut self, text_floats: bool) -> Self {
        self.text_floats = text_floats;
        self
    }

    /// Gives the names of members to the items of the array at the cursor.
    fn name_items(&mut self, members: &'static [Member]) {
        let end = self.nodes[self.at].end;
        let mut names = Vec::new();
        collect_names(members, &mut names);
        let items: Vec<usize> = siblings(&self.nodes, self.at + 1, end).collect();
        for (place, item) in items.into_iter().enumerate() {
            self.nodes[item].name = match names.get(place) {
                Some(name) => Cow::Borrowed(*name),
                None => Cow::Owned(format!("#{place}")),
            };
        }
    }

    fn move_to(&mut self, at: Option<usize>) -> Result<bool> {
        self.byte = None;
        self.at = at.unwrap_or(self.at);
        Ok(at.is_some())
    }

    fn object(&mut self) -> Result<(&mut Object, &[Node<'a>])> {
        match self.open.last_mut() {
            Some(Frame::Object(object)) => Ok((object, &self.nodes)),
            _ => Err(misuse()),
        }
    }
}

/// Returns the error for calls in an order that is not well-formed.
#[cold]
fn misuse() -> Error {
    let message = "members outside of an object, or items outside of a sequence";
    Error::new(ErrorKind::Unsupported, message)
}

macro_rules! integers {
    ($($name:ident: $primitive:ident;)*) => {$(
        fn $name(&mut self) -> Result<$name> {
            self.integer(Primitive::$primitive)
        }
    )*};
}

impl Decoder for ValueDecoder<'_> {
    fn guide(&self) -> Guide<'static> {
        self.guide
    }

    integers! { i8: I8; i16: I16; i32: I32; i64: I64; u8: U8; u16: U16; u32: U32; u64: U64; }

    fn i128(&mut self) -> Result<i128> {
        self.big_integer(Primitive::I128)
    }
    fn u128(&mut self) -> Result<u128> {
        self.big_integer(Primitive::U128)
    }

    fn position(&self) -> Position {
        Position::Unknown
    }
    fn position_of(&self, _: Mark) -> Position {
        Position::Unknown
    }

    fn peek(&mut self) -> Result<Kind> {
        Ok(self.content().map_or(Kind::Number, Content::kind))
    }
    fn skip(&mut self) -> Result {
        Ok(()) // what is open knows what comes next
    }
    fn null(&mut self) -> Result {
        match self.content() {
            Some(Content::Null) => Ok(()),
            _ => Err(self.wrong("null")),
        }
    }
    fn bool(&mut self) -> Result<bool> {
        match self.content() {
            Some(Content::Bool(value)) => Ok(*value),
            _ => Err(self.wrong("bool")),
        }
    }
    fn number(&mut self) -> Result<Number> {
        self.expect_number("a number")
    }
    fn f32(&mut self) -> Result<f32> {
        if let Some(Content::Number(number)) = self.content() {
            let number = *number;
            let value = number.to_f32().map_err(|error| error.at(self.position()))?;
            self.converted(number, Primitive::F32);
            return Ok(value);
        }
        short_float(self)
    }
    fn f64(&mut self) -> Result<f64> {
        if let Some(Content::Number(number)) = self.content() {
            let number = *number;
            self.converted(number, Primitive::F64);
            return number.to_f64();
        }
        float(self)
    }
    fn str(&mut self) -> Result<&str> {
        match self.content() {
            Some(Content::Str(text)) => Ok(text),
            _ => Err(self.wrong("text")),
        }
    }
    fn bytes(&mut self, out: &mut Vec<u8>) -> Result {
        out.clear();
        if let Some(Content::Bytes(bytes)) = self.content() {
            out.extend_from_slice(bytes);
            return Ok(());
        }
        out.reserve(self.begin_seq(&Shape::Any)?);
        while self.next_item()? {
            out.push(self.u8()?);
        }
        self.end_seq()
    }

    fn begin_seq(&mut self, _: &'static Shape) -> Result<usize> {
        let (frame, len) = match self.content() {
            Some(Content::Array(len)) => (Frame::Items(self.at, self.at + 1), *len),
            Some(Content::Bytes(bytes)) => (Frame::Bytes(self.at, 0), bytes.len()),
            _ => return Err(self.wrong("a sequence")),
        };
        self.open.push(frame);
        Ok(len)
    }
    fn next_item(&mut self) -> Result<bool> {
        let item = match self.open.last_mut() {
            Some(Frame::Items(seq, next)) if *next < self.nodes[*seq].end => {
                Some(std::mem::replace(next, self.nodes[*next].end))
            }
            Some(Frame::Items(..)) => None,
            Some(Frame::Bytes(bytes, next)) => {
                let len = match &self.nodes[*bytes].content {
                    Content::Bytes(bytes) => bytes.len(),
                    _ => 0,
                };
                (self.at, self.byte) = (*bytes, (*next < len).then_some(*next));
                *next += 1;
                return Ok(self.byte.is_some());
            }
            _ => return Err(misuse()),
        };
        self.move_to(item)
    }
    fn end_seq(&mut self) -> Result {
        if self.next_item()? {
            let message = "the sequence has more items than were loaded";
            return Err(Error::new(ErrorKind::WrongLength, message).at(self.position()));
        }
        self.open.pop();
        Ok(())
    }

    fn begin_object(&mut self, class: &'static Class) -> Result {
        match self.content() {
            Some(Content::Object) => self.open.push(Frame::Object(Object::open(self.at))),
            Some(Content::Array(_)) if self.arrays && class.members.is_some() => {
                self.name_items(class.members.unwrap_or_default());
                self.open.push(Frame::Object(Object::open(self.at)));
            }
            _ => return Err(self.wrong("an object")),
        }
        Ok(())
    }
    fn member(&mut self, name: &str) -> Result<bool> {
        let (object, nodes) = self.object()?;
        let found = object.member(nodes, name)?;
        self.move_to(found)
    }
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        let (object, nodes) = self.object()?;
        let found = object.next(nodes);
        let is_there = self.move_to(found)?;
        Ok(is_there.then(|| Cow::Borrowed(&*self.nodes[self.at].name)))
    }
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        match self.open.pop() {
            Some(Frame::Object(object)) => object.close(&self.nodes, unknown),
            _ => Err(misuse()),
        }
    }

    fn at_pointer(&mut self, _: bool) -> Result<bool> {
        Ok(self.byte.is_none() && begins_with(&self.nodes, self.at, &reserved::OWN))
    }
    fn at_some(&mut self) -> Result<bool> {
        Ok(self.byte.is_none() && begins_with(&self.nodes, self.at, &[reserved::SOME]))
    }

    fn mark(&mut self) -> Mark {
        let state = self.byte.map_or(0, |byte| byte as u64 + 1);
        Mark { offset: self.at as u64, state, depth: self.open.len() as u32 }
    }
    fn goto(&mut self, mark: Mark) {
        self.at = (mark.offset as usize).min(self.nodes.len() - 1);
        self.byte = (mark.state as usize).checked_sub(1);
    }
    fn recover(&mut self, mark: Mark) {
        self.open.truncate(mark.depth as usize);
        self.goto(mark);
    }
    fn find_bodies(&mut self, found: &mut dyn FnMut(u64, Mark)) -> Result {
        bodies(&self.nodes, &mut |id, at, depth| {
            found(id, Mark { offset: at as u64, state: 0, depth: depth as u32 });
        });
        Ok(())
    }

    fn take_conversion(&mut self, _: Primitive) -> Option<(Primitive, Primitive)> {
        self.conversion.take()
    }
}
