//! [`Loading`]: loads values from a buffer.

use archive_core::block::{self, Asked, BlockSize, Found, LoadBlocks};
use archive_core::pointer::LoadPointer;
use archive_core::shape::{Class, Enum, Member, Payload, Shape, Variant};
use archive_core::{
    Archive, ArchiveKind, Begun, Body, BodyFacts, DynBody, ErasedBody, Error, LoadAny, Options,
    OuterState, Polymorphic, Result, Room, Scalar, Session, Step, Visitor, Walk, check_name,
};

use super::any::load_any;
use super::cannot;
use super::count::{count, more_items};
use super::items::Items;
use super::late::Late;
use super::waiting::Waiting;
use crate::Decoder;
use crate::cursor::{Cursor, narrow, no_variant, offset, too_many};
use crate::decoder::holds_null;
use crate::types::TypeId;

/// Loads values from a buffer.
pub(crate) struct Loading<'a, 'r> {
    pub(crate) data: Cursor<'r>,
    /// The number of bytes of the file after the data, if the data ends before the root does.
    pub(crate) beyond: usize,
    /// The remaining items of the open sequences.
    pub(crate) items: Items,
    /// The type number of the trait object that is loaded next.
    pub(super) concrete: u32,
    /// The objects that were referred to before they were read.
    pub(super) waiting: Waiting<Loading<'a, 'r>>,
    /// Whether integers are stored with all their bytes.
    in_block: bool,
    /// The decoder. It finds and converts values that do not match the program's types.
    pub(crate) decoder: Late<'a, 'r>,
    pub(crate) session: &'a mut Session,
    pub(crate) options: &'a Options<'a>,
}

impl<'a, 'r> Loading<'a, 'r> {
    /// Creates an archive that continues at the position of the decoder.
    pub(crate) fn new(
        decoder: &'a mut Decoder<'r>,
        session: &'a mut Session,
        options: &'a Options<'a>,
    ) -> Self {
        Loading::at(decoder.input(), Late::Given(decoder), session, options)
    }

    /// Creates an archive that loads from that position on.
    pub(super) fn at(
        data: Cursor<'r>,
        decoder: Late<'a, 'r>,
        session: &'a mut Session,
        options: &'a Options<'a>,
    ) -> Self {
        let items = Items::default();
        let waiting = Waiting::default();
        let beyond = 0;
        Loading {
            data,
            beyond,
            items,
            concrete: 0,
            waiting,
            in_block: false,
            decoder,
            session,
            options,
        }
    }

    /// Moves the decoder to the position of this archive.
    pub(crate) fn finish(mut self) {
        self.decoder.get().resume_at(self.data.at(), 0, TypeId::MATCHES_PROGRAM);
    }

    /// Loads a part with the general archive. It is outside blocks, and `slot` is its type in the
    /// file.
    pub(super) fn with_general_archive<R>(
        &mut self,
        slot: TypeId,
        load: impl FnOnce(&mut archive_core::Loading<'_, Decoder<'r>>) -> Result<R>,
    ) -> Result<R> {
        self.with_general_archive_at(self.depth(), slot, load)
    }

    /// Like [`with_general_archive`](Loading::with_general_archive), for a part that begins at that
    /// nesting depth.
    pub(super) fn with_general_archive_at<R>(
        &mut self,
        depth: usize,
        slot: TypeId,
        load: impl FnOnce(&mut archive_core::Loading<'_, Decoder<'r>>) -> Result<R>,
    ) -> Result<R> {
        self.decoder.get().resume_at(self.data.at(), depth, slot);
        // The general archive counts only items that were read.
        self.session.give_back_elements(self.items.ahead());
        let mut general =
            archive_core::Loading::new(self.decoder.get(), self.session, self.options);
        let loaded = load(&mut general).map_err(|error| general.located(error));
        self.data.goto(self.decoder.get().input().at());
        if !self.session.take_elements(self.items.ahead(), self.options) {
            self.items.count_singly();
        }
        loaded
    }

    /// Returns the nesting depth of the value here.
    pub(super) fn depth(&self) -> usize {
        self.session.depth()
    }

    /// Counts the items of a sequence that begins. If there are more than the limit allows, from
    /// now on each item is counted when it is read, so that the error names the first one beyond
    /// the limit.
    #[inline(always)]
    fn count_ahead(&mut self, count: u64) {
        if !self.items.are_counted_singly() && !self.session.take_elements(count, self.options) {
            self.count_singly();
        }
    }

    #[cold]
    #[inline(never)]
    fn count_singly(&mut self) {
        self.session.give_back_elements(self.items.ahead());
        self.items.count_singly();
    }

    /// Moves to the next item and counts it. Returns whether there is one.
    #[cold]
    #[inline(never)]
    pub(crate) fn next_single(&mut self, index: usize) -> Result<bool> {
        let next = self.items.next_single();
        if next && let Err(error) = self.session.count(self.options) {
            return Err(self.located(error).in_item(index));
        }
        Ok(next)
    }

    /// Reads bytes. Each counts as an element.
    fn bytes(&mut self, out: &mut Vec<u8>) -> Result {
        let bytes = self.data.bytes()?;
        let count = bytes.len() as u64;
        self.count_ahead(count);
        if !self.items.are_counted_singly() {
            self.session.give_back_elements(count);
        }
        self.session.count_bytes(bytes, self.options)?;
        out.clear();
        out.extend_from_slice(bytes);
        Ok(())
    }

    /// Reads an integer of more than one byte: all its bytes in a block, otherwise a varint.
    #[inline(always)]
    fn integer<T, const N: usize>(
        &mut self,
        whole: impl FnOnce([u8; N]) -> T,
        varint: impl FnOnce(&mut Cursor<'r>) -> Result<T>,
    ) -> Result<T> {
        if self.in_block { self.data.array().map(whole) } else { varint(&mut self.data) }
    }

    /// Closes a sequence whose items were loaded. `outer` items of the sequence around it remain.
    #[inline(always)]
    fn close_items(&mut self, outer: u64) -> Result {
        self.session.leave();
        if self.items.left() > 0 {
            return Err(more_items(self.data.at()));
        }
        self.items.end(outer);
        Ok(())
    }

    /// Enters a sequence. Returns the number of its items, and whether they are a block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open_items(&mut self, shape: &'static Shape) -> Result<(u64, bool)> {
        self.session.enter(self.options)?;
        Ok(match shape {
            Shape::Tuple(items, size, _) => (items.len() as u64, size.is_some()),
            Shape::Array(_, len, size, _) => (*len as u64, size.is_some()),
            Shape::Seq(item, _) => {
                let item = item.get();
                let in_block = item.block_size().is_some();
                (count(&mut self.data, self.beyond, &[item], &mut self.decoder)?, in_block)
            }
            _ => return Err(cannot("a sequence")),
        })
    }

    /// Opens a map. Its entries are the items of a sequence.
    pub(crate) fn open_map(&mut self, shape: &'static Shape) -> Result<OuterState> {
        let Shape::Map(key, value) = shape else { return Err(cannot("a map")) };
        self.session.enter(self.options)?;
        let len = count(&mut self.data, self.beyond, &[key.get(), value.get()], &mut self.decoder)?;
        Ok(self.begin_items(len))
    }

    /// Begins the items of a sequence. Returns the state that closing it restores.
    #[inline(always)]
    pub(crate) fn begin_items(&mut self, len: u64) -> OuterState {
        self.count_ahead(len);
        OuterState { items: self.items.begin(len), in_block: self.in_block, version: 0 }
    }

    /// Adds the current offset to an error.
    #[cold]
    pub(super) fn located(&self, error: Error) -> Error {
        error.at(offset(self.data.at()))
    }
}

impl Visitor for Loading<'_, '_> {
    archive_core::__one_way!(loads);
    #[cold]
    fn elsewhere(&mut self, step: Step, body: &mut dyn ErasedBody) -> Result<bool> {
        let Step::Object(class) = step else { return Err(cannot("that")) };
        let mut body = DynBody(body);
        self.with_general_archive(TypeId::MATCHES_PROGRAM, |general| {
            general.erased().loading().object(class, &mut body)
        })?;
        Ok(true)
    }

    #[inline]
    fn overwrites(&mut self) -> bool {
        true
    }
    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        match value {
            Scalar::Unit => {}
            Scalar::Bool(v) => *v = self.data.flag("bool")?,
            Scalar::U8(v) => *v = self.data.byte()?,
            Scalar::I8(v) => *v = self.data.byte()? as i8,
            Scalar::U16(v) => {
                *v = self.integer(u16::from_le_bytes, |data| narrow(data, Cursor::u64))?
            }
            Scalar::U32(v) => {
                *v = self.integer(u32::from_le_bytes, |data| narrow(data, Cursor::u64))?
            }
            Scalar::U64(v) => *v = self.integer(u64::from_le_bytes, Cursor::u64)?,
            Scalar::U128(v) => *v = self.integer(u128::from_le_bytes, Cursor::u128)?,
            Scalar::I16(v) => {
                *v = self.integer(i16::from_le_bytes, |data| narrow(data, Cursor::i64))?
            }
            Scalar::I32(v) => {
                *v = self.integer(i32::from_le_bytes, |data| narrow(data, Cursor::i64))?
            }
            Scalar::I64(v) => *v = self.integer(i64::from_le_bytes, Cursor::i64)?,
            Scalar::I128(v) => *v = self.integer(i128::from_le_bytes, Cursor::i128)?,
            Scalar::F32(v) => *v = self.data.array().map(f32::from_le_bytes)?,
            Scalar::F64(v) => *v = self.data.array().map(f64::from_le_bytes)?,
            Scalar::Char(v) => *v = self.data.char()?,
            Scalar::String(v) => self.data.string(v)?,
            Scalar::Bytes(v) => self.bytes(v)?,
            Scalar::Str(_) | Scalar::ByteSlice(_) => return Err(Error::read_only()),
        }
        Ok(())
    }

    #[inline]
    fn size_hint(&self) -> usize {
        self.items.left() as usize
    }

    fn load_object(&mut self, object: &mut dyn Polymorphic) -> Result<bool> {
        self.dyn_object(object)?;
        Ok(true)
    }

    fn resolve_pending(&mut self) -> Result {
        if !self.session.is_in_root() {
            return Ok(());
        }
        self.fill_pending()?;
        self.with_general_archive(TypeId::MATCHES_PROGRAM, |general| general.resolve_pending())
    }

    #[inline(always)]
    fn begin_named(&mut self, _: &'static Member, _: bool) -> Result<Begun> {
        Ok(Begun::Here)
    }
    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        self.begin_known_object(class, &BodyFacts::NONE)
    }
    #[inline]
    fn end_object(&mut self, class: &'static Class, outer: OuterState, done: Result) -> Result {
        if let Err(error) = done {
            return Err(self.located(error).in_class(class));
        }
        self.in_block = outer.in_block;
        self.session.set_version(outer.version);
        self.session.leave_object(class);
        Ok(())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_seq(&mut self, shape: &'static Shape, _: usize) -> Result<Option<OuterState>> {
        let (len, inside) = self.open_items(shape)?;
        let outer = self.begin_items(len);
        self.in_block |= inside;
        Ok(Some(outer))
    }
    #[inline]
    fn peek_list(&self, size: BlockSize) -> Option<&[u8]> {
        let (count, block) = self.data.peek_short_list(size.bytes)?;
        let fits = self.session.surely_fits(size.in_list(), size.elements_of(count as u64));
        if fits && !self.items.are_counted_singly() { Some(block) } else { None }
    }
    #[inline]
    fn pass_list(&mut self, count: usize, size: BlockSize) {
        self.data.goto(self.data.at() + 1 + count * size.bytes);
        self.session.count_fitting(size.elements_of(count as u64));
    }
    #[inline]
    fn end_seq(&mut self, outer: OuterState, _: usize) -> Result {
        self.in_block = outer.in_block;
        self.close_items(outer.items)
    }
    #[inline(always)]
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        let next = self.items.next() || self.next_single(index)?;
        Ok(if next { Begun::Here } else { Begun::Over })
    }
    #[inline]
    fn begin_option(
        &mut self,
        shape: &'static Shape,
        _: bool,
        nullable: bool,
    ) -> Result<(Begun, bool)> {
        let present = self.data.flag("an option")?;
        // Counts one more level of nesting, as in formats that write the wrapping object.
        let wrapped = present && nullable && holds_null(shape, self.data);
        if wrapped {
            self.session.enter(self.options)?;
        }
        Ok((if present { Begun::Here } else { Begun::Over }, wrapped))
    }
    #[inline]
    fn end_some(&mut self, _: bool, wrapped: bool) -> Result {
        if wrapped {
            self.session.leave();
        }
        Ok(())
    }
    #[inline]
    fn begin_variant(&mut self, info: &'static Enum, _: usize, _: bool) -> Result<Option<usize>> {
        let at = self.data.at();
        let number = self.data.u64()?;
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(variant) = info.variants.get(index) else { return Err(no_variant(number, at)) };
        if !matches!(variant.payload, Payload::Unit) {
            self.session.enter_payload(&variant.payload, self.options)?;
        }
        Ok(Some(index))
    }
    #[inline]
    fn end_variant(
        &mut self,
        info: &'static Enum,
        variant: &'static Variant,
        done: Result,
    ) -> Result {
        done.map_err(|error| {
            self.located(error).in_member(variant.name).in_variant(info, variant)
        })?;
        self.session.leave_payload(&variant.payload);
        Ok(())
    }
    fn locate_error(&mut self, error: Error) -> Error {
        self.located(error)
    }
    #[inline(always)]
    fn begin_load_block(&mut self, asked: Asked, size: BlockSize) -> Result<Option<Room<'_>>> {
        if !self.session.fits(size, size.elements, self.options) {
            return Ok(None);
        }
        let outer = self.session.version();
        if let Asked::Class(class) = asked {
            self.session.set_version(class.version);
        }
        let at = self.data.at() as u64;
        let bytes = match self.data.take(size.bytes as u64) {
            Ok(bytes) => bytes,
            Err(error) => return Err(asked.in_class(self.located(error))),
        };
        let found = Found { bytes, at };
        Ok(Some(Room { found, outer, session: &mut *self.session, options: self.options }))
    }
    #[cold]
    fn leave_load_block(&mut self, asked: Asked, at: u64, error: Option<Error>) -> Result {
        match error {
            Some(error) => Err(asked.in_class(self.located(error))),
            None => {
                self.data.goto(at as usize);
                Ok(())
            }
        }
    }
}

impl Walk for Loading<'_, '_> {
    type Way = archive_core::Loads;
    const KIND: ArchiveKind = ArchiveKind::FAST_LOADING;

    fn object_by_hand<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        self.object_with_layout(class, body)
    }

    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        match body.run(self) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.located(error).in_member(name)),
        }
    }

    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        let outer = self.open_map(shape)?;
        body.run(self)?;
        self.end_seq(outer, len)
    }

    #[inline]
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let size = values.size();
        // The items themselves were already counted.
        let inner = self.items.left().saturating_mul(size.elements);
        if !self.in_block || !self.session.fits(size, inner, self.options) {
            return Ok(false);
        }
        let at = self.data.at();
        let Some(count) = self.items.take() else { return Ok(false) };
        let Some(bytes) = count.checked_mul(size.bytes as u64) else {
            return Err(too_many(count, self.data.left(), at));
        };
        let found = Found { bytes: self.data.take(bytes)?, at: at as u64 };
        if !values.take(found.bytes) {
            values.begin(count as usize, self.session, self.options);
            let context = (&mut *self.session, self.options);
            let whole = block::load(found, size.bytes, context, |index, ar| {
                ar.visit_item(index, |ar| values.next(ar))
            })?;
            values.end(self.session);
            if !whole {
                self.data.goto(at);
                self.items.put_back(count);
                return Ok(false);
            }
        }
        self.session.count_fitting(inner);
        Ok(true)
    }

    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        load_any(self, target)
    }

    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.pointer(target)
    }

    fn load_pointee<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.with_general_archive(TypeId::MATCHES_PROGRAM, |general| {
            general.erased().loading().load_pointee(id, body)
        })
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
        self.session.enter_object(class, self.options)?;
        let version = self.session.set_version(class.version);
        let in_block = self.in_block;
        self.in_block |= class.block_size().is_some();
        Ok(Some(OuterState { version, in_block, items: 0 }))
    }
}
