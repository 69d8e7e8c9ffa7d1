//! [`Encoder`]: MessagePack to be saved to.

use std::fmt;

use archive_core::{Class, Error, ErrorKind, Result, Shape};
use rmp::Marker;

use crate::ext;
use crate::header::{FrameKind, Header, Patches, short};

/// Writes MessagePack, every value in the smallest form there is for it.
///
/// How many members an object has is often known only at its end. Its header is then written as it
/// probably will be; one that turns out to take another number of bytes is noted, and
/// [`into_bytes`](Encoder::into_bytes) puts all of those in place in one pass.
///
/// ```
/// use archive_core::Encoder as _;
/// use archive_core::Shape;
///
/// let mut msgpack = archive_msgpack::Encoder::new();
/// msgpack.begin_seq(&Shape::Any, 2)?;
/// msgpack.item()?;
/// msgpack.u32(200)?;
/// msgpack.item()?;
/// msgpack.str("hi")?;
/// msgpack.end_seq()?;
/// assert_eq!(msgpack.into_bytes(), [0x92, 0xcc, 200, 0xa2, b'h', b'i']);
/// # Ok::<(), archive_core::Error>(())
/// ```
pub struct Encoder {
    out: Vec<u8>,
    /// What is open, but for the innermost.
    open: Vec<Frame>,
    top: Frame,
    /// Where the key of a map entry begins, if that comes next: text there is escaped.
    key: usize,
    patches: Patches,
}

/// Something that was opened and not closed.
#[derive(Clone, Copy)]
struct Frame {
    kind: FrameKind,
    /// How many bytes were written as header.
    header: u8,
    at: usize,
    /// Items, members or entries so far.
    count: usize,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// An encoder that nothing was written to.
    pub fn new() -> Self {
        let top = Frame { kind: FrameKind::Root, header: 0, at: 0, count: 0 };
        Encoder {
            out: Vec::new(),
            open: Vec::new(),
            top,
            key: usize::MAX,
            patches: Patches::default(),
        }
    }

    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.patches.apply(self.out)
    }

    /// Opens something that has, or probably will have, `len` items.
    #[inline]
    fn open(&mut self, kind: FrameKind, len: usize) -> Result {
        let at = self.out.len();
        let small = if kind == FrameKind::Seq { 0x90 } else { 0x80 };
        let header = if len < 16 {
            self.out.push(small | len as u8);
            1
        } else {
            let header = Header::new(kind, len)?;
            self.out.extend_from_slice(header.bytes());
            header.bytes().len() as u8
        };
        self.open.push(std::mem::replace(&mut self.top, Frame { kind, header, at, count: 0 }));
        Ok(())
    }

    /// Closes what was opened last, now that its number of items is known.
    #[inline]
    fn close(&mut self) -> Result {
        let Some(outer) = self.open.pop() else { return Err(misuse()) };
        let Frame { kind, header, at, count } = std::mem::replace(&mut self.top, outer);
        if header == 1 && count < 16 {
            self.out[at] = (self.out[at] & 0xf0) | count as u8;
            return Ok(());
        }
        self.close_long(kind, header, at, count)
    }

    fn close_long(&mut self, kind: FrameKind, written: u8, at: usize, count: usize) -> Result {
        let header = Header::new(kind, count)?;
        if header.bytes().len() == usize::from(written) {
            self.out[at..at + usize::from(written)].copy_from_slice(header.bytes());
        } else {
            self.patches.add(at, written, header);
        }
        Ok(())
    }

    #[inline]
    fn put<const N: usize>(&mut self, marker: Marker, bytes: [u8; N]) -> Result {
        self.out.push(marker.to_u8());
        self.out.extend_from_slice(&bytes);
        Ok(())
    }

    /// Text, or the name of a member.
    #[inline]
    fn text(&mut self, text: &str) -> Result {
        self.text_header(text.len())?;
        self.out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    #[inline]
    fn text_header(&mut self, len: usize) -> Result {
        if len < 32 {
            self.out.push(0xa0 | len as u8);
            return Ok(());
        }
        self.length(len, "text of more than 2^32 - 1 bytes", Marker::Str8, Marker::Str16)
    }

    /// A length behind the marker of its width; those of the wider ones follow one another.
    fn length(&mut self, len: usize, what: &str, one: Marker, two: Marker) -> Result {
        if let Ok(len) = u8::try_from(len) {
            self.put(one, [len])
        } else if let Ok(len) = u16::try_from(len) {
            self.put(two, len.to_be_bytes())
        } else {
            let four = Marker::from_u8(two.to_u8() + 1);
            self.put(four, short(len, what)?.to_be_bytes())
        }
    }

    /// Text that is the key of a map: behind `$`, which marks the format's own names, a second one.
    #[cold]
    fn key(&mut self, key: &str) -> Result {
        self.text_header(key.len() + 1)?;
        self.out.push(b'$');
        self.out.extend_from_slice(key.as_bytes());
        Ok(())
    }

    #[inline]
    fn unsigned(&mut self, value: u64) -> Result {
        if value < 0x80 {
            self.out.push(value as u8);
            Ok(())
        } else if let Ok(value) = u8::try_from(value) {
            self.put(Marker::U8, [value])
        } else if let Ok(value) = u16::try_from(value) {
            self.put(Marker::U16, value.to_be_bytes())
        } else if let Ok(value) = u32::try_from(value) {
            self.put(Marker::U32, value.to_be_bytes())
        } else {
            self.put(Marker::U64, value.to_be_bytes())
        }
    }

    fn negative(&mut self, value: i64) -> Result {
        if value >= -32 {
            self.out.push(value as u8);
            Ok(())
        } else if let Ok(value) = i8::try_from(value) {
            self.put(Marker::I8, value.to_be_bytes())
        } else if let Ok(value) = i16::try_from(value) {
            self.put(Marker::I16, value.to_be_bytes())
        } else if let Ok(value) = i32::try_from(value) {
            self.put(Marker::I32, value.to_be_bytes())
        } else {
            self.put(Marker::I64, value.to_be_bytes())
        }
    }
}

/// The error for calls that do not come in a well-formed order.
#[cold]
fn misuse() -> Error {
    Error::new(ErrorKind::Unsupported, "an entry of a map that is not a sequence of two")
}

macro_rules! integers {
    ($($signed:ident $unsigned:ident)*) => {$(
        #[inline]
        fn $signed(&mut self, value: $signed) -> Result {
            if value >= 0 { self.unsigned(value as u64) } else { self.negative(value.into()) }
        }
        #[inline]
        fn $unsigned(&mut self, value: $unsigned) -> Result {
            self.unsigned(value.into())
        }
    )*};
}

impl archive_core::Encoder for Encoder {
    integers!(i8 u8 i16 u16 i32 u32 i64 u64);

    fn as_dyn(&mut self) -> &mut dyn archive_core::Encoder {
        self
    }

    #[inline]
    fn null(&mut self) -> Result {
        self.put(Marker::Null, [])
    }

    #[inline]
    fn bool(&mut self, value: bool) -> Result {
        self.put(if value { Marker::True } else { Marker::False }, [])
    }

    #[inline]
    fn f32(&mut self, value: f32) -> Result {
        self.put(Marker::F32, value.to_bits().to_be_bytes())
    }

    #[inline]
    fn f64(&mut self, value: f64) -> Result {
        self.put(Marker::F64, value.to_bits().to_be_bytes())
    }

    #[inline]
    fn str(&mut self, value: &str) -> Result {
        if self.key == self.out.len() && value.starts_with('$') {
            return self.key(value);
        }
        self.text(value)
    }

    fn bytes(&mut self, value: &[u8]) -> Result {
        let what = "more than 2^32 - 1 bytes in one place";
        self.length(value.len(), what, Marker::Bin8, Marker::Bin16)?;
        self.out.extend_from_slice(value);
        Ok(())
    }

    #[inline]
    fn begin_seq(&mut self, _: &'static Shape, len: usize) -> Result {
        if self.top.kind == FrameKind::Map {
            let at = self.out.len();
            self.key = at;
            let pair = Frame { kind: FrameKind::Pair, header: 0, at, count: 0 };
            self.open.push(std::mem::replace(&mut self.top, pair));
            return Ok(());
        }
        let known = len != archive_core::encoder::UNKNOWN_LEN;
        self.open(FrameKind::Seq, if known { len } else { 0 })
    }

    #[inline]
    fn item(&mut self) -> Result {
        self.top.count += 1;
        Ok(())
    }

    #[inline]
    fn end_seq(&mut self) -> Result {
        if self.top.kind == FrameKind::Pair {
            let complete = self.top.count == 2;
            self.top = self.open.pop().ok_or_else(misuse)?;
            return if complete { Ok(()) } else { Err(misuse()) };
        }
        self.close()
    }

    fn begin_map(&mut self, _: &'static Shape, len: usize) -> Result {
        self.open(FrameKind::Map, len)
    }

    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result {
        self.open(FrameKind::Object, class.members.map_or(0, <[_]>::len))
    }

    #[inline]
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        self.top.count += 1;
        self.text(name)
    }

    #[inline]
    fn end_object(&mut self) -> Result {
        let Frame { at, count, .. } = self.top;
        self.close()?;
        // What was patched inside has other bytes than those written so far.
        if count == 2 && !self.patches.any_behind(at) {
            ext::join(&mut self.out, at);
        }
        Ok(())
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("out", &self.out)
            .field("depth", &self.open.len())
            .finish_non_exhaustive()
    }
}
