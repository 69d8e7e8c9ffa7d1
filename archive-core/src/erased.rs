//! [`Erased`]: any archive as one type, which the methods of trait objects can name.
//!
//! Each function of a type is compiled once for all erased archives of one [direction](Way). A
//! value with parts takes two calls of the inner archive, one before the parts and one after them
//! ([`Visitor::begin_object`] and similar methods); in between, the body runs on the erased
//! archive. An archive without such a pair of methods receives the body as a trait object
//! ([`dynamic`]).

mod dynamic;
mod way;

use std::any::Any;
use std::marker::PhantomData;

pub(crate) use dynamic::On;
use dynamic::Tool;
pub use dynamic::{DynBody, ErasedBody, run_step};
pub use way::{Either, Loads, Saves, Way};

use crate::archive::{Archive, Body, Keyed, LoadAny, Variants};
use crate::block::{Asked, BlockSaving, LoadBlocks, SaveBlocks, Size};
use crate::compiled::{Elsewhere, Room, Step};
use crate::error::{Error, Result};
use crate::options::Options;
use crate::path::Guide;
use crate::pointer::{LoadPointer, PointerHead};
use crate::registry::Polymorphic;
use crate::saving::check_name;
use crate::scalar::Scalar;
use crate::session::Session;
use crate::shape::{Class, Enum, Member, Shape, Variant};
use crate::visitor::{Begun, OuterState, Visitor};

/// Whether roots are saved and loaded through [`Erased`] in every format. This is so in builds with
/// debug assertions, unless the feature `static-formats` is on. Types are then compiled for one
/// archive and not for each.
#[doc(hidden)]
pub const ERASES: bool = cfg!(all(debug_assertions, not(feature = "static-formats")));

/// Expands to the first of two expressions, or to the second if [`ERASES`]. A macro and not a
/// branch, because the compiler would instantiate all functions that are called in a branch, even
/// if it is never taken.
#[doc(hidden)]
#[macro_export]
#[cfg(not(all(debug_assertions, not(feature = "static-formats"))))]
macro_rules! __unless_erased {
    ($compiled:expr, $erased:expr) => {
        $compiled
    };
}

/// Expands to the second expression.
#[doc(hidden)]
#[macro_export]
#[cfg(all(debug_assertions, not(feature = "static-formats")))]
macro_rules! __unless_erased {
    ($compiled:expr, $erased:expr) => {
        $erased
    };
}

/// Any archive as one type, which the methods of trait objects can name. If it is known whether the
/// archive saves or loads, `W` says so, and nothing of the other direction is compiled.
pub struct Erased<'a, W = Either> {
    archive: &'a mut (dyn Tool + 'a),
    loading: bool,
    /// Whether the archive is led, or is [by position](Archive::BY_POSITION).
    is_special: bool,
    /// [`Archive::ENDS_ITEMS`].
    ends_items: bool,
    /// [`Archive::guide`].
    guide: Guide<'a>,
    way: PhantomData<W>,
}

impl<'a> Erased<'a> {
    /// Erases the type of an archive.
    pub(crate) fn new<A: Archive>(archive: &'a mut A) -> Self {
        let (loading, is_special) = (archive.loads(), A::BY_POSITION);
        let ends_items = A::ENDS_ITEMS;
        Erased { archive, loading, is_special, ends_items, guide: None, way: PhantomData }
    }

    /// As [`Archive::erased`], led by a guide.
    #[doc(hidden)]
    #[inline]
    pub fn guided<A: Archive>(archive: &'a mut A, guide: Guide<'a>) -> Self {
        let is_special = A::BY_POSITION || guide.is_some();
        Erased { guide, is_special, ..Self::new(archive) }
    }

    /// Returns the archive, which must be a saving one, as a type that says so.
    #[doc(hidden)]
    #[inline]
    pub fn saving(self) -> Erased<'a, Saves> {
        debug_assert!(!self.loading, "it loads");
        self.on()
    }

    /// Returns the archive, which must be a loading one, as a type that says so.
    #[doc(hidden)]
    #[inline]
    pub fn loading(self) -> Erased<'a, Loads> {
        debug_assert!(self.loading, "it saves");
        self.on()
    }
}

impl<'a, W: Way> Erased<'a, W> {
    #[inline]
    fn on<V>(self) -> Erased<'a, V> {
        let Erased { archive, loading, is_special, ends_items, guide, .. } = self;
        Erased { archive, loading, is_special, ends_items, guide, way: PhantomData }
    }

    #[inline]
    pub(crate) fn going<V>(&mut self) -> Erased<'_, V> {
        let Erased { loading, is_special, ends_items, guide, .. } = *self;
        let archive = &mut *self.archive;
        Erased { archive, loading, is_special, ends_items, guide, way: PhantomData }
    }

    /// Visits a member in the steps of the archive.
    // Part of its only caller in builds that are not optimized.
    #[cfg_attr(debug_assertions, inline(always))]
    fn named_in_steps<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        match self.archive.begin_named(info, B::NEVER_ANY)? {
            Begun::Here => {}
            Begun::Over | Begun::Skip => return Ok(()),
            Begun::Elsewhere => {
                return self.archive.named_elsewhere_erased(info, &mut On(body, self.way));
            }
        }
        match body.run(self) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.in_member(error, info)),
        }
    }

    #[cold]
    fn in_member(&mut self, error: Error, info: &'static Member) -> Error {
        self.archive.place_error(error).in_member(info.name)
    }
}

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
    fn save_whole_block(&mut self, block: &[u8], size: Size) -> Result<bool> {
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
    #[inline]
    fn end_item(&mut self, index: usize, done: Result) -> Result {
        if done.is_ok() && !self.ends_items {
            return Ok(());
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
        self.archive.begin_object(class)
    }
    fn end_object(&mut self, class: &'static Class, outer: OuterState, done: Result) -> Result {
        self.archive.end_object(class, outer, done)
    }
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<OuterState>> {
        self.archive.begin_seq(shape, len)
    }
    fn end_seq(&mut self, outer: OuterState, len: usize) -> Result {
        self.archive.end_seq(outer, len)
    }
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        self.archive.begin_item(index)
    }
    fn begin_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
    ) -> Result<(Begun, bool)> {
        self.archive.begin_option(shape, present, null)
    }
    fn end_some(&mut self, null: bool, wrapped: bool) -> Result {
        self.archive.end_some(null, wrapped)
    }
    fn place_error(&mut self, error: Error) -> Error {
        self.archive.place_error(error)
    }
    fn elsewhere(&mut self, step: Step, body: &mut dyn ErasedBody) -> Result<bool> {
        self.archive.elsewhere(step, body)
    }
    fn save_block(
        &mut self,
        asked: Asked,
        size: Size,
        bytes: Option<&[u8]>,
        save: &mut dyn FnMut(&mut BlockSaving<'_>) -> Result,
    ) -> Result<bool> {
        self.archive.save_block(asked, size, bytes, save)
    }
    fn begin_load_block(&mut self, asked: Asked, size: Size) -> Result<Option<Room<'_>>> {
        self.archive.begin_load_block(asked, size)
    }
    fn end_load_block(
        &mut self,
        asked: Asked,
        size: Size,
        begun: (u64, u32),
        loaded: Result<bool>,
    ) -> Result<bool> {
        self.archive.end_load_block(asked, size, begun, loaded)
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

impl<W: Way> Archive for Erased<'_, W> {
    type Way = W;
    const BYTES_OF_BLOCKS: bool = true;
    const ELSEWHERE: Elsewhere = Elsewhere::ALWAYS;
    const GUIDED: bool = true;
    fn erased(&mut self) -> Erased<'_> {
        self.going()
    }
    #[inline(always)]
    fn guide(&self) -> Guide<'_> {
        self.guide
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.archive.slot_erased(name, shape, &mut On(body, self.way))
    }
    // Inlined, so that members beside a path cost no call.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if self.is_special {
            let is_here = match self.guide {
                None => B::NEVER_ANY,
                Some(route) if route.leads() => {
                    if route.skips(info) {
                        return Ok(());
                    }
                    route.goes_on()
                }
                Some(_) => false,
            };
            if is_here {
                if self.guide.is_none() && !self.is_loading() {
                    check_name(info.name)?;
                }
                return match body.run(self) {
                    Ok(()) => Ok(()),
                    Err(error) => Err(self.in_member(error, info)),
                };
            }
        }
        self.named_in_steps(info, body)
    }
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        self.archive.save_blocks_erased(values)
    }
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        self.archive.load_blocks_erased(values)
    }
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        self.archive.map_erased(shape, len, &mut On(body, self.way))
    }
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.archive.entry_erased(index, &mut On(key, self.way), &mut On(value, self.way))
    }
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        // A variant with a tag or with an unknown name is handled where the inner archive saves or
        // loads the variant.
        if const { B::TAGGED } || (!self.is_loading() && body.other_name().is_some()) {
            return self.archive.variant_erased(info, &mut On(body, self.way));
        }
        let begun = self.archive.begin_variant(info, body.current(), B::NEVER_ANY)?;
        let Some(index) = begun else {
            return self.archive.variant_erased(info, &mut On(body, self.way));
        };
        self.payload(info, index, body)
    }
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        self.archive.save_pointer_erased(head, &mut On(body, self.way))
    }
    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        self.archive.save_key_erased(name, &mut On(body, self.way))
    }
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        self.archive.load_key_erased(&mut On(body, self.way))
    }
    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        self.archive.load_any_erased(&mut On(target, self.way))
    }
    fn load_body<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.archive.load_body_erased(id, &mut On(body, self.way))
    }
    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.archive.load_pointer_erased(&mut On(target, self.way))
    }
}
