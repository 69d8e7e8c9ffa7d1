//! [`Walk`] for [`Loading`].
// Why: docs/decisions/compile-time.md#recursive-functions-are-not-inlined

use super::{Loading, refuse};
use crate::format::decoder::{Decoder, OptionForm};
use crate::model::block_size::{Asked, BlockSize};
use crate::model::columns::NewItem;
use crate::model::error::{Error, Result};
use crate::model::members::{Lookup, Seen, VersionAt};
use crate::model::reserved::check_name;
use crate::model::scalar::Scalar;
use crate::model::shape::{Class, Enum, Member, Shape};
use crate::visit::block;
use crate::visit::block::LoadBlocks;
use crate::visit::body::{Body, Keyed, LoadAny, LoadPointer, Variants};
use crate::visit::erased::{DynBody, Erased, ErasedBody, Loads};
use crate::visit::facts::Step;
use crate::visit::guide::{Begun, Guide};
use crate::visit::polymorphic::Polymorphic;
use crate::visit::session::{BeforeAttempt, Place};
use crate::visit::visitor::{OuterState, TakeRows, Visitor};
use crate::visit::walk::{ArchiveKind, Room, Walk};

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Visitor for Loading<'_, D, FILE_ORDER> {
    crate::__one_way!(loads);

    #[cold]
    fn elsewhere(&mut self, step: Step, body: &mut dyn ErasedBody) -> Result<bool> {
        let body = &mut DynBody(body);
        match step {
            Step::Object(class) => self.object_whole(class, body).map(|()| true),
            Step::Seq(shape, len) => self.seq_whole(shape, len, body).map(|()| true),
            Step::Named(info) => self.named_whole(info, body).map(|()| true),
            Step::Found(info) => self.found_whole(info, body).map(|()| true),
            Step::Item(index) => self.item_whole(index, body),
            _ => Err(Error::custom("internal error: unexpected step in `Visitor::elsewhere`")),
        }
    }
    #[inline(always)]
    fn begin_found(&mut self) -> bool {
        self.session.is_reporting()
    }
    #[inline(always)]
    fn begin_members(&mut self, class: &'static Class, seen: &mut Seen) -> Result<Option<u32>> {
        if self.session.looks() || self.options.strict || self.at_pointer()? {
            return Ok(None);
        }
        self.session.enter_object(class, self.options)?;
        let version = self.decoder.begin_members(class, seen)?;
        if let VersionAt::MayFollow(start) = seen.version {
            if self.has_late_version(class, start)? {
                self.session.leave_object(class);
                return Ok(None);
            }
            self.decoder.begin_members(class, seen)?;
        }
        if version > class.version {
            let error = refuse::newer(class, version).at(self.decoder.position());
            return Err(self.in_class(error, class));
        }
        Ok(Some(self.session.set_version(version)))
    }
    #[inline(always)]
    fn next_member(&mut self, lookup: &'static Lookup, seen: &mut Seen) -> Result<Option<usize>> {
        self.decoder.next_member(lookup, seen)
    }
    #[cold]
    fn absent_member(&mut self, info: &'static Member) -> Result {
        self.absent().member(info)
    }
    #[inline(always)]
    fn end_members(
        &mut self,
        class: &'static Class,
        outer: u32,
        seen: &mut Seen,
        done: Result,
    ) -> Result {
        let done = match done {
            Ok(()) => {
                self.session.set_version(outer);
                self.decoder.end_members(seen)
            }
            failed => failed,
        };
        match done {
            Ok(()) => {}
            Err(error) => return Err(self.in_class(error, class)),
        }
        self.session.leave_object(class);
        Ok(())
    }
    #[inline(always)]
    fn begin_load_block(&mut self, asked: Asked, size: BlockSize) -> Result<Option<Room<'_>>> {
        if self.keeps_going() || !self.session.fits(size, size.elements, self.options) {
            return Ok(None);
        }
        let Some(found) = self.decoder.block(size.bytes, asked)? else { return Ok(None) };
        let outer = self.session.version();
        if let Asked::Class(class) = asked {
            self.session.set_version(class.version);
        }
        Ok(Some(Room { found, outer, session: &mut *self.session, options: self.options }))
    }
    #[cold]
    fn leave_load_block(&mut self, asked: Asked, _: u64, error: Option<Error>) -> Result {
        match error {
            Some(error) => Err(asked.in_class(error)),
            None => {
                self.decoder.undo_block();
                Ok(())
            }
        }
    }

    #[inline]
    fn overwrites(&mut self) -> bool {
        (self.session.attempt.is_on() || self.decoder.has_exact_type()) && !self.keeps_going()
    }
    #[inline]
    fn begin_attempt(&mut self) -> Option<BeforeAttempt> {
        if self.session.looks() || self.options.strict {
            return None;
        }
        self.session.begin_attempt(|| self.decoder.mark())
    }
    #[inline]
    fn end_attempt(&mut self, before: BeforeAttempt, done: Result) -> Result<bool> {
        match self.session.end_attempt(&before) {
            None => done.map(|()| true),
            Some(at) => {
                self.decoder.recover(at);
                Ok(false)
            }
        }
    }

    #[inline(always)]
    fn scalar(&mut self, mut value: Scalar<'_>) -> Result {
        // Bytes may be stored as a sequence, and an error would then be about an item, so the
        // pointer is checked first.
        if matches!(value, Scalar::Bytes(_)) && self.at_pointer()? {
            return self.load_pointee_scalar(value);
        }
        if let Err(error) = self.read(&mut value) {
            return self.pointee_scalar(error, value);
        }
        if let Scalar::Bytes(ref bytes) = value
            && let Err(error) = self.session.count_bytes(bytes, self.options)
        {
            return Err(error.at(self.decoder.position()));
        }
        if self.session.looks() {
            self.note_conversion(value.primitive());
        }
        Ok(())
    }

    #[inline]
    fn size_hint(&self) -> usize {
        self.session.current.size_hint
    }

    fn load_object(&mut self, object: &mut dyn Polymorphic) -> Result<bool> {
        // With a report, `slot` must add the path to each note.
        if self.session.is_reporting() {
            return Ok(false);
        }
        self.decoder.object(object, self.session, self.options)
    }

    fn resolve_pending(&mut self) -> Result {
        // The members of a root that is an object are one level deeper than the root.
        if self.session.is_in_root() { self.fill_pending() } else { Ok(()) }
    }

    #[inline]
    fn begin_named(&mut self, info: &'static Member, _: bool) -> Result<Begun> {
        // With a report, the function that loads the value must add the path to each note.
        if self.session.is_reporting() {
            return Ok(Begun::Elsewhere);
        }
        if self.decoder.known_member(info)? {
            return Ok(Begun::Here);
        }
        self.absent().member(info)?;
        Ok(Begun::Over)
    }
    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        if self.session.is_reporting() || self.options.strict || self.at_pointer()? {
            return Ok(None);
        }
        if class.members.is_none() {
            self.session.attempt.abort_if_on()?;
        }
        self.session.enter_object(class, self.options)?;
        self.decoder.begin_object(class)?;
        match self.begin_version(class) {
            Ok(version) => Ok(Some(OuterState { version, ..OuterState::default() })),
            Err(error) => Err(self.in_class(error, class)),
        }
    }
    #[inline]
    fn end_object(&mut self, class: &'static Class, outer: OuterState, done: Result) -> Result {
        let done = done.and_then(|()| {
            self.session.set_version(outer.version);
            self.close_object(class)
        });
        if let Err(error) = done {
            return Err(self.in_class(error, class));
        }
        self.session.leave_object(class);
        Ok(())
    }
    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape, _: usize) -> Result<Option<OuterState>> {
        if self.at_pointer()? {
            return Ok(None);
        }
        self.session.enter(self.options)?;
        let hint = self.decoder.begin_seq(shape)?;
        self.session.current.size_hint = hint;
        Ok(Some(OuterState::default()))
    }
    #[inline]
    fn end_seq(&mut self, _: OuterState, len: usize) -> Result {
        if let Err(error) = self.decoder.end_seq() {
            return Err(refuse::too_many(error, len));
        }
        self.session.leave();
        Ok(())
    }
    #[inline]
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        if self.session.is_reporting() {
            return Ok(Begun::Elsewhere);
        }
        Ok(if self.next_item(index)? { Begun::Here } else { Begun::Over })
    }
    #[inline]
    fn begin_option(
        &mut self,
        shape: &'static Shape,
        _: bool,
        nullable: bool,
    ) -> Result<(Begun, bool)> {
        let form = self.decoder.begin_option(shape, nullable)?;
        if nullable && form == OptionForm::Wrapped {
            self.session.enter(self.options)?;
        }
        let begun = if form == OptionForm::None { Begun::Over } else { Begun::Here };
        Ok((begun, form == OptionForm::Wrapped))
    }
    fn begin_variant(&mut self, _: &'static Enum, _: usize, _: bool) -> Result<Option<usize>> {
        // The variant is in the file.
        Ok(None)
    }
    #[inline]
    fn end_some(&mut self, nullable: bool, wrapped: bool) -> Result {
        let form = if wrapped { OptionForm::Wrapped } else { OptionForm::Plain };
        self.decoder.end_option(form)?;
        if nullable && wrapped {
            self.session.leave();
        }
        Ok(())
    }
    fn take_columns(&mut self, item: NewItem, take: &mut TakeRows<'_>) -> Result<bool> {
        let (session, options) = (&mut *self.session, self.options);
        self.decoder
            .take_columns(item, &mut |columns, rows| take(columns, rows, (&mut *session, options)))
    }
    fn locate_error(&mut self, error: Error) -> Error {
        self.located(error)
    }
}

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Walk for Loading<'_, D, FILE_ORDER> {
    type Way = Loads;
    const KIND: ArchiveKind =
        if FILE_ORDER { ArchiveKind::FILE_ORDER } else { ArchiveKind::LOADING };

    #[inline(always)]
    fn guide(&self) -> Option<Guide<'_>> {
        self.decoder.is_live().then_some(Guide::Live)
    }
    fn erase(&mut self) -> Erased<'_> {
        let guide = self.decoder.is_live().then_some(Guide::Live);
        Erased::guided(self, guide)
    }
    #[inline]
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        if !self.decoder.shaped_member(name, shape)? {
            return self.absent().named(name);
        }
        self.load_at(Some(Place::Member(name)), body)
    }

    #[inline]
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let size = values.size();
        if self.keeps_going() {
            return Ok(false);
        }
        let elements = size.elements_of(self.session.current.size_hint as u64);
        if !self.session.fits(size, elements, self.options) {
            return Ok(false);
        }
        let Some(found) = self.decoder.blocks(size.bytes)? else { return Ok(false) };
        let count = found.bytes.len() / size.bytes;
        if !values.take(found.bytes) {
            values.begin(count, self.session, self.options);
            let context = (&mut *self.session, self.options);
            let whole = block::load(found, size.bytes, context, |index, ar| {
                ar.visit_item(index, |ar| values.next(ar))
            })?;
            values.end(self.session);
            if !whole {
                self.decoder.undo_block();
                return Ok(false);
            }
        }
        self.session.count_fitting(size.elements_of(count as u64));
        Ok(true)
    }

    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if self.at_pointer()? && self.has_pointee()? {
            let kind = self.enter_pointee(None)?;
            self.map(shape, len, body)?;
            return self.leave_pointee(kind);
        }
        self.load_map(shape, body)
    }

    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.load_entry(index, key, value)
    }

    #[inline]
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        if self.at_pointer()? {
            let kind = self.enter_pointee(Some(info.type_name))?;
            self.variant(info, body)?;
            return self.leave_pointee(kind);
        }
        if const { B::TAGGED }
            && let Some(tag) = info.tag
            && let Some(head) = self.find_tag(info, tag)?
        {
            return self.load_tagged(info, tag, head, body);
        }
        self.load_variant(info, body)
    }

    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.session.attempt.abort_if_on()?;
        self.pointer(target)
    }

    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        self.session.attempt.abort_if_on()?;
        self.any_member(body)
    }

    fn load_pointee<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.run_on_pointee(id, body)
    }

    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        self.session.attempt.abort_if_on()?;
        self.any(target)
    }
}

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    #[inline]
    fn named_whole<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if !self.decoder.known_member(info)? {
            return self.absent().member(info);
        }
        self.load_at(Some(Place::Member(info.name)), body)
    }

    #[inline]
    fn found_whole<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        self.load_at(Some(Place::Member(info.name)), body)
    }

    #[inline]
    fn object_whole<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        if self.at_pointer()? {
            let kind = self.enter_pointee(Some(class.type_name))?;
            self.object_whole(class, body)?;
            return self.leave_pointee(kind);
        }
        if class.members.is_none() {
            self.session.attempt.abort_if_on()?;
        }
        self.session.enter_object(class, self.options)?;
        self.decoder.begin_object(class)?;
        let outer = self.session.begin_class(self.options);
        let done = self.inside(class, body);
        self.session.end_class(outer, class);
        if let Err(error) = done {
            return Err(self.in_class(error, class));
        }
        self.session.leave_object(class);
        Ok(())
    }

    #[inline]
    fn seq_whole<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        let Some(outer) = self.begin_seq(shape, len)? else {
            let kind = self.enter_pointee(None)?;
            self.seq_whole(shape, len, body)?;
            return self.leave_pointee(kind);
        };
        body.run(self)?;
        self.end_seq(outer, len)
    }

    #[inline]
    fn item_whole<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        if !self.next_item(index)? {
            return Ok(false);
        }
        self.load_at(Some(Place::Item(index)), body)?;
        Ok(true)
    }

    /// Returns whether there is another item, and counts it.
    #[inline]
    fn next_item(&mut self, index: usize) -> Result<bool> {
        if !self.decoder.next_item()? {
            return Ok(false);
        }
        match self.session.count(self.options) {
            Ok(()) => Ok(true),
            Err(error) => Err(self.prefix_error(error, Some(Place::Item(index)))),
        }
    }
}
