//! [`Saving`]: an [`Archive`] over an [`Encoder`].

mod map;
mod numbers;

use crate::format::encoder::{Encoder, PART};
use crate::format::tagged;
use crate::model::block_size::{Asked, BlockSize};
use crate::model::error::{Error, Result};
use crate::model::head::{PointerHead, PointerKind};
use crate::model::reserved::check_name;
use crate::model::scalar::Scalar;
use crate::model::shape::{Class, Enum, Member, Payload, Shape, Variant};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::block;
use crate::visit::block::{BlockSaving, SaveBlocks};
use crate::visit::body::{Body, Variants};
use crate::visit::erased::{DynBody, Erased, ErasedBody, Saves};
use crate::visit::facts::{BodyFacts, Step};
use crate::visit::guide::{Begun, Guide};
use crate::visit::serialize::Source;
use crate::visit::serialize::bodies::Pair;
use crate::visit::session::Session;
use crate::visit::visited::Visit;
use crate::visit::visitor::{OuterState, UNCOUNTED, Visitor};
use crate::visit::walk::{ArchiveKind, SaveRoom, Walk};

/// The [`Archive`] that saves to an [`Encoder`]. With a concrete encoder it is compiled for that
/// format; with `dyn Encoder` it works with any format.
pub struct Saving<'a, E: Encoder + ?Sized> {
    encoder: &'a mut E,
    session: &'a mut Session,
    options: &'a Options<'a>,
}

impl<'a, E: Encoder + ?Sized> Saving<'a, E> {
    /// Creates an archive.
    pub fn new(encoder: &'a mut E, session: &'a mut Session, options: &'a Options<'a>) -> Self {
        Saving { encoder, session, options }
    }

    /// Saves `value` as the one root of the output.
    pub fn root<S: Source>(&mut self, value: &mut S) -> Result {
        self.begin_root(value)?;
        value.run(self)?;
        self.end_root(value.shape())
    }

    /// Like [`root`](Saving::root), through [`Erased`](crate::Erased), so that it is compiled once
    /// for all formats.
    pub fn root_erased<S: Source>(&mut self, value: &mut S) -> Result {
        let shape = value.shape();
        self.begin_root(value)?;
        self.typed(shape, &mut |ar| value.run(&mut ar.erased().saving()))?;
        self.end_root(shape)
    }

    /// Saves one of several roots, whose type is erased.
    pub(crate) fn named_root(
        &mut self,
        name: &str,
        shape: &'static Shape,
        visit: Visit<'_>,
    ) -> Result {
        check_name(name)?;
        self.session.number(shape, visit, self.options);
        self.encoder.member(name, shape)?;
        self.typed(shape, visit).map_err(|error| error.in_member(name))
    }

    fn begin_root<S: Source>(&mut self, value: &mut S) -> Result {
        let shape = value.shape();
        self.options.settings().targets().check()?;
        self.session.number(shape, &mut |ar| value.run(&mut ar.erased().saving()), self.options);
        self.encoder.begin_root(shape)
    }

    fn end_root(&mut self, shape: &'static Shape) -> Result {
        // A root that is itself a tree is written unchanged.
        if !shape.is_any() {
            self.session.saved.finish_trees()?;
        }
        self.encoder.end_root()
    }

    /// Saves a value of that shape on the format's archive for values of known types, or else on
    /// this one.
    fn typed(&mut self, shape: &'static Shape, visit: Visit<'_>) -> Result {
        if !shape.is_any() && self.encoder.typed(visit, self.session, self.options)? {
            return Ok(());
        }
        visit(&mut self.erased())
    }

    /// Writes the deferred objects, and those that are deferred while they are written.
    #[cold]
    pub(crate) fn deferred(&mut self) -> Result {
        self.session.enter(self.options)?;
        self.encoder.begin_deferred()?;
        while let Some(save) = self.session.saved.next_deferred() {
            self.encoder.item()?;
            let mut save = Some(save);
            let mut visit = |ar: &mut Erased<'_>| save.take().map_or(Ok(()), |save| save(ar));
            if !self.encoder.typed(&mut visit, self.session, self.options)? {
                visit(&mut self.erased())?;
            }
        }
        self.encoder.end_deferred()?;
        self.session.leave();
        Ok(())
    }
}

impl<E: Encoder + ?Sized> Saving<'_, E> {
    fn bytes(&mut self, bytes: &[u8]) -> Result {
        self.session.count_bytes(bytes, self.options)?;
        self.encoder.bytes(bytes)
    }
}

impl<E: Encoder + ?Sized> Visitor for Saving<'_, E> {
    crate::__one_way!(saves);

    #[cold]
    fn elsewhere(&mut self, step: Step, body: &mut dyn ErasedBody) -> Result<bool> {
        let Step::Seq(shape, len) = step else {
            return Err(Error::custom("internal error: unexpected step in `Visitor::elsewhere`"));
        };
        // The erased archive tracks the items that must be counted one by one.
        self.erased().saving().seq(shape, len, &mut DynBody(body)).map(|()| true)
    }

    #[inline]
    fn save_whole_block(&mut self, block: &[u8], size: BlockSize) -> Result<bool> {
        let elements = size.elements_in(block.len() / size.bytes.max(1));
        if !self.session.fits(size, elements, self.options) {
            return Ok(false);
        }
        let whole = self.encoder.whole_block(block)?;
        if whole {
            self.session.count_fitting(elements);
        }
        Ok(whole)
    }

    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        match value {
            Scalar::Unit => self.encoder.null(),
            Scalar::Bool(v) => self.encoder.bool(*v),
            Scalar::U8(v) => self.encoder.u8(*v),
            Scalar::U16(v) => self.encoder.u16(*v),
            Scalar::U32(v) => self.encoder.u32(*v),
            Scalar::U64(v) => self.encoder.u64(*v),
            Scalar::U128(v) => self.encoder.u128(*v),
            Scalar::I8(v) => self.encoder.i8(*v),
            Scalar::I16(v) => self.encoder.i16(*v),
            Scalar::I32(v) => self.encoder.i32(*v),
            Scalar::I64(v) => self.encoder.i64(*v),
            Scalar::I128(v) => self.encoder.i128(*v),
            Scalar::F32(v) => self.encoder.f32(*v),
            Scalar::F64(v) => self.encoder.f64(*v),
            Scalar::Char(v) => self.encoder.char(*v),
            Scalar::String(v) => self.encoder.str(v),
            Scalar::Str(v) => self.encoder.str(v),
            Scalar::Bytes(v) => self.bytes(v),
            Scalar::ByteSlice(v) => self.bytes(v),
        }
    }

    fn defers(&self) -> bool {
        self.session.defers(self.options, self.encoder.defer_depth())
    }

    #[inline]
    fn fixed_members(&self) -> bool {
        self.encoder.fixed_members()
    }

    #[inline]
    fn refuses_duplicates(&self) -> bool {
        self.encoder.refuses_duplicates()
    }

    #[inline]
    fn fixed_shape(&self) -> bool {
        self.encoder.fixed_shape()
    }

    #[inline(always)]
    fn begin_named(&mut self, info: &'static Member, typed: bool) -> Result<Begun> {
        check_name(info.name)?;
        if typed { self.encoder.typed_member(info) } else { self.encoder.known_member(info) }?;
        Ok(Begun::Here)
    }
    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        self.session.enter_object(class, self.options)?;
        self.encoder.begin_object(class)?;
        let version = self.options.settings().targets().version_of(class);
        if version != 0 {
            self.encoder.version(version)?;
        }
        let version = self.session.set_version(version);
        Ok(Some(OuterState { version, ..OuterState::default() }))
    }
    #[inline]
    fn end_object(&mut self, class: &'static Class, outer: OuterState, done: Result) -> Result {
        let saved = match done {
            Ok(()) => self.encoder.end_object(),
            failed => failed,
        };
        if let Err(error) = saved {
            return Err(error.in_class(class));
        }
        self.session.set_version(outer.version);
        self.session.leave_object(class);
        Ok(())
    }
    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<OuterState>> {
        self.session.enter(self.options)?;
        if len != UNCOUNTED {
            self.session.count_all(len as u64, self.options)?;
        }
        self.encoder.begin_seq(shape, len)?;
        let items = self.session.begin_items(len) as u64;
        Ok(Some(OuterState { items, ..OuterState::default() }))
    }
    fn begin_list(
        &mut self,
        shape: &'static Shape,
        len: usize,
        block: &[u8],
        size: BlockSize,
    ) -> Result<(Begun, OuterState)> {
        let outer = self.begin_seq(shape, len)?.unwrap_or_default();
        if !self.save_whole_block(block, size)? && !self.save_numbers(shape, block)? {
            return Ok((Begun::Here, outer));
        }
        self.end_seq(outer, len)?;
        Ok((Begun::Over, outer))
    }
    #[inline]
    fn end_seq(&mut self, outer: OuterState, _: usize) -> Result {
        self.session.budget.uncounted = outer.items as usize;
        self.encoder.end_seq()?;
        self.session.leave();
        Ok(())
    }
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        self.session
            .count_uncounted(self.options)
            .and_then(|()| self.encoder.item())
            .map_err(|error| error.in_item(index))?;
        Ok(Begun::Here)
    }
    #[inline]
    fn begin_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
    ) -> Result<(Begun, bool)> {
        if !present {
            self.encoder.none()?;
            return Ok((Begun::Over, false));
        }
        if null {
            self.session.enter(self.options)?;
        }
        self.encoder.begin_some(shape, null)?;
        Ok((Begun::Here, null))
    }
    #[inline]
    fn end_some(&mut self, null: bool, _: bool) -> Result {
        if null {
            self.session.leave();
        }
        self.encoder.end_some(null)
    }
    #[inline]
    fn begin_variant(
        &mut self,
        info: &'static Enum,
        current: usize,
        _: bool,
    ) -> Result<Option<usize>> {
        self.encoder.begin_variant(info, current)?;
        let payload = &info.variant(current)?.payload;
        if !matches!(payload, Payload::Unit) {
            self.session.enter_payload(payload, self.options)?;
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
        done.map_err(|error| error.in_member(variant.name).in_variant(info, variant))?;
        self.session.leave_payload(&variant.payload);
        self.encoder.end_variant()
    }
    #[inline(always)]
    fn begin_save_block(&mut self, asked: Asked, size: BlockSize) -> Result<Option<SaveRoom<'_>>> {
        if !self.session.fits(size, size.elements, self.options) {
            return Ok(None);
        }
        let version = match asked {
            Asked::Class(class) => self.options.settings().targets().version_of(class),
            Asked::Shape(_) => self.session.version(),
        };
        let Some(out) = self.encoder.begin_block(asked)? else { return Ok(None) };
        self.session.count_fitting(size.elements);
        let (session, options) = (&mut *self.session, self.options);
        Ok(Some(SaveRoom { out, version, ends: true, session, options }))
    }
    #[inline(always)]
    fn end_save_block(&mut self) -> Result {
        self.encoder.end_block(0)
    }
}

impl<E: Encoder + ?Sized> Walk for Saving<'_, E> {
    type Way = Saves;
    const KIND: ArchiveKind = ArchiveKind::SAVING;

    #[inline(always)]
    fn guide(&self) -> Option<Guide<'_>> {
        self.encoder.is_live().then_some(Guide::Live)
    }
    fn erase(&mut self) -> Erased<'_> {
        let guide = self.encoder.is_live().then_some(Guide::Live);
        Erased::guided(self, guide)
    }
    #[inline]
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        self.encoder.member(name, shape)?;
        match body.run(self) {
            Ok(()) => Ok(()),
            Err(error) => Err(error.in_member(name)),
        }
    }

    #[inline]
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let size = values.size();
        let (mut left, mut index) = (values.count(), 0);
        let elements = size.elements_in(left);
        if !self.session.fits(size, elements, self.options) {
            return Ok(false);
        }
        let mut visit = |ar: &mut BlockSaving<'_>| {
            values.next(ar).map_err(|error| error.in_item(index))?;
            index += 1;
            Ok(())
        };
        loop {
            let Some(out) = self.encoder.block(true)? else { return Ok(false) };
            let count = left.min((PART / size.bytes).max(1));
            let version = self.session.version();
            let context = (&mut *self.session, self.options);
            block::save(out, (count, size.bytes), version, context, &mut visit)?;
            self.encoder.end_block(count)?;
            left -= count;
            if left == 0 {
                self.session.count_fitting(elements);
                return Ok(true);
            }
        }
    }

    #[inline]
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        if self.session.current.keyed {
            return self.save_member(index, key, value).map(|()| true);
        }
        self.session.count(self.options).map_err(|error| error.in_item(index))?;
        self.item(index, &mut Pair(key, value))
    }

    #[inline]
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        self.save_map(shape, len, body)
    }

    #[inline]
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        if const { B::TAGGED }
            && let Some(tag) = info.tag
            && self.encoder.writes_tags()
        {
            return tagged::save(self, info, tag, body);
        }
        if let Some(name) = body.other_name()
            && !self.encoder.fixed_shape()
            && info.find(name).is_none()
        {
            return self.encoder.str(name);
        }
        let index = body.current();
        self.begin_variant(info, index, B::NEVER_ANY)?;
        self.payload(info, index, body)
    }

    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        let tracked = head.kind == PointerKind::Stored;
        let outermost = self.session.open_pointer(tracked);
        self.session.enter(self.options)?;
        self.encoder.begin_pointer(head)?;
        if head.has_pointee() {
            let mut visit = |ar: &mut Erased<'_>| body.run(&mut ar.erased().saving());
            let (encoder, session) = (&mut *self.encoder, &mut *self.session);
            if head.shape.is_any() || !encoder.typed(&mut visit, session, self.options)? {
                body.run(self)?;
            }
        }
        if outermost && self.session.saved.has_deferred() {
            self.deferred()?;
        }
        self.session.leave();
        self.session.close_pointer(tracked);
        self.encoder.end_pointer(head)
    }

    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        self.session.count(self.options).map_err(|error| error.in_member(name))?;
        self.encoder.member(name, &Shape::Any)?;
        body.run(self).map_err(|error| error.in_member(name))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_seq(
        &mut self,
        shape: &'static Shape,
        len: usize,
        facts: &BodyFacts,
    ) -> Result<Option<OuterState>> {
        if !facts.counted && len == UNCOUNTED {
            return Ok(None);
        }
        self.begin_seq(shape, len)
    }
    #[inline(always)]
    fn begin_known_item(&mut self, index: usize) -> Result<Begun> {
        match self.encoder.item() {
            Ok(()) => Ok(Begun::Here),
            Err(error) => Err(error.in_item(index)),
        }
    }
}
