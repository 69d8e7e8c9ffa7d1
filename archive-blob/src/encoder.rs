//! [`Encoder`]: writes ObjectBlob files.

mod frame;
mod pieces;
#[cfg(test)]
mod tests;
mod value;

use archive_core::shape::{Class, Enum, Payload, Shape, VARIANT, Variant};
use archive_core::{Error, ErrorKind, ROOTS, Result};

use crate::cursor::word;
use crate::names;
use crate::types::DataType;
use frame::{Frame, Object};
use pieces::{Begin, Passed};
pub(crate) use value::too_large;

/// Writes ObjectBlob files. Counts and sizes are filled in when the data that they describe is
/// complete.
///
/// ```
/// use archive::format::Encoder as _;
/// use archive::shape::{Class, Shape, NameOf};
///
/// static ROOM: Class = Class::data("Room");
///
/// let mut blob = archive::blob::Encoder::new();
/// blob.begin_object(&ROOM)?;
/// blob.member("width", &Shape::Any)?;
/// blob.i32(640)?;
/// blob.end_object()?;
/// let file = blob.finish()?;
/// assert_eq!(file[..4], [1, 0, 0, 0]); // one blob …
/// assert_eq!(file[4..9], [1, 0, 0, 0, 0]); // … without a name
/// assert_eq!(file[file.len() - 4..], [0x80, 2, 0, 0]);
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Encoder {
    out: Vec<u8>,
    frames: Vec<Frame>,
    place: Place,
    /// Whether the next value is part of a tree without types.
    untyped: bool,
    /// The offset of the name of the member whose value comes next. Offsets count all bytes that
    /// were written, including those that were passed to the sink.
    name: Option<usize>,
    /// If the root is not an object: the offset of the size of the blob that wraps it, and how many
    /// frames are open around that blob.
    wrapped: Option<(Begin, usize)>,
    /// The maximum length and count.
    limit: usize,
    kind: FileKind,
    passed: Passed,
}

/// The form in which the next value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A blob of the list, whose name has been written.
    Root,
    /// A datum, whose name has been written if it has one.
    Datum,
    /// An element of an array of that type.
    Element(DataType),
}

/// The kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    /// A list of one blob.
    One,
    /// A list of named blobs.
    Roots,
    /// A datum without its name.
    Datum,
}

impl Encoder {
    /// Creates an encoder that has written nothing.
    pub fn new() -> Self {
        Encoder::with(FileKind::One, &[1, 0, 0, 0, 1, 0, 0, 0, 0])
    }

    /// Creates an encoder of a datum without a name.
    pub(crate) fn datum() -> Self {
        Encoder { place: Place::Datum, ..Encoder::with(FileKind::Datum, &[]) }
    }

    fn with(kind: FileKind, out: &[u8]) -> Self {
        Encoder {
            out: out.to_vec(),
            frames: Vec::new(),
            place: Place::Root,
            untyped: false,
            name: None,
            wrapped: None,
            limit: i32::MAX as usize,
            kind,
            passed: Passed::default(),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If the value is incomplete.
    pub fn finish(self) -> Result<Vec<u8>> {
        self.check_complete()?;
        Ok(self.out)
    }

    fn check_complete(&self) -> Result {
        let empty = self.kind == FileKind::One && self.here() == 9;
        if empty || !self.frames.is_empty() {
            return Err(Error::custom(
                "the value is incomplete: `finish` was called before its end",
            ));
        }
        Ok(())
    }

    /// Returns whether a datum on its own is being written, which cannot be followed by a mark.
    fn is_whole_datum(&self) -> bool {
        self.kind == FileKind::Datum && self.frames.is_empty()
    }

    #[inline]
    fn put_i32(&mut self, value: i32) {
        self.out.extend_from_slice(&word(value));
    }

    /// Converts a length or count to the format's integer type.
    fn length(&self, value: usize, what: &str) -> Result<i32> {
        match i32::try_from(value) {
            Ok(length) if value <= self.limit => Ok(length),
            _ => Err(too_large(value, what)),
        }
    }

    /// Fills in a length or count in its reserved place.
    fn patch(&mut self, at: usize, value: usize, what: &str) -> Result {
        let value = self.length(value, what)?;
        self.put_word(at, value);
        Ok(())
    }

    fn put_name(&mut self, name: &str) -> Result {
        let raw = names::raw(name);
        let length = self.length(raw.len() + 1, "the length of a name")?;
        self.put_i32(length);
        self.out.extend_from_slice(&raw);
        self.out.push(0);
        Ok(())
    }

    /// Writes the header of a datum, which comes after its name if it has one.
    fn put_header(&mut self, kind: DataType, count: usize) -> Result {
        let size = kind.element_size().unwrap_or(1);
        self.length(count.saturating_mul(size), "the size of a value")?;
        let count = self.length(count, "the number of elements")?;
        self.put_i32(kind.code());
        self.put_i32(size as i32);
        self.put_i32(count);
        Ok(())
    }
}

impl Default for Encoder {
    fn default() -> Self {
        Encoder::new()
    }
}

/// Creates the error for a member outside of an object, or an item outside of a sequence.
#[cold]
fn misuse() -> Error {
    let message = "calls out of order: a member outside an object, or an item outside a sequence";
    Error::new(ErrorKind::Unsupported, message)
}

macro_rules! scalars {
    ($($name:ident $KIND:ident;)*) => {$(
        #[inline]
        fn $name(&mut self, value: $name) -> Result {
            self.scalar(DataType::$KIND, &value.to_le_bytes())
        }
    )*};
}

impl archive_core::Encoder for Encoder {
    scalars! {
        i8 I8; i16 I16; i32 Int; i128 I128;
        u8 U8; u16 U16; u32 U32; u64 U64; u128 U128;
        f32 Float; f64 Double;
    }

    /// In trees without types the width of integers is unknown. Those that fit `i32` are written as
    /// the original program writes them.
    #[inline]
    fn i64(&mut self, value: i64) -> Result {
        if self.untyped
            && let Ok(value) = i32::try_from(value)
        {
            return self.i32(value);
        }
        self.scalar(DataType::I64, &value.to_le_bytes())
    }

    #[inline]
    fn bool(&mut self, value: bool) -> Result {
        self.scalar(DataType::Bool, &[value.into()])
    }

    #[inline]
    fn char(&mut self, value: char) -> Result {
        self.scalar(DataType::Character, &u32::from(value).to_le_bytes())
    }

    fn null(&mut self) -> Result {
        self.block(DataType::Null, &[], &[])
    }

    fn str(&mut self, value: &str) -> Result {
        if value.as_bytes().contains(&0) {
            return self.block(DataType::Text, value.as_bytes(), &[]);
        }
        self.block(DataType::Char, value.as_bytes(), &[0])
    }

    fn bytes(&mut self, value: &[u8]) -> Result {
        self.block(DataType::Bytes, value, &[])
    }

    fn begin_seq(&mut self, shape: &'static Shape, _: usize) -> Result {
        if let Shape::Seq(item, _) | Shape::Array(item, ..) = shape
            && let Shape::Primitive(primitive, _) = item.get()
            && let Some(kind) = DataType::of(*primitive)
        {
            return self.begin_array(kind);
        }
        self.begin_list(shape.is_any())
    }

    #[inline]
    fn item(&mut self) -> Result {
        match self.frames.last_mut() {
            Some(Frame::Array(array)) => self.place = Place::Element(array.kind),
            Some(Frame::List(list)) => {
                list.items += 1;
                self.untyped = list.untyped;
                self.place = Place::Datum;
                self.name = None;
            }
            _ => return Err(misuse()),
        }
        Ok(())
    }

    fn end_seq(&mut self) -> Result {
        match self.frames.pop() {
            Some(Frame::Array(array)) => self.end_array(array)?,
            Some(Frame::List(list)) => self.end_list(list)?,
            _ => return Err(misuse()),
        }
        self.end_value()
    }

    fn begin_object(&mut self, class: &'static Class) -> Result {
        let at = self.place_here();
        if self.kind == FileKind::Roots && self.frames.is_empty() && std::ptr::eq(class, &ROOTS) {
            self.frames.push(Frame::Roots { count: 0, unnamed: false });
        } else if self.place == Place::Root {
            self.put_i32(0);
            self.put_i32(0);
            self.frames.push(Frame::Object(Object { at, root: true, count: 0, unnamed: false }));
        } else {
            self.begin_value(DataType::Object, false)?;
            self.put_header(DataType::Object, 0)?;
            let at = self.place_here().before(4);
            self.put_i32(0);
            self.frames.push(Frame::Object(Object { at, root: false, count: 0, unnamed: false }));
        }
        Ok(())
    }

    #[inline]
    fn member(&mut self, name: &str, shape: &'static Shape) -> Result {
        self.untyped = shape.is_any();
        self.name = Some(self.here());
        match self.frames.last_mut() {
            Some(Frame::Object(object)) => {
                object.count += 1;
                object.unnamed |= name.is_empty();
                self.place = Place::Datum;
            }
            Some(Frame::Roots { count, unnamed }) => {
                *count += 1;
                *unnamed |= name.is_empty();
                self.place = Place::Root;
            }
            _ => return Err(misuse()),
        }
        self.put_name(name)
    }

    fn end_object(&mut self) -> Result {
        match self.frames.pop() {
            Some(Frame::Object(object)) => self.close_object(object)?,
            Some(Frame::Roots { count, unnamed }) => self.close_roots(count, unnamed)?,
            _ => return Err(misuse()),
        }
        self.end_value()
    }

    fn begin_variant(&mut self, info: &'static Enum, index: usize) -> Result {
        let Variant { name, payload, .. } = info.variant(index)?;
        let shape = match payload {
            Payload::Unit => return archive_core::Encoder::str(self, name),
            Payload::Newtype(value) => value.get(),
            _ => &Shape::Tuple(&[], None, ""), // any other payload is typed
        };
        self.begin_object(&VARIANT)?;
        self.member(name, shape)
    }

    fn begin_root(&mut self, shape: &'static Shape) -> Result {
        self.untyped = shape.is_any();
        if self.kind == FileKind::One
            && matches!(shape, Shape::Class(class) if std::ptr::eq(*class, &ROOTS))
        {
            self.kind = FileKind::Roots;
            self.out.clear();
            self.put_i32(0);
        }
        Ok(())
    }
}
