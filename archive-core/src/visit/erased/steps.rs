//! The steps of an erased archive: it calls those of the inner archive.

use std::any::Any;

use super::dynamic::ErasedBody;
use super::{Erased, Road, Way};
use crate::model::block_size::{Asked, BlockSize};
use crate::model::error::{Error, Result};
use crate::model::head::PointerHead;
use crate::model::scalar::Scalar;
use crate::model::shape::{About, Class, Enum, Member, Property, Shape, Variant};
use crate::state::options::Options;
use crate::visit::facts::Step;
use crate::visit::guide::Begun;
use crate::visit::polymorphic::Polymorphic;
use crate::visit::session::{BeforeAttempt, Session};
use crate::visit::visitor::{OuterState, Visitor};
use crate::visit::walk::{Room, SaveRoom};

impl<W: Way> Visitor for Erased<'_, W> {
    #[inline]
    fn loads(&self) -> bool {
        W::LOADS.unwrap_or(self.loading)
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        self.archive.parts()
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        self.archive.parts_mut()
    }
    fn save_object(&mut self, object: &dyn Any) -> Result<bool> {
        self.archive.save_object(object)
    }
    fn save_owned(&mut self, object: &dyn Any) -> Result<bool> {
        self.archive.save_owned(object)
    }
    fn load_object(&mut self, object: &mut dyn Polymorphic) -> Result<bool> {
        self.archive.load_object(object)
    }
    // Inlined, because the kind of scalar is then a constant.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        match value {
            Scalar::Bool(v) => self.archive.bool_erased(v),
            Scalar::U8(v) => self.archive.u8_erased(v),
            Scalar::I8(v) => self.archive.i8_erased(v),
            Scalar::I16(v) => self.archive.i16_erased(v),
            Scalar::U16(v) => self.archive.u16_erased(v),
            Scalar::U32(v) => self.archive.u32_erased(v),
            Scalar::U64(v) => self.archive.u64_erased(v),
            Scalar::I32(v) => self.archive.i32_erased(v),
            Scalar::I64(v) => self.archive.i64_erased(v),
            Scalar::F32(v) => self.archive.f32_erased(v),
            Scalar::F64(v) => self.archive.f64_erased(v),
            Scalar::String(v) => self.archive.string_erased(v),
            Scalar::Str(v) => self.archive.str_erased(v),
            value => self.archive.scalar(value),
        }
    }
    fn overwrites(&mut self) -> bool {
        self.archive.overwrites()
    }
    fn begin_attempt(&mut self) -> Option<BeforeAttempt> {
        match self.road {
            // An edit changes values in place.
            Road::Path(_) | Road::Live => None,
            Road::Steps | Road::ByPosition => self.archive.begin_attempt(),
        }
    }
    fn end_attempt(&mut self, before: BeforeAttempt, done: Result) -> Result<bool> {
        self.archive.end_attempt(before, done)
    }
    fn save_whole_block(&mut self, block: &[u8], size: BlockSize) -> Result<bool> {
        self.archive.save_whole_block(block, size)
    }
    fn current_version(&self) -> u32 {
        self.archive.current_version()
    }
    fn size_hint(&self) -> usize {
        self.archive.size_hint()
    }
    fn begin_member(&mut self, name: &str, shape: &'static Shape) -> Result<Begun> {
        self.archive.begin_member(name, shape)
    }
    fn begin_named(&mut self, info: &'static Member, typed: bool) -> Result<Begun> {
        self.archive.begin_named(info, typed)
    }
    fn property(&mut self, property: &'static Property) -> bool {
        self.archive.property(property)
    }
    fn shown(&mut self, object: &dyn Any, shape: &'static Shape, about: &'static About) {
        self.archive.shown(object, shape, about);
    }
    #[inline]
    fn end_item(&mut self, index: usize, done: Result) -> Result {
        // Without a call to drop the result.
        let done = match done {
            Ok(()) if !self.ends_parts => return Ok(()),
            done => done,
        };
        if let Road::Path(route) = self.road {
            route.end();
            if done.is_ok() {
                return Ok(());
            }
        }
        self.archive.end_item(index, done)
    }
    fn begin_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        self.archive.begin_pointer(head)
    }
    fn end_pointer(&mut self, head: &PointerHead<'_>, done: Result) -> Result {
        self.archive.end_pointer(head, done)
    }
    fn begin_variant(
        &mut self,
        info: &'static Enum,
        current: usize,
        typed: bool,
    ) -> Result<Option<usize>> {
        self.archive.begin_variant(info, current, typed)
    }
    fn members_of(&self) -> Option<&'static Class> {
        self.archive.members_of()
    }
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        match self.road {
            // Its bodies run elsewhere, so that other archives take no more instructions.
            Road::Path(_) => Ok(None),
            _ => self.archive.begin_object(class),
        }
    }
    fn end_object(&mut self, class: &'static Class, outer: OuterState, done: Result) -> Result {
        self.archive.end_object(class, outer, done)
    }
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<OuterState>> {
        match self.road {
            Road::Path(_) => Ok(None),
            _ => self.archive.begin_seq(shape, len),
        }
    }
    fn begin_list(
        &mut self,
        shape: &'static Shape,
        len: usize,
        block: &[u8],
        size: BlockSize,
    ) -> Result<(Begun, OuterState)> {
        match self.road {
            Road::Path(_) => Ok((Begun::Elsewhere, OuterState::default())),
            _ => self.archive.begin_list(shape, len, block, size),
        }
    }
    fn peek_list(&self, size: BlockSize) -> Option<&[u8]> {
        match self.road {
            Road::Path(_) => None,
            _ => self.archive.peek_list(size),
        }
    }
    fn pass_list(&mut self, count: usize, size: BlockSize) {
        self.archive.pass_list(count, size);
    }
    fn end_seq(&mut self, outer: OuterState, len: usize) -> Result {
        self.archive.end_seq(outer, len)
    }
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        match self.road {
            Road::Path(route) => self.begin_item_on_path(route, index),
            _ => self.archive.begin_item(index),
        }
    }
    fn begin_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
    ) -> Result<(Begun, bool)> {
        self.archive.begin_option(shape, present, null)
    }
    #[inline]
    fn end_some(&mut self, null: bool, wrapped: bool) -> Result {
        if const { Self::SAVES } && !null && matches!(self.road, Road::ByPosition) {
            return Ok(());
        }
        self.archive.end_some(null, wrapped)
    }
    fn locate_error(&mut self, error: Error) -> Error {
        self.archive.locate_error(error)
    }
    fn elsewhere(&mut self, step: Step, body: &mut dyn ErasedBody) -> Result<bool> {
        match self.road {
            Road::Path(route) => self.elsewhere_on_path(route, step, body),
            _ => self.archive.elsewhere(step, body),
        }
    }
    fn begin_save_block(&mut self, asked: Asked, size: BlockSize) -> Result<Option<SaveRoom<'_>>> {
        self.archive.begin_save_block(asked, size)
    }
    fn end_save_block(&mut self) -> Result {
        self.archive.end_save_block()
    }
    fn begin_load_block(&mut self, asked: Asked, size: BlockSize) -> Result<Option<Room<'_>>> {
        self.archive.begin_load_block(asked, size)
    }
    fn leave_load_block(&mut self, asked: Asked, at: u64, error: Option<Error>) -> Result {
        self.archive.leave_load_block(asked, at, error)
    }
    fn end_variant(
        &mut self,
        info: &'static Enum,
        variant: &'static Variant,
        done: Result,
    ) -> Result {
        self.archive.end_variant(info, variant, done)
    }
    fn defers(&self) -> bool {
        self.archive.defers()
    }
    fn fixed_members(&self) -> bool {
        self.archive.fixed_members()
    }
    fn fixed_shape(&self) -> bool {
        self.archive.fixed_shape()
    }
    fn refuses_duplicates(&self) -> bool {
        self.archive.refuses_duplicates()
    }
    fn resolve_pending(&mut self) -> Result {
        self.archive.resolve_pending()
    }
}
