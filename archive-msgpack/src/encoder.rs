//! [`Encoder`]: writes MessagePack.

use std::fmt;

use archive_core::block::Asked;
use archive_core::encoder::UNCOUNTED;
use archive_core::{Class, Error, ErrorKind, Member, Result, Shape};
use rmp::Marker;

use crate::block::{Plans, Slot, write_numbers};
use crate::header::{FrameKind, Header, Patches, short};
use crate::pieces::{PASSED, Passed};
use crate::{ext, put};

/// Writes MessagePack, with every value in its smallest form.
///
/// The number of members of an object is often known only at its end. The header is then written
/// for the expected number. If the final header takes a different number of bytes, it is recorded,
/// and [`into_bytes`](Encoder::into_bytes) replaces all such headers in one pass.
///
/// ```
/// use archive::format::Encoder as _;
/// use archive::shape::Shape;
///
/// let mut msgpack = archive::msgpack::Encoder::new();
/// msgpack.begin_seq(&Shape::Any, 2)?;
/// msgpack.item()?;
/// msgpack.u32(200)?;
/// msgpack.item()?;
/// msgpack.str("hi")?;
/// msgpack.end_seq()?;
/// assert_eq!(msgpack.into_bytes(), [0x92, 0xcc, 200, 0xa2, b'h', b'i']);
/// # Ok::<(), archive::Error>(())
/// ```
pub struct Encoder {
    pub(crate) out: Vec<u8>,
    /// The open containers; the innermost comes last.
    pub(crate) open: Vec<Frame>,
    /// The offset of the key of a map entry, if it comes next; its text is escaped.
    pub(crate) key: usize,
    pub(crate) patches: Patches,
    /// The shape of the items of the sequence that was begun last.
    items: &'static Shape,
    /// The plans of values that are written at once, and the plan of the current block.
    plans: Plans,
    plan: Option<Slot>,
    block: Vec<u8>,
    /// The bytes that were sent to the sink.
    pub(crate) passed: Passed,
}

/// An open container.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) kind: FrameKind,
    /// The number of bytes of the header. [`PASSED`] is added once they were sent to the sink.
    pub(crate) header: u8,
    /// The offset of the header in the output, or in all bytes that were sent to the sink.
    pub(crate) at: usize,
    /// The number of items, members or entries so far.
    pub(crate) count: usize,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// Creates an encoder that has written nothing.
    pub fn new() -> Self {
        Self::over(Vec::new())
    }

    /// Creates an encoder that writes into a buffer, which is empty.
    pub(crate) fn over(out: Vec<u8>) -> Self {
        Encoder {
            out,
            open: Vec::new(),
            key: usize::MAX,
            patches: Patches::default(),
            items: &Shape::Any,
            plans: Plans::default(),
            plan: None,
            block: Vec::new(),
            passed: Passed::default(),
        }
    }

    /// Returns the bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.patches.apply(self.out)
    }

    /// Opens a container with `len` items, which may be an estimate or unknown.
    #[inline]
    fn open(&mut self, kind: FrameKind, len: usize) -> Result {
        let len = if len == UNCOUNTED { 0 } else { len };
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
        self.open.push(Frame { kind, header, at, count: 0 });
        Ok(())
    }

    /// Counts an item of the innermost container.
    #[inline]
    fn count(&mut self) {
        if let Some(frame) = self.open.last_mut() {
            frame.count += 1;
        }
    }

    /// Corrects the header of a container that is closed.
    #[inline]
    fn patch(&mut self, frame: Frame) -> Result {
        let Frame { kind, header, at, count } = frame;
        if header == 1 && count < 16 {
            self.out[at] = (self.out[at] & 0xf0) | count as u8;
            return Ok(());
        }
        self.close_long(kind, header, at, count)
    }

    fn close_long(&mut self, kind: FrameKind, written: u8, at: usize, count: usize) -> Result {
        let header = Header::new(kind, count)?;
        if written & PASSED != 0 {
            self.passed.replace(at, written & !PASSED, header.bytes());
        } else if header.bytes().len() == usize::from(written) {
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

    /// Writes text, or the name of a member.
    #[inline]
    fn text(&mut self, text: &str) -> Result {
        if text.len() < 32 {
            put::text(&mut self.out, text.as_bytes());
            return Ok(());
        }
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

    /// Writes a length after the marker of its width. The markers of wider lengths are consecutive.
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

    /// Writes the key of a map. If it begins with `$`, another `$` is written before it, because
    /// names with one `$` belong to the format itself.
    #[cold]
    fn key(&mut self, key: &str) -> Result {
        self.text_header(key.len() + 1)?;
        self.out.push(b'$');
        self.out.extend_from_slice(key.as_bytes());
        Ok(())
    }
}

/// Returns the error for calls in an invalid order.
#[cold]
fn misuse() -> Error {
    Error::new(
        ErrorKind::Unsupported,
        "calls out of order: an entry of a map must be a sequence of two items",
    )
}

macro_rules! integers {
    ($($signed:ident)* | $($unsigned:ident)*) => {
        $(#[inline]
        fn $signed(&mut self, value: $signed) -> Result {
            put::integer(&mut self.out, i64::from(value) as u64, value < 0);
            Ok(())
        })*
        $(#[inline]
        fn $unsigned(&mut self, value: $unsigned) -> Result {
            put::integer(&mut self.out, value.into(), false);
            Ok(())
        })*
    };
}

impl archive_core::Encoder for Encoder {
    integers!(i16 i32 i64 | u32 u64);

    #[inline]
    fn i8(&mut self, value: i8) -> Result {
        put::signed_byte(&mut self.out, value);
        Ok(())
    }

    #[inline]
    fn u16(&mut self, value: u16) -> Result {
        put::short(&mut self.out, value);
        Ok(())
    }

    #[inline]
    fn u8(&mut self, value: u8) -> Result {
        put::byte(&mut self.out, value);
        Ok(())
    }

    #[inline]
    fn null(&mut self) -> Result {
        self.put(Marker::Null, [])
    }

    #[inline]
    fn bool(&mut self, value: bool) -> Result {
        self.out.push(Marker::False.to_u8() + u8::from(value));
        Ok(())
    }

    #[inline]
    fn f32(&mut self, value: f32) -> Result {
        let [a, b, c, d] = value.to_be_bytes();
        self.out.extend_from_slice(&[Marker::F32.to_u8(), a, b, c, d]);
        Ok(())
    }

    #[inline]
    fn f64(&mut self, value: f64) -> Result {
        let [a, b, c, d, e, f, g, h] = value.to_be_bytes();
        self.out.extend_from_slice(&[Marker::F64.to_u8(), a, b, c, d, e, f, g, h]);
        Ok(())
    }

    #[inline]
    fn str(&mut self, value: &str) -> Result {
        if self.key == self.out.len() && value.starts_with('$') {
            return self.key(value);
        }
        self.text(value)
    }

    fn bytes(&mut self, value: &[u8]) -> Result {
        let what = "more than 2^32 - 1 bytes in one value";
        self.length(value.len(), what, Marker::Bin8, Marker::Bin16)?;
        self.out.extend_from_slice(value);
        Ok(())
    }

    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result {
        if matches!(self.open.last(), Some(Frame { kind: FrameKind::Map, .. })) {
            let at = self.out.len();
            self.key = at;
            self.open.push(Frame { kind: FrameKind::Pair, header: 0, at, count: 0 });
            return Ok(());
        }
        self.items = shape;
        self.open(FrameKind::Seq, len)
    }

    #[inline]
    fn item(&mut self) -> Result {
        self.count();
        Ok(())
    }

    #[inline]
    fn end_seq(&mut self) -> Result {
        match self.open.pop() {
            Some(Frame { kind: FrameKind::Pair, count: 2, .. }) => Ok(()),
            Some(frame) if frame.kind != FrameKind::Pair => self.patch(frame),
            _ => Err(misuse()),
        }
    }

    fn begin_map(&mut self, _: &'static Shape, len: usize) -> Result {
        self.open(FrameKind::Map, len)
    }

    /// Returns the buffer for the next value as a block, if there is a plan for it.
    #[inline]
    fn begin_block(&mut self, asked: Asked) -> Result<Option<&mut Vec<u8>>> {
        if matches!(self.open.last(), Some(Frame { kind: FrameKind::Map, .. })) {
            return Ok(None);
        }
        self.block.clear();
        self.plan = match asked {
            Asked::Class(class) => self.plans.of_class(class),
            Asked::Shape(shape) => self.plans.of(shape),
        };
        Ok(self.plan.map(|_| &mut self.block))
    }

    #[inline]
    fn block(&mut self, items: bool) -> Result<Option<&mut Vec<u8>>> {
        let Shape::Seq(item, _) = self.items else { return Ok(None) };
        self.block.clear();
        self.plan = self.plans.of(item.get()).filter(|_| items);
        Ok(self.plan.map(|_| &mut self.block))
    }

    fn end_block(&mut self, items: usize) -> Result {
        if let Some(plan) = self.plan.take().and_then(|slot| self.plans.get(slot)) {
            plan.write(&self.block, &mut self.out);
        }
        if let Some(frame) = self.open.last_mut() {
            frame.count += items;
        }
        Ok(())
    }

    fn whole_block(&mut self, block: &[u8]) -> Result<bool> {
        let Shape::Seq(item, _) = self.items else { return Ok(false) };
        let (item, frame) = (item.get(), self.open.last_mut());
        let (Some(size), Some(frame)) = (item.block_size(), frame) else { return Ok(false) };
        self.plan = None;
        let written = match item {
            Shape::Primitive(kind, _) => write_numbers(*kind, block, &mut self.out),
            _ => {
                self.plan = self.plans.of(item);
                let plan = self.plan.and_then(|slot| self.plans.get(slot));
                plan.inspect(|plan| plan.write(block, &mut self.out)).is_some()
            }
        };
        if written {
            frame.count += block.len() / size.bytes;
        }
        Ok(written)
    }

    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result {
        self.open(FrameKind::Object, class.members.map_or(0, <[_]>::len))
    }

    #[inline]
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        self.count();
        self.text(name)
    }

    #[inline(always)]
    fn known_member(&mut self, info: &'static Member) -> Result {
        let Some((quoted, _)) = info.token.text(true) else {
            return self.member(info.name, &Shape::Any);
        };
        self.count();
        put::name(&mut self.out, quoted, info.name.len());
        Ok(())
    }

    #[inline]
    fn end_object(&mut self) -> Result {
        let Some(frame) = self.open.pop() else { return Err(misuse()) };
        let Frame { at, count, header, .. } = frame;
        self.patch(frame)?;
        if count == 2 && header & PASSED == 0 && ext::begins(&self.out, at) {
            self.patches.apply_from(at, &mut self.out);
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
