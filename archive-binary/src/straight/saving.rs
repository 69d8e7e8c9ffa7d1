//! [`Saving`]: values one behind the other, into a buffer.

use archive_core::backend::Sink;
use archive_core::block::{self, BlockSaving, SaveBlocks};
use archive_core::pointer::PointerHead;
use archive_core::shape::{Class, Enum, Member, Payload, Shape};
use archive_core::{Archive, Body, Options, Result, Scalar, Session, Variants, check_name};

use super::cannot;
use super::room::{append, append_all, append_counted};
use crate::varint::{encode_u64, put_i128, put_u128, zigzag};

/// Saves values one behind the other.
///
/// The output and where it ends are members of this struct, not of another behind a reference: only
/// so does the compiler know that writing a byte does not change them, and keep them in registers.
pub(crate) struct Saving<'a, 'w> {
    out: Vec<u8>,
    /// Where the output goes as it is written, and how much of it went there.
    sink: Option<Sink<'w>>,
    written: u64,
    /// How much is written before any of it goes there.
    part: usize,
    /// Whether numbers have all their bytes.
    in_block: bool,
    session: &'a mut Session,
    options: &'a Options<'a>,
}

/// How much is written at once.
const PART: usize = 1 << 16;

impl<'a, 'w> Saving<'a, 'w> {
    /// An archive that appends, and hands over what was written from time to time.
    pub(crate) fn new(
        out: Vec<u8>,
        sink: Option<Sink<'w>>,
        session: &'a mut Session,
        options: &'a Options<'a>,
    ) -> Self {
        let part = if sink.is_some() { PART } else { usize::MAX };
        Saving { out, sink, written: 0, part, in_block: false, session, options }
    }

    /// What was written and is still there, and how much was handed over.
    pub(crate) fn finish(self) -> (Vec<u8>, u64) {
        (self.out, self.written)
    }

    /// Hands over what was written, if it is enough.
    #[inline(always)]
    fn hand_over(&mut self) -> Result {
        if self.out.len() >= self.part { self.hand_over_part() } else { Ok(()) }
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

    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        append(&mut self.out, bytes, N);
    }

    /// An integer of more than one byte: all of them, or as many as it needs.
    #[inline(always)]
    fn integer<const N: usize>(&mut self, bytes: [u8; N], value: u64) {
        if self.in_block { self.put(bytes) } else { self.varint(value) }
    }

    /// As many bytes as it needs. Which of two lengths it is can often be guessed, which of many cannot.
    #[inline(always)]
    fn varint(&mut self, value: u64) {
        if value < 1 << 7 {
            self.put([value as u8]);
        } else if value < 1 << 14 {
            self.put([value as u8 | 0x80, (value >> 7) as u8]);
        } else if value < 1 << 28 {
            let (bytes, len) = encode_u64::<4>(value);
            append(&mut self.out, bytes, len);
        } else {
            self.long_varint(value);
        }
    }

    #[inline(never)]
    fn long_varint(&mut self, value: u64) {
        let (bytes, len) = encode_u64::<16>(value);
        append(&mut self.out, bytes, len);
    }

    /// Runs the body of an object whose class or of a sequence whose shape has a size.
    #[inline(always)]
    fn block<B: Body>(&mut self, size: usize, version: u32, body: &mut B) -> Result {
        let visit = |ar: &mut BlockSaving<'_>| body.run(ar);
        let context = (&mut *self.session, self.options);
        block::save(&mut self.out, (1, size), version, context, visit)
    }

    /// Runs the body, with or without numbers of fixed width.
    #[inline(always)]
    fn inside<B: Body>(&mut self, in_block: bool, body: &mut B) -> Result {
        let outer = self.in_block;
        self.in_block = outer || in_block;
        body.run(self)?;
        self.in_block = outer;
        Ok(())
    }
}

impl Archive for Saving<'_, '_> {
    #[inline]
    fn is_loading(&self) -> bool {
        false
    }
    #[inline]
    fn parts(&self) -> (&Session, &Options<'_>) {
        (self.session, self.options)
    }
    #[inline]
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (self.session, self.options)
    }
    #[inline]
    fn fixed_members(&self) -> bool {
        true
    }
    #[inline]
    fn fixed_shape(&self) -> bool {
        true
    }

    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        body.run(self).map_err(|error| error.in_member(name))
    }
    #[inline(always)]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        check_name(info.name)?;
        body.run(self).map_err(|error| error.in_member(info.name))
    }

    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        match value {
            Scalar::Unit => {}
            Scalar::Bool(v) => self.put([u8::from(*v)]),
            Scalar::U8(v) => self.put([*v]),
            Scalar::I8(v) => self.put(v.to_le_bytes()),
            Scalar::U16(v) => self.integer(v.to_le_bytes(), u64::from(*v)),
            Scalar::U32(v) => self.integer(v.to_le_bytes(), u64::from(*v)),
            Scalar::U64(v) => self.integer(v.to_le_bytes(), *v),
            Scalar::I16(v) => self.integer(v.to_le_bytes(), zigzag(i64::from(*v))),
            Scalar::I32(v) => self.integer(v.to_le_bytes(), zigzag(i64::from(*v))),
            Scalar::I64(v) => self.integer(v.to_le_bytes(), zigzag(*v)),
            Scalar::U128(v) if self.in_block => self.put(v.to_le_bytes()),
            Scalar::I128(v) if self.in_block => self.put(v.to_le_bytes()),
            Scalar::U128(v) => put_u128(&mut self.out, *v),
            Scalar::I128(v) => put_i128(&mut self.out, *v),
            Scalar::F32(v) => self.put(v.to_le_bytes()),
            Scalar::F64(v) => self.put(v.to_le_bytes()),
            Scalar::Char(v) => self.varint(u64::from(u32::from(*v))),
            Scalar::String(v) => append_counted(&mut self.out, v.as_bytes()),
            Scalar::Str(v) => append_counted(&mut self.out, v.as_bytes()),
            Scalar::Bytes(v) => append_counted(&mut self.out, v),
            Scalar::ByteSlice(v) => append_counted(&mut self.out, v),
        }
        Ok(())
    }

    #[inline]
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let version = self.options.get_targets().version_of(class);
        if let Some(size) = B::BLOCK {
            return self.block(size, version, body).map_err(|error| error.in_class(class));
        }
        self.session.enter(self.options)?;
        let outer = self.session.set_version(version);
        let saved = self.inside(class.size.is_some(), body);
        self.session.set_version(outer);
        self.session.leave();
        saved.map_err(|error| error.in_class(class))
    }

    #[inline]
    fn seq<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if let Some(size) = B::BLOCK {
            return self.block(size, self.session.version(), body);
        }
        let in_block = match shape {
            Shape::Tuple(_, size) | Shape::Array(_, _, size) => size.is_some(),
            _ if len == usize::MAX => return Err(cannot("a sequence of unknown length")),
            Shape::Seq(item) => {
                self.varint(len as u64);
                item().block_size().is_some()
            }
            _ => {
                self.varint(len as u64);
                false
            }
        };
        self.session.enter(self.options)?;
        self.inside(in_block, body)?;
        self.session.leave();
        Ok(())
    }

    #[inline(always)]
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        self.hand_over()?;
        match body.run(self) {
            Ok(()) => Ok(true),
            Err(error) => Err(error.in_item(index)),
        }
    }

    #[inline]
    fn save_whole_block(&mut self, block: &[u8]) -> Result<bool> {
        if !self.in_block {
            return Ok(false);
        }
        if self.sink.is_none() || block.len() < PART {
            append_all(&mut self.out, block);
            return Ok(true);
        }
        for part in block.chunks(PART) {
            self.hand_over()?;
            append_all(&mut self.out, part);
        }
        Ok(true)
    }

    #[inline]
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        if !self.in_block {
            return Ok(false);
        }
        let (mut left, mut index) = (values.count(), 0);
        let version = self.session.version();
        while left > 0 {
            self.hand_over()?;
            let count = left.min((PART / B::SIZE).max(1));
            let context = (&mut *self.session, self.options);
            block::save(&mut self.out, (count, B::SIZE), version, context, |ar| {
                values.next(ar).map_err(|error| error.in_item(index))?;
                index += 1;
                Ok(())
            })?;
            left -= count;
        }
        Ok(true)
    }

    #[inline]
    fn option<B: Body>(
        &mut self,
        _: &'static Shape,
        present: bool,
        _: bool,
        body: &mut B,
    ) -> Result<bool> {
        self.put([u8::from(present)]);
        if present {
            body.run(self)?;
        }
        Ok(present)
    }

    #[inline]
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        let index = body.current();
        self.varint(index as u64);
        let variant = &info.variants[index];
        if matches!(variant.payload, Payload::Unit) {
            return Ok(());
        }
        self.session.enter(self.options)?;
        body.payload(self)
            .map_err(|error| error.in_member(variant.name).in_variant(info, variant))?;
        self.session.leave();
        Ok(())
    }

    fn save_pointer<B: Body>(&mut self, _: &PointerHead<'_>, _: &mut B) -> Result {
        Err(cannot("a pointer"))
    }
}
