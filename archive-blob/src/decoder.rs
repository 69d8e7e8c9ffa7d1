//! [`Decoder`]: reads ObjectBlob files.

mod bodies;
mod members;
mod number;
mod scalar;
mod sequence;
mod slot;

use std::borrow::Cow;
use std::ops::Range;

use archive_core::decoder::{Kind, Mark};
use archive_core::reserved;
use archive_core::shape::{Class, Primitive, Shape};
use archive_core::{Error, ErrorKind, Number, Position, Result};

use crate::cursor::{Input, LEAST_BLOB, offset, trailing};
use crate::names;
use crate::types::DataType;
use members::{MemberSeen, Members};
use sequence::{Elements, Items};
use slot::{Place, Slot};

/// Reads ObjectBlob files by pulling values from the bytes; never builds a tree.
///
/// Skipped data is checked as far as the original program does: its size must fit, and it must not
/// nest deeper than the limit for data that is read. The decoder does not recurse, and no input
/// makes it panic or reserve memory that the input could not fill.
///
/// ```
/// use archive::format::{Decoder as _, Shape};
///
/// let file = archive::blob::to_vec(&(7_i32, "seven".to_owned()))?;
/// let mut blob = archive::blob::Decoder::new(&file, 128)?;
/// blob.begin_seq(&Shape::Any)?;
/// assert!(blob.next_item()?);
/// assert_eq!(blob.u8()?, 7);
/// assert!(blob.next_item()?);
/// assert_eq!(blob.str()?, "seven");
/// assert!(!blob.next_item()?);
/// blob.end_seq()?;
/// blob.end()?;
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder<'a> {
    input: Input<'a>,
    /// The value at the cursor, or the one that was read last.
    slot: Slot,
    root: Slot,
    /// Whether the root is a datum without a name, so that no mark can follow it.
    is_datum: bool,
    frames: Vec<Frame>,
    /// Members that were passed over; those of the innermost object come last.
    passed: Vec<MemberSeen<'a>>,
    /// Text that is not stored in the file in this form.
    scratch: String,
    conversion: Option<(Primitive, Primitive)>,
    max_depth: usize,
}

/// An open container.
#[derive(Debug)]
enum Frame {
    Members(Members),
    Items(Items),
    Elements(Elements),
}

impl<'a> Decoder<'a> {
    /// Creates a decoder of a file. No more than `max_depth` objects and sequences may be open at a
    /// time.
    ///
    /// # Errors
    /// If the input is not a list of blobs, or is incomplete.
    pub fn new(input: &'a [u8], max_depth: usize) -> Result<Self> {
        let input = Input(input);
        let count = input.count(0, input.len(), LEAST_BLOB, "a number of blobs");
        let count = count.map_err(|error| input.other_format(error))?;
        let mut root = Slot::file(&input);
        if count == 1 {
            let (name, at) = input.name(4, input.len())?;
            if name.is_empty() {
                root = Slot::root(&input, at, input.len())?;
            }
        }
        Ok(Decoder::over(input, root, max_depth))
    }

    /// Creates a decoder of a datum without a name.
    pub(crate) fn datum(datum: &'a [u8], max_depth: usize) -> Result<Self> {
        let input = Input(datum);
        let slot = Slot::datum(&input, 0, datum.len(), Place::Datum)?;
        Ok(Decoder { is_datum: true, ..Decoder::over(input, slot, max_depth) })
    }

    fn over(input: Input<'a>, root: Slot, max_depth: usize) -> Self {
        Decoder {
            input,
            slot: root,
            root,
            is_datum: false,
            frames: Vec::new(),
            passed: Vec::new(),
            scratch: String::new(),
            conversion: None,
            max_depth,
        }
    }

    /// Checks that nothing follows the last blob.
    ///
    /// # Errors
    /// [`ErrorKind::TrailingData`].
    pub fn end(&mut self) -> Result {
        let all = self.input.len();
        let mut at = 4;
        for _ in 0..self.input.count(0, all, LEAST_BLOB, "a number of blobs")? {
            (_, at) = self.input.name(at, all)?;
            let size = self.input.length(at, all, "a size")?;
            self.input.take(at + 4, size, all)?;
            at += 4 + size;
        }
        if at == all { Ok(()) } else { Err(trailing("the last blob", at)) }
    }

    /// Checks that one more object or sequence may be opened.
    #[inline]
    fn enter(&self) -> Result {
        if self.frames.len() < self.max_depth {
            Ok(())
        } else {
            Err(Error::too_nested(self.max_depth).at(offset(self.slot.at)))
        }
    }

    /// Places an error at the value that was begun last.
    #[cold]
    fn here(&self, error: Error) -> Error {
        error.at(offset(self.slot.at))
    }

    /// Creates the error for a value of another type.
    #[cold]
    fn wrong_type(&self, expected: impl std::fmt::Display) -> Error {
        match self.describe() {
            Ok(found) => self.here(Error::wrong_type(expected, found)),
            Err(error) => error,
        }
    }

    fn members(&mut self) -> Result<(&mut Members, &mut Vec<MemberSeen<'a>>, Input<'a>)> {
        match self.frames.last_mut() {
            Some(Frame::Members(members)) => Ok((members, &mut self.passed, self.input)),
            _ => Err(misuse()),
        }
    }
}

/// Returns the error for calls in an invalid order.
#[cold]
fn misuse() -> Error {
    let message = "members outside of an object, or items outside of a sequence";
    Error::new(ErrorKind::Unsupported, message)
}

macro_rules! integers {
    ($($name:ident $variant:ident $KIND:ident;)*) => {$(
        #[inline]
        fn $name(&mut self) -> Result<$name> {
            if self.slot.kind == DataType::$KIND && self.slot.is_scalar(&self.input) {
                return Ok($name::from_le_bytes(self.fixed()?));
            }
            self.integer(Primitive::$variant)
        }
    )*};
}

impl archive_core::Decoder for Decoder<'_> {
    integers! {
        i8 I8 I8; i16 I16 I16; i32 I32 Int; i64 I64 I64; i128 I128 I128;
        u8 U8 U8; u16 U16 U16; u32 U32 U32; u64 U64 U64; u128 U128 U128;
    }

    #[inline]
    fn input_len(&self) -> Option<usize> {
        Some(self.input.len())
    }
    fn position(&self) -> Position {
        offset(self.slot.at)
    }
    fn position_of(&self, mark: Mark) -> Position {
        Position::Offset(mark.offset)
    }

    fn peek(&mut self) -> Result<Kind> {
        self.kind()
    }
    /// The open container knows the offset of the next value; only the depth is checked.
    fn skip(&mut self) -> Result {
        bodies::check_depth(&self.input, &self.slot, self.frames.len(), self.max_depth)
    }
    fn skip_span(&mut self) -> Result<Option<Range<u64>>> {
        self.skip()?;
        Ok(Some(self.slot.at as u64..self.slot.end as u64))
    }
    fn stored_type(&mut self) -> Option<Cow<'_, str>> {
        match self.slot.kind {
            Slot::FILE => None,
            kind if self.slot.is_array(&self.input) => {
                Some(format!("[{kind}; {}]", self.slot.count).into())
            }
            kind => kind.name().map(Cow::Borrowed),
        }
    }

    fn null(&mut self) -> Result {
        if self.slot.kind == DataType::Null { Ok(()) } else { Err(self.wrong_type("null")) }
    }
    fn bool(&mut self) -> Result<bool> {
        self.truth()
    }
    fn number(&mut self) -> Result<Number> {
        self.any_number("a number")
    }
    fn str(&mut self) -> Result<&str> {
        self.text("text")
    }
    #[inline]
    fn f32(&mut self) -> Result<f32> {
        if self.slot.kind == DataType::Float && self.slot.is_scalar(&self.input) {
            return Ok(f32::from_le_bytes(self.fixed()?));
        }
        self.short_float()
    }
    #[inline]
    fn f64(&mut self) -> Result<f64> {
        if self.slot.kind == DataType::Double && self.slot.is_scalar(&self.input) {
            return Ok(f64::from_le_bytes(self.fixed()?));
        }
        self.float()
    }
    fn char(&mut self) -> Result<char> {
        self.character()
    }
    fn bytes(&mut self, out: &mut Vec<u8>) -> Result {
        self.byte_string(out)
    }
    fn take_conversion(&mut self, _: Primitive) -> Option<(Primitive, Primitive)> {
        self.conversion.take()
    }

    fn begin_seq(&mut self, shape: &'static Shape) -> Result<usize> {
        self.open_seq(shape)
    }
    #[inline]
    fn next_item(&mut self) -> Result<bool> {
        let slot = match self.frames.last_mut() {
            Some(Frame::Elements(elements)) => elements.next(),
            Some(Frame::Items(items)) => items.next(&self.input)?,
            _ => return Err(misuse()),
        };
        self.slot = slot.unwrap_or(self.slot);
        Ok(slot.is_some())
    }
    fn end_seq(&mut self) -> Result {
        self.close_seq()
    }

    fn begin_object(&mut self, _: &'static Class) -> Result {
        if !matches!(self.slot.kind, DataType::Object | Slot::FILE) {
            return Err(self.wrong_type("an object"));
        }
        self.enter()?;
        let members = Members::open(&self.slot, &self.input, self.passed.len())?;
        self.frames.push(Frame::Members(members));
        Ok(())
    }
    #[inline]
    fn member(&mut self, name: &str) -> Result<bool> {
        let raw = names::raw(name);
        let (members, passed, input) = self.members()?;
        let slot = match members.next_is(&input, passed, &raw)? {
            Some(slot) => Some(slot),
            None => members.search(&input, passed, &raw)?,
        };
        self.slot = slot.unwrap_or(self.slot);
        Ok(slot.is_some())
    }
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        let (members, passed, input) = self.members()?;
        let Some((name, at, slot)) = members.next(&input, passed)? else { return Ok(None) };
        self.slot = slot;
        names::text(name, at).map(Some)
    }
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        let (open, limit) = (self.frames.len(), self.max_depth);
        let (members, passed, input) = self.members()?;
        let check = |slot: &Slot| bodies::check_depth(&input, slot, open, limit);
        members.close(&input, passed, unknown, check)?;
        let base = members.base;
        self.passed.truncate(base);
        self.frames.pop();
        Ok(())
    }

    fn at_pointer(&mut self, _: bool) -> Result<bool> {
        bodies::begins_with(&self.input, &self.slot, &reserved::OWN)
    }
    fn at_some(&mut self) -> Result<bool> {
        bodies::begins_with(&self.input, &self.slot, &[reserved::SOME])
    }

    fn mark(&mut self) -> Mark {
        let depth = self.frames.len() as u32;
        Mark { offset: self.slot.at as u64, state: self.slot.state(), depth }
    }
    fn goto(&mut self, mark: Mark) {
        self.slot = Slot::of_mark(&self.input, mark);
    }
    fn recover(&mut self, mark: Mark) {
        while self.frames.len() > mark.depth as usize {
            if let Some(Frame::Members(members)) = self.frames.pop() {
                self.passed.truncate(members.base);
            }
        }
        self.goto(mark);
    }
    fn find_bodies(&mut self, found: &mut dyn FnMut(u64, Mark)) -> Result {
        bodies::find(&self.input, self.root, self.max_depth, found)
    }

    /// The encoder writes the version as the first member. If it is not there, it is looked for
    /// where a type has one.
    fn version(&mut self, class: &'static Class) -> Result<u32> {
        let (members, passed, input) = self.members()?;
        if let Some(slot) = members.next_is(&input, passed, reserved::VERSION.as_bytes())? {
            self.slot = slot;
            return self.u32();
        }
        if class.version > 0 && self.member(reserved::VERSION)? { self.u32() } else { Ok(0) }
    }
}

impl Decoder<'_> {
    /// Returns the bytes of the one element at the cursor.
    #[inline]
    fn fixed<const N: usize>(&self) -> Result<[u8; N]> {
        let bytes = self.input.take(self.slot.start, N, self.input.len())?;
        let mut array = [0; N];
        array.copy_from_slice(bytes);
        Ok(array)
    }

    /// Returns the bytes of the value at the cursor, without its header.
    fn data(&self) -> &[u8] {
        self.input.0.get(self.slot.start..self.slot.end).unwrap_or_default()
    }
}
