//! [`Saving`]: saves values into a buffer.

use std::any::Any;
use std::collections::VecDeque;

use archive_core::backend::Sink;
use archive_core::block::{self, Asked, BlockSize, SaveBlocks};
use archive_core::encoder::UNCOUNTED;
use archive_core::pointer::PointerHead;
use archive_core::shape::{Class, Enum, Member, Payload, Shape, Variant};
use archive_core::{
    Archive, ArchiveKind, Begun, Body, BodyFacts, DynBody, Encoder as _, ErasedBody, Error,
    Options, OuterState, Result, SaveRoom, Scalar, Session, Step, Visitor, Walk, check_name, put,
};

use super::cannot;
use super::forecast::Forecast;
use super::pointers::Deferred;
use crate::Encoder;
use crate::shapes::{describes_itself, has_bytes, is_any};
use crate::varint::{encode_u64, put_i128, put_u128, zigzag};

/// Saves values into a buffer.
///
/// The output is a field of this struct rather than a reference. The compiler therefore knows that
/// writing a byte does not change its pointer and length, and keeps them in registers.
pub(crate) struct Saving<'a, 'w> {
    pub(crate) out: Vec<u8>,
    /// The sink that receives the output while it is written, and the number of bytes that it
    /// received.
    pub(super) sink: Option<Sink<'w>>,
    written: u64,
    /// The length at which the output is sent to the sink, or at which more room is considered.
    pub(super) part: usize,
    pub(super) forecast: Forecast,
    /// Whether integers are stored with all their bytes.
    pub(super) in_block: bool,
    /// The pointers that are saved after the outermost one.
    pub(super) waiting: VecDeque<Deferred>,
    /// Whether this writes a part of the encoder's output, which may end before the outermost
    /// pointer does.
    partial: bool,
    /// The encoder. It has the tables, and writes the values that this archive does not write.
    pub(crate) encoder: &'a mut Encoder<'w>,
    pub(crate) session: &'a mut Session,
    pub(crate) options: &'a Options<'a>,
}

/// The number of bytes that are sent to the sink at once.
pub(super) const PART: usize = 1 << 16;

impl<'a, 'w> Saving<'a, 'w> {
    /// Creates an archive that continues at the position of the encoder, and sends the output to
    /// `sink` in parts.
    pub(crate) fn new(
        encoder: &'a mut Encoder<'w>,
        sink: Option<Sink<'w>>,
        session: &'a mut Session,
        options: &'a Options<'a>,
    ) -> Self {
        let out = encoder.take_output();
        let part = if sink.is_some() { PART } else { Forecast::next(out.capacity()) };
        let forecast = Forecast::new(part);
        let (waiting, partial) = (VecDeque::new(), false);
        let in_block = false;
        Saving {
            out,
            sink,
            written: 0,
            part,
            forecast,
            in_block,
            waiting,
            partial,
            encoder,
            session,
            options,
        }
    }

    /// Creates an archive that writes a part of the encoder's output.
    pub(super) fn partial(
        encoder: &'a mut Encoder<'w>,
        session: &'a mut Session,
        options: &'a Options<'a>,
    ) -> Self {
        Saving { partial: true, ..Saving::new(encoder, None, session, options) }
    }

    /// Passes the output to the encoder. Returns the number of bytes that the sink received.
    pub(crate) fn finish(mut self) -> u64 {
        self.pass_output();
        self.written
    }

    /// Called before an item: sends the output to the sink if there is enough of it, or reserves
    /// room.
    #[inline(always)]
    fn room_for_item(&mut self, index: usize) -> Result {
        if self.out.len() >= self.part { self.hand_over(index) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn hand_over(&mut self, index: usize) -> Result {
        if let Some(sink) = &mut self.sink {
            sink(&self.out)?;
            self.written += self.out.len() as u64;
            self.out.clear();
        } else {
            self.grow(index);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.append(bytes, N);
    }

    /// Writes an integer of more than one byte: all its bytes in a block, otherwise a varint.
    #[inline(always)]
    fn integer<const N: usize>(&mut self, bytes: [u8; N], value: u64) {
        if self.in_block { self.put(bytes) } else { self.varint(value) }
    }

    /// Writes a varint. Branches between few lengths, since a choice between many lengths is
    /// unpredictable.
    #[inline(always)]
    pub(super) fn varint(&mut self, value: u64) {
        let (bytes, len) = if value < 1 << 7 {
            ([value as u8, 0, 0, 0], 1)
        } else if value < 1 << 14 {
            ([value as u8 | 0x80, (value >> 7) as u8, 0, 0], 2)
        } else if value < 1 << 28 {
            encode_u64::<4>(value)
        } else {
            return self.long_varint(value);
        };
        self.append(bytes, len);
    }

    #[inline(never)]
    fn long_varint(&mut self, value: u64) {
        let (bytes, len) = encode_u64::<16>(value);
        self.append(bytes, len);
    }

    #[inline(never)]
    fn long_u128(&mut self, value: u128) {
        self.reserve(1);
        put_u128(&mut self.out, value);
    }

    #[inline(never)]
    fn long_i128(&mut self, value: i128) {
        self.reserve(1);
        put_i128(&mut self.out, value);
    }

    /// Appends a large block, in parts if there is a sink.
    #[inline(never)]
    fn save_large_block(&mut self, block: &[u8]) -> Result {
        if self.sink.is_none() {
            self.append_all(block);
            return Ok(());
        }
        for part in block.chunks(PART) {
            self.room_for_item(0)?;
            self.append_all(part);
        }
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result {
        self.session.count_bytes(bytes, self.options)?;
        self.append_counted(bytes);
        Ok(())
    }

    /// Begins an object whose class has a size, or a sequence whose shape has a size. Returns the
    /// output, which has room for it.
    #[inline(always)]
    fn room_for_block(&mut self, asked: Asked, size: BlockSize) -> Result<SaveRoom<'_>> {
        if !self.session.fits(size, size.elements, self.options) {
            return Err(self.session.limit_error(asked, self.options));
        }
        self.session.count_fitting(size.elements);
        let version = match asked {
            Asked::Class(class) => self.options.settings().targets().version_of(class),
            Asked::Shape(_) => self.session.version(),
        };
        self.reserve(size.bytes);
        let (out, session, options) = (&mut self.out, &mut *self.session, self.options);
        Ok(SaveRoom { out, version, ends: false, session, options })
    }

    // The steps of the erased archive call these two functions for values that do not surely fit.
    // They are separate, so that the steps save no registers for them.

    #[inline(never)]
    fn any_room(&mut self, asked: Asked, size: BlockSize) -> Result<SaveRoom<'_>> {
        self.room_for_block(asked, size)
    }

    #[inline(never)]
    fn any_list(
        &mut self,
        shape: &'static Shape,
        len: usize,
        block: &[u8],
        size: BlockSize,
    ) -> Result<(Begun, OuterState)> {
        let elements = size.elements_of(len as u64);
        if !self.session.fits(size.in_list(), elements, self.options) {
            // The items are saved one by one, which finds the one that exceeds a limit.
            return Ok((Begun::Here, self.enter_seq(shape, len, true)?));
        }
        self.session.count_fitting(elements);
        self.varint(len as u64);
        self.save_large_block(block)?;
        Ok((Begun::Over, OuterState::default()))
    }

    /// Begins an object. An object with a size is a block, in which integers have a fixed width.
    #[inline]
    fn enter_object(&mut self, class: &'static Class) -> Result<OuterState> {
        self.session.enter_object(class, self.options)?;
        let version = self.session.set_version(self.options.settings().targets().version_of(class));
        let in_block = self.in_block;
        self.in_block |= class.block_size().is_some();
        Ok(OuterState { version, in_block, ..OuterState::default() })
    }

    /// Begins a sequence or a map. Writes its length unless the shape determines it. Inlined since
    /// the shape is a constant; without optimisation, inlining would only add code.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn enter_seq(
        &mut self,
        shape: &'static Shape,
        len: usize,
        counted: bool,
    ) -> Result<OuterState> {
        let outer = OuterState { in_block: self.in_block, ..OuterState::default() };
        let (inside, count) = match shape {
            Shape::Tuple(_, size, _) | Shape::Array(_, _, size, _) => (size.is_some(), None),
            _ if len == UNCOUNTED => return Err(self.not_counted(shape)),
            Shape::Seq(item, _) => {
                let item = item.get();
                if !has_bytes(item) {
                    self.encoder.count_if_empty(shape, len)?;
                }
                (item.block_size().is_some(), Some(len))
            }
            _ => {
                self.encoder.count_empty(shape, len)?;
                (false, Some(len))
            }
        };
        if count.is_some() {
            self.varint(len as u64);
        }
        self.session.enter(self.options)?;
        if counted {
            self.session.count_all(len as u64, self.options)?;
        }
        self.in_block |= inside;
        // Blocks reserve room themselves.
        if !self.in_block {
            self.forecast.begin(count, self.out.len());
        }
        Ok(outer)
    }

    /// Saves an entry of a map. `any` is whether the key or the value is self-describing.
    #[inline(always)]
    pub(super) fn entry_of<K: Body, V: Body>(
        &mut self,
        index: usize,
        any: [bool; 2],
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.room_for_item(index)?;
        let entered = self.session.count(self.options);
        entered
            .and_then(|()| self.session.enter_entry(self.options))
            .map_err(|error| error.in_item(index))?;
        self.any_or(|| any[0], key).map_err(|error| error.in_item(0).in_item(index))?;
        self.any_or(|| any[1], value).map_err(|error| error.in_item(1).in_item(index))?;
        self.session.leave();
        Ok(true)
    }

    #[cold]
    fn not_counted(&self, shape: &'static Shape) -> Error {
        self.encoder.unsupported(match shape {
            // Only the length of a list can be inserted afterwards.
            Shape::Map(..) => "a map whose length is not known when it begins",
            _ => "a list of unknown length whose body says that it is counted",
        })
    }
}

impl Visitor for Saving<'_, '_> {
    archive_core::__one_way!(saves);

    #[cold]
    fn elsewhere(&mut self, step: Step, body: &mut dyn ErasedBody) -> Result<bool> {
        let mut body = DynBody(body);
        match step {
            Step::Named(info) => self.any(&mut body).map_err(|error| error.in_member(info.name))?,
            Step::Object(class) => self.object_by_hand(class, &mut body)?,
            Step::Seq(shape, len) => self.by_parts(shape, len, &mut |ar| body.run(ar))?,
            Step::Option(_, _, null) => {
                self.put([1]);
                if null {
                    self.session.enter(self.options)?;
                }
                self.any(&mut body)?;
                if null {
                    self.session.leave();
                }
            }
            Step::Variant(info, index) => {
                self.begin_variant(info, index, true)?;
                let done = self.any(&mut body);
                self.end_variant(info, info.variant(index)?, done)?;
            }
            _ => return Err(cannot("that")),
        }
        Ok(true)
    }

    #[inline]
    fn fixed_members(&self) -> bool {
        true
    }
    #[inline]
    fn fixed_shape(&self) -> bool {
        true
    }

    // Inlined since the kind of scalar is a constant; without optimisation, inlining would only add
    // code.
    #[cfg_attr(not(debug_assertions), inline(always))]
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
            Scalar::U128(v) => self.long_u128(*v),
            Scalar::I128(v) => self.long_i128(*v),
            Scalar::F32(v) => self.put(v.to_le_bytes()),
            Scalar::F64(v) => self.put(v.to_le_bytes()),
            Scalar::Char(v) => self.varint(u64::from(u32::from(*v))),
            Scalar::String(v) => self.append_counted(v.as_bytes()),
            Scalar::Str(v) => self.append_counted(v.as_bytes()),
            Scalar::Bytes(v) => self.bytes(v)?,
            Scalar::ByteSlice(v) => self.bytes(v)?,
        }
        Ok(())
    }

    #[inline(always)]
    fn save_whole_block(&mut self, block: &[u8], size: BlockSize) -> Result<bool> {
        let elements = size.elements_in(block.len() / size.bytes.max(1));
        if !self.in_block || !self.session.fits(size, elements, self.options) {
            return Ok(false);
        }
        self.session.count_fitting(elements);
        if block.len() < PART {
            self.append_all(block);
        } else {
            self.save_large_block(block)?;
        }
        Ok(true)
    }

    fn save_object(&mut self, object: &dyn Any) -> Result<bool> {
        self.dyn_object(object)
    }
    fn save_owned(&mut self, object: &dyn Any) -> Result<bool> {
        self.owned_object(object)
    }

    fn defers(&self) -> bool {
        self.session.defers(self.options, self.encoder.defer_depth())
    }

    #[inline(always)]
    fn begin_named(&mut self, info: &'static Member, typed: bool) -> Result<Begun> {
        check_name(info.name)?;
        let any = !typed && info.shape.get().is_any();
        Ok(if any { Begun::Elsewhere } else { Begun::Here })
    }
    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        self.begin_known_object(class, &BodyFacts::NONE)
    }
    #[inline]
    fn end_object(&mut self, class: &'static Class, outer: OuterState, done: Result) -> Result {
        self.in_block = outer.in_block;
        self.session.set_version(outer.version);
        self.session.leave_object(class);
        match done {
            Ok(()) => Ok(()),
            Err(error) => Err(error.in_class(class)),
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<OuterState>> {
        self.begin_known_seq(shape, len, &BodyFacts::NONE)
    }
    fn begin_list(
        &mut self,
        shape: &'static Shape,
        len: usize,
        block: &[u8],
        size: BlockSize,
    ) -> Result<(Begun, OuterState)> {
        let elements = size.elements_of(len as u64);
        if len < 1 << 7
            && block.len() < PART
            && self.has_room(block.len() + 1)
            && self.session.surely_fits(size.in_list(), elements)
        {
            self.session.count_fitting(elements);
            self.put([len as u8]);
            put::numbers(&mut self.out, block);
            return Ok((Begun::Over, OuterState::default()));
        }
        self.any_list(shape, len, block, size)
    }
    #[inline]
    fn end_seq(&mut self, outer: OuterState, _: usize) -> Result {
        if !std::mem::replace(&mut self.in_block, outer.in_block) {
            self.part = self.forecast.end().unwrap_or(self.part);
        }
        self.session.leave();
        Ok(())
    }
    #[inline(always)]
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        self.room_for_item(index)?;
        Ok(Begun::Here)
    }
    #[inline]
    fn begin_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
    ) -> Result<(Begun, bool)> {
        self.begin_known_option(shape, present, null, &BodyFacts::NONE)
    }
    #[inline]
    fn end_some(&mut self, null: bool, _: bool) -> Result {
        if null {
            self.session.leave();
        }
        Ok(())
    }
    #[inline]
    fn begin_variant(
        &mut self,
        info: &'static Enum,
        current: usize,
        typed: bool,
    ) -> Result<Option<usize>> {
        let variant = info.variant(current)?;
        if !typed && matches!(variant.payload, Payload::Newtype(value) if is_any(value)) {
            return Ok(None);
        }
        self.varint(current as u64);
        if !matches!(variant.payload, Payload::Unit) {
            self.session.enter_payload(&variant.payload, self.options)?;
        }
        Ok(Some(current))
    }
    #[inline]
    fn end_variant(
        &mut self,
        info: &'static Enum,
        variant: &'static Variant,
        done: Result,
    ) -> Result {
        self.session.leave_payload(&variant.payload);
        done.map_err(|error| error.in_member(variant.name).in_variant(info, variant))
    }
    fn begin_save_block(&mut self, asked: Asked, size: BlockSize) -> Result<Option<SaveRoom<'_>>> {
        let version = match asked {
            Asked::Class(Class { version, .. }) => *version,
            Asked::Shape(_) => 0,
        };
        if version == 0
            && self.has_room(size.bytes)
            && self.session.surely_fits(size, size.elements)
        {
            self.session.count_fitting(size.elements);
            let version = if matches!(asked, Asked::Class(_)) { 0 } else { self.session.version() };
            let (out, session, options) = (&mut self.out, &mut *self.session, self.options);
            return Ok(Some(SaveRoom { out, version, ends: false, session, options }));
        }
        self.any_room(asked, size).map(Some)
    }
}

impl Walk for Saving<'_, '_> {
    type Way = archive_core::Saves;
    const KIND: ArchiveKind = ArchiveKind::FAST_SAVING;

    fn object_by_hand<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let outer = self.enter_object(class)?;
        let saved = self.object_with_layout(class, body);
        self.end_object(class, outer, saved)
    }

    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        match self.any_or(|| shape.is_any(), body) {
            Ok(()) => Ok(()),
            Err(error) => Err(error.in_member(name)),
        }
    }

    #[inline(always)]
    fn save_body<B: Body>(&mut self, asked: Asked, size: BlockSize, body: &mut B) -> Result<bool> {
        self.room_for_block(asked, size)?.save(asked, size, body)?;
        Ok(true)
    }

    #[inline]
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let size = values.size();
        let (mut left, mut index) = (values.count(), 0);
        let elements = size.elements_in(left);
        if !self.in_block || !self.session.fits(size, elements, self.options) {
            return Ok(false);
        }
        self.session.count_fitting(elements);
        let version = self.session.version();
        while left > 0 {
            self.room_for_item(0)?;
            let count = left.min((PART / size.bytes).max(1));
            self.reserve(count * size.bytes);
            let context = (&mut *self.session, self.options);
            block::save(&mut self.out, (count, size.bytes), version, context, |ar| {
                values.next(ar).map_err(|error| error.in_item(index))?;
                index += 1;
                Ok(())
            })?;
            left -= count;
        }
        Ok(true)
    }

    #[inline]
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if const { !B::FACTS.typed } && describes_itself(shape) {
            return self.by_parts(shape, len, &mut |ar| body.run(&mut ar.erased().saving()));
        }
        let outer = self.enter_seq(shape, len, false)?;
        body.run(self)?;
        self.end_seq(outer, len)
    }

    #[inline]
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.entry_of(index, [false; 2], key, value)
    }

    #[inline]
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        self.pointer(head, body)
    }

    fn defer<B: Body + 'static>(&mut self, body: B) {
        if self.partial {
            return self.over_encoder().erased().saving().defer(body);
        }
        self.wait(body);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_object(
        &mut self,
        class: &'static Class,
        facts: &BodyFacts,
    ) -> Result<Option<OuterState>> {
        if !matches!(facts.by_hand, Some(false)) && class.members.is_none() {
            return Ok(None);
        }
        self.enter_object(class).map(Some)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_seq(
        &mut self,
        shape: &'static Shape,
        len: usize,
        facts: &BodyFacts,
    ) -> Result<Option<OuterState>> {
        if !facts.counted && len == UNCOUNTED || !facts.typed && describes_itself(shape) {
            return Ok(None);
        }
        self.enter_seq(shape, len, true).map(Some)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
        facts: &BodyFacts,
    ) -> Result<(Begun, bool)> {
        if !facts.typed && present && describes_itself(shape) {
            return Ok((Begun::Elsewhere, false));
        }
        self.put([u8::from(present)]);
        if present && null {
            self.session.enter(self.options)?;
        }
        Ok((if present { Begun::Here } else { Begun::Over }, null))
    }
}
