//! [`Loading`]: values one after the other, from a buffer.

use rustc_hash::FxHashMap;

use archive_core::block::{self, BlockLoading, Found, LoadBlocks, Size};
use archive_core::pointer::LoadPointer;
use archive_core::shape::{Class, Enum, Member, Payload, Shape};
use archive_core::{
    Archive, Body, Error, LoadAny, Options, PayloadOf, Polymorphic, Result, Scalar, Session,
    Variants, check_name,
};

use super::any::load_any;
use super::cannot;
use super::count::{count, more_items};
use super::items::Items;
use super::pointers::Waiting;
use crate::Decoder;
use crate::cursor::{Cursor, narrow, no_variant, offset, too_many};
use crate::decoder::holds_null;
use crate::types::TypeId;

/// Loads values one after the other.
pub(crate) struct Loading<'a, 'r> {
    pub(super) data: Cursor<'r>,
    /// Which items of the open sequences are still to come.
    items: Items,
    /// The number of the type of the body of a trait object that is loaded next.
    pub(super) concrete: u32,
    /// The objects that were referred to and not met, by their ids.
    pub(super) waiting: FxHashMap<u64, Waiting<'a, 'r>>,
    /// Whether numbers have all their bytes.
    in_block: bool,
    /// Finds and converts what is not as asked.
    pub(super) decoder: &'a mut Decoder<'r>,
    pub(super) session: &'a mut Session,
    pub(super) options: &'a Options<'a>,
}

impl<'a, 'r> Loading<'a, 'r> {
    /// An archive that goes on where the decoder is.
    pub(crate) fn new(
        decoder: &'a mut Decoder<'r>,
        session: &'a mut Session,
        options: &'a Options<'a>,
    ) -> Self {
        let data = decoder.input();
        let items = Items::default();
        let waiting = FxHashMap::default();
        Loading { data, items, concrete: 0, waiting, in_block: false, decoder, session, options }
    }

    /// Leaves it to the decoder to go on.
    pub(crate) fn finish(self) {
        self.decoder.go_on(self.data.at(), 0, TypeId::AS_ASKED);
    }

    /// Goes on with the archive that looks at everything, for something outside of blocks, which is of
    /// that type in the file.
    pub(super) fn generally<R>(
        &mut self,
        slot: TypeId,
        load: impl FnOnce(&mut archive_core::Loading<'_, Decoder<'r>>) -> Result<R>,
    ) -> Result<R> {
        self.generally_at(self.depth(), slot, load)
    }

    /// As [`generally`](Loading::generally), for something that begins so deep in the value.
    pub(super) fn generally_at<R>(
        &mut self,
        depth: usize,
        slot: TypeId,
        load: impl FnOnce(&mut archive_core::Loading<'_, Decoder<'r>>) -> Result<R>,
    ) -> Result<R> {
        self.decoder.go_on(self.data.at(), depth, slot);
        // Only what was met counts there.
        self.session.give_back_elements(self.items.ahead());
        let mut general = archive_core::Loading::new(self.decoder, self.session, self.options);
        let loaded = load(&mut general).map_err(|error| general.placed(error));
        self.data.goto(self.decoder.input().at());
        if !self.session.take_elements(self.items.ahead(), self.options) {
            self.items.count_singly();
        }
        loaded
    }

    /// How deep the value nests here.
    pub(super) fn depth(&self) -> usize {
        self.session.depth()
    }

    /// Counts the items of a sequence that begins. If there are more than the limit allows, from now on
    /// each item counts when it is met, so that it shows which one is too many.
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

    /// The next item, where it is counted when it is met: whether there is one.
    #[cold]
    #[inline(never)]
    fn next_single(&mut self, index: usize) -> Result<bool> {
        let next = self.items.next_single();
        if next && let Err(error) = self.session.count(self.options) {
            return Err(self.placed(error).in_item(index));
        }
        Ok(next)
    }

    /// Bytes, which are as many elements.
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

    /// An integer of more than one byte: all of them, or as many as it needs.
    #[inline(always)]
    fn integer<T, const N: usize>(
        &mut self,
        whole: impl FnOnce([u8; N]) -> T,
        varint: impl FnOnce(&mut Cursor<'r>) -> Result<T>,
    ) -> Result<T> {
        if self.in_block { self.data.array().map(whole) } else { varint(&mut self.data) }
    }

    /// Runs the body on a block of that size. `false` if something in it is better looked at value by
    /// value: then it is still to come.
    #[inline(always)]
    fn block<B: Body>(&mut self, size: Size, body: &mut B) -> Result<bool> {
        if !self.session.fits(size, size.elements, self.options) {
            return Ok(false);
        }
        let at = self.data.at();
        let found = Found { bytes: self.data.take(size.bytes as u64)?, at: at as u64 };
        let visit = |_, ar: &mut BlockLoading<'_>| body.run(ar);
        let whole = block::load(found, size.bytes, (self.session, self.options), visit)?;
        if whole {
            self.session.count_fitting(size.elements);
        } else {
            self.data.goto(at);
        }
        Ok(whole)
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

    /// Runs the body of a sequence of so many items, which was entered.
    #[inline(always)]
    fn items<B: Body>(&mut self, len: u64, in_block: bool, body: &mut B) -> Result {
        self.count_ahead(len);
        let outer = self.items.begin(len);
        self.inside(in_block, body)?;
        self.session.leave();
        if self.items.left() > 0 {
            return Err(more_items(self.data.at()));
        }
        self.items.end(outer);
        Ok(())
    }

    /// Loads an object member by member.
    #[inline]
    fn members<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        self.session.enter(self.options)?;
        let outer = self.session.set_version(class.version);
        let loaded = self.inside(class.block_size().is_some(), body);
        self.session.set_version(outer);
        self.session.leave();
        match loaded {
            Ok(()) => Ok(()),
            Err(error) => Err(self.placed(error).in_class(class)),
        }
    }

    /// Loads a sequence item by item.
    #[inline]
    fn items_of<B: Body>(&mut self, shape: &'static Shape, body: &mut B) -> Result {
        self.session.enter(self.options)?;
        let (len, in_block) = match shape {
            Shape::Tuple(items, size, _) => (items.len() as u64, size.is_some()),
            Shape::Array(_, len, size, _) => (*len as u64, size.is_some()),
            Shape::Seq(item, _) => {
                let item = item();
                let in_block = item.block_size().is_some();
                (count(&mut self.data, &[item], self.decoder)?, in_block)
            }
            _ => return Err(cannot("a sequence")),
        };
        self.items(len, in_block, body)
    }

    /// What is not taken as a block.
    #[cold]
    #[inline(never)]
    fn odd_object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        self.members(class, body)
    }

    /// As [`odd_object`](Loading::odd_object).
    #[cold]
    #[inline(never)]
    fn odd_seq<B: Body>(&mut self, shape: &'static Shape, body: &mut B) -> Result {
        self.items_of(shape, body)
    }

    /// The error with the place of the value that it is about.
    #[cold]
    pub(super) fn placed(&self, error: Error) -> Error {
        error.at(offset(self.data.at()))
    }
}

impl Archive for Loading<'_, '_> {
    archive_core::__one_way!(loads);

    #[inline]
    fn overwrites(&mut self) -> bool {
        true
    }

    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        match body.run(self) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.placed(error).in_member(name)),
        }
    }
    #[inline(always)]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        match body.run(self) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.placed(error).in_member(info.name)),
        }
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

    // Inlined for the sake of blocks, which take few instructions.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        if const { matches!(B::BY_HAND, Some(true)) } {
            return self.object_by_hand(class, body);
        }
        if const { B::BY_HAND.is_none() } && class.members.is_none() {
            return self
                .generally(TypeId::AS_ASKED, |general| general.erased().object(class, body));
        }
        if const { B::BLOCK.is_some() }
            && let Some(size) = B::BLOCK
        {
            let outer = self.session.set_version(class.version);
            return match self.block(size, body) {
                Ok(whole) => {
                    self.session.set_version(outer);
                    if whole { Ok(()) } else { self.odd_object(class, body) }
                }
                Err(error) => Err(self.placed(error).in_class(class)),
            };
        }
        self.members(class, body)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn seq<B: Body>(&mut self, shape: &'static Shape, _: usize, body: &mut B) -> Result {
        if const { B::BLOCK.is_some() }
            && let Some(size) = B::BLOCK
        {
            return if self.block(size, body)? { Ok(()) } else { self.odd_seq(shape, body) };
        }
        self.items_of(shape, body)
    }

    fn map<B: Body>(&mut self, shape: &'static Shape, _: usize, body: &mut B) -> Result {
        let Shape::Map(key, value) = shape else { return Err(cannot("a map")) };
        self.session.enter(self.options)?;
        let len = count(&mut self.data, &[key(), value()], self.decoder)?;
        self.items(len, false, body)
    }

    #[inline]
    fn size_hint(&self) -> usize {
        self.items.left() as usize
    }

    #[inline(always)]
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        if !self.items.next() && !self.next_single(index)? {
            return Ok(false);
        }
        match body.run(self) {
            Ok(()) => Ok(true),
            Err(error) => Err(self.placed(error).in_item(index)),
        }
    }

    #[inline]
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        // The items themselves were counted.
        let inner = self.items.left().saturating_mul(B::SIZE.elements);
        if !self.in_block || !self.session.fits(B::SIZE, inner, self.options) {
            return Ok(false);
        }
        let at = self.data.at();
        let Some(count) = self.items.take() else { return Ok(false) };
        let Some(bytes) = count.checked_mul(B::SIZE.bytes as u64) else {
            return Err(too_many(count, self.data.left(), at));
        };
        let found = Found { bytes: self.data.take(bytes)?, at: at as u64 };
        if !values.take(found.bytes) {
            values.begin(count as usize, self.session, self.options);
            let context = (&mut *self.session, self.options);
            let whole = block::load(found, B::SIZE.bytes, context, |index, ar| {
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

    #[inline]
    fn option<B: Body>(
        &mut self,
        shape: &'static Shape,
        _: bool,
        nullable: bool,
        body: &mut B,
    ) -> Result<bool> {
        let present = self.data.flag("an option")?;
        if present {
            // One level more, as in formats that write it.
            let wrapped = nullable && holds_null(shape, self.data);
            if wrapped {
                self.session.enter(self.options)?;
            }
            body.run(self)?;
            if wrapped {
                self.session.leave();
            }
        }
        Ok(present)
    }

    #[inline]
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        let at = self.data.at();
        let number = self.data.u64()?;
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(variant) = info.variants.get(index) else { return Err(no_variant(number, at)) };
        if !body.reuses(index) {
            body.select(index, self.options)?;
        }
        if matches!(variant.payload, Payload::Unit) {
            return Ok(());
        }
        self.session.enter(self.options)?;
        PayloadOf(body).run(self).map_err(|error| {
            self.placed(error).in_member(variant.name).in_variant(info, variant)
        })?;
        self.session.leave();
        Ok(())
    }

    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        load_any(self, target)
    }

    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.pointer(target)
    }

    fn load_object(&mut self, object: &mut dyn Polymorphic) -> Result<bool> {
        self.dyn_object(object)?;
        Ok(true)
    }

    fn load_body<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.generally(TypeId::AS_ASKED, |general| general.erased().load_body(id, body))
    }

    fn settle(&mut self) -> Result {
        if !self.session.is_in_root() {
            return Ok(());
        }
        self.fill_pending()?;
        self.generally(TypeId::AS_ASKED, |general| general.settle())
    }
}
