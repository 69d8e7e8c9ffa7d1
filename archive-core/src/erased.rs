//! [`Erased`]: any archive, behind one type that trait objects can name.
//!
//! Each function of a type is compiled once for all that is erased, in both directions. A value with parts
//! takes two calls of the archive inside, one before the parts and one after them
//! ([`Archive::begin_object`] and its kin), and the body runs on the erased archive between the two. An
//! archive that lacks such a pair of functions gets the body as a trait object ([`dynamic`]).

mod dynamic;

use std::any::Any;

use dynamic::Tool;

use crate::archive::{Archive, Begun, Body, Keyed, LoadAny, Variants};
use crate::block::{Asked, LoadBlocks, SaveBlocks, Size};
use crate::error::Result;
use crate::options::Options;
use crate::pointer::{LoadPointer, PointerHead};
use crate::registry::Polymorphic;
use crate::saving::check_name;
use crate::scalar::Scalar;
use crate::session::Session;
use crate::shape::{Class, Enum, Member, Shape, Variant};

/// Whether roots are saved and loaded through [`Erased`] in every format: in builds with debug assertions,
/// unless the feature `static-formats` is on. Then a type is compiled for one archive and not for each.
#[doc(hidden)]
pub const ERASES: bool = cfg!(all(debug_assertions, not(feature = "static-formats")));

/// Any archive, behind one type that trait objects can name.
pub struct Erased<'a> {
    archive: &'a mut (dyn Tool + 'a),
    loading: bool,
    /// [`Archive::BY_POSITION`].
    by_position: bool,
}

impl<'a> Erased<'a> {
    /// The archive, erased.
    pub(crate) fn new<A: Archive>(archive: &'a mut A) -> Self {
        Erased { loading: archive.is_loading(), by_position: A::BY_POSITION, archive }
    }
}

impl Erased<'_> {
    /// Saves or loads a value of a known size. `false` if that has to be done part by part.
    fn block<B: Body>(&mut self, asked: Asked, size: Size, body: &mut B) -> Result<bool> {
        if self.loading {
            self.archive.load_block_erased(asked, size, &mut |ar| body.run(ar))
        } else if let Some(bytes) = body.as_block() {
            self.archive.save_block_erased(asked, size, Some(bytes), &mut |_| Ok(()))
        } else {
            self.archive.save_block_erased(asked, size, None, &mut |ar| body.run(ar))
        }
    }
}

impl Archive for Erased<'_> {
    #[inline]
    fn is_loading(&self) -> bool {
        self.loading
    }
    fn erased(&mut self) -> Erased<'_> {
        Erased { archive: &mut *self.archive, ..*self }
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        self.archive.parts_erased()
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        self.archive.parts_mut_erased()
    }
    fn save_object(&mut self, object: &dyn Any) -> Result<bool> {
        self.archive.save_object_erased(object)
    }
    fn save_owned(&mut self, object: &dyn Any) -> Result<bool> {
        self.archive.save_owned_erased(object)
    }
    fn load_object(&mut self, object: &mut dyn Polymorphic) -> Result<bool> {
        self.archive.load_object_erased(object)
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.archive.slot_erased(name, shape, body)
    }
    // Which scalar it is is a constant where this is inlined.
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
            value => self.archive.scalar_erased(value),
        }
    }
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if !(B::TYPED && self.by_position) {
            match self.archive.begin_named_erased(info, B::TYPED)? {
                Begun::Here => {}
                Begun::Over => return Ok(()),
                Begun::Elsewhere => return self.archive.named_erased(info, body),
            }
        } else if !self.loading {
            check_name(info.name)?;
        }
        match body.run(self) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.archive.place_error_erased(error).in_member(info.name)),
        }
    }
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        if const { B::BLOCK.is_some() }
            && let Some(size) = B::BLOCK
            && self.block(Asked::Class(class), size, body)?
        {
            return Ok(());
        }
        match self.archive.begin_object_erased(class)? {
            Some(outer) => {
                let done = body.run(self);
                self.archive.end_object_erased(class, outer, done)
            }
            None => self.archive.object_erased(class, body),
        }
    }
    fn seq<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if const { B::BLOCK.is_some() }
            && let Some(size) = B::BLOCK
            && self.block(Asked::Shape(shape), size, body)?
        {
            return Ok(());
        }
        match self.archive.begin_seq_erased(shape, len)? {
            Some(outer) => {
                body.run(self)?;
                self.archive.end_seq_erased(outer, len)
            }
            None => self.archive.seq_erased(shape, len, body),
        }
    }
    fn overwrites(&mut self) -> bool {
        self.archive.overwrites_erased()
    }
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        self.archive.save_blocks_erased(values)
    }
    fn save_whole_block(&mut self, block: &[u8], size: Size) -> Result<bool> {
        self.archive.save_whole_block_erased(block, size)
    }
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        self.archive.load_blocks_erased(values)
    }
    fn version(&self) -> u32 {
        self.archive.version_erased()
    }
    fn size_hint(&self) -> usize {
        self.archive.size_hint_erased()
    }
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        match self.archive.begin_item_erased(index)? {
            Begun::Here => match body.run(self) {
                Ok(()) => Ok(true),
                Err(error) => Err(self.archive.place_error_erased(error).in_item(index)),
            },
            Begun::Over => Ok(false),
            Begun::Elsewhere => self.archive.item_erased(index, body),
        }
    }
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        self.archive.map_erased(shape, len, body)
    }
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.archive.entry_erased(index, key, value)
    }
    fn option<B: Body>(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
        body: &mut B,
    ) -> Result<bool> {
        match self.archive.begin_option_erased(shape, present, null)? {
            (Begun::Here, wrapped) => {
                body.run(self)?;
                self.archive.end_some_erased(null, wrapped)?;
                Ok(true)
            }
            (Begun::Over, _) => Ok(false),
            (Begun::Elsewhere, _) => self.archive.option_erased(shape, present, null, body),
        }
    }
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        // What a tag or an unknown name makes of it is told where the variant is saved or loaded.
        if const { B::TAGGED } || (!self.loading && body.other_name().is_some()) {
            return self.archive.variant_erased(info, body);
        }
        let begun = self.archive.begin_variant_erased(info, body.current(), B::TYPED)?;
        let Some(index) = begun else { return self.archive.variant_erased(info, body) };
        self.payload(info, index, body)
    }
    fn end_variant(
        &mut self,
        info: &'static Enum,
        variant: &'static Variant,
        done: Result,
    ) -> Result {
        self.archive.end_variant_erased(info, variant, done)
    }
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        self.archive.save_pointer_erased(head, body)
    }
    fn defers(&self) -> bool {
        self.archive.defers_erased()
    }
    fn fixed_members(&self) -> bool {
        self.archive.fixed_members_erased()
    }
    fn fixed_shape(&self) -> bool {
        self.archive.fixed_shape_erased()
    }
    fn refuses_twins(&self) -> bool {
        self.archive.refuses_twins_erased()
    }
    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        self.archive.save_key_erased(name, body)
    }
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        self.archive.load_key_erased(body)
    }
    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        self.archive.load_any_erased(target)
    }
    fn load_body<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.archive.load_body_erased(id, body)
    }
    fn settle(&mut self) -> Result {
        self.archive.settle_erased()
    }
    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.archive.load_pointer_erased(target)
    }
}
