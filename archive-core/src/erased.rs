//! [`Erased`]: any archive, behind one type that trait objects can name.
//!
//! Erasing a [`Saving`] or a [`Loading`] makes its encoder or decoder `dyn`; erasing that again
//! only borrows it anew, so a call costs the same at any depth of nested trait objects.
//!
//! What an archive runs is erased too ([`dynamic`]), on its way to the archive behind, or it runs on the
//! erased archive itself: each function of a type is compiled once for all that is erased, in both
//! directions.

mod dynamic;

use std::any::Any;

use dynamic::Tool;

use crate::archive::{Archive, Body, Keyed, LoadAny, Variants};
use crate::block::{LoadBlocks, SaveBlocks, Size};
use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::error::Result;
use crate::loading::Loading;
use crate::options::Options;
use crate::pointer::{LoadPointer, PointerHead};
use crate::registry::Polymorphic;
use crate::saving::Saving;
use crate::scalar::Scalar;
use crate::session::Session;
use crate::shape::{Class, Enum, Member, Shape};

/// Whether roots are saved and loaded through [`Erased`] in every format: in builds with debug assertions,
/// unless the feature `static-formats` is on. Then a type is compiled for one archive and not for each.
#[doc(hidden)]
pub const ERASES: bool = cfg!(all(debug_assertions, not(feature = "static-formats")));

/// Any archive, behind one type that trait objects can name.
pub struct Erased<'a>(Inner<'a>);

enum Inner<'a> {
    Saving(Saving<'a, dyn Encoder + 'a>),
    Loading(Loading<'a, dyn Decoder + 'a>),
    Tool(&'a mut (dyn Tool + 'a)),
}

impl<'a> Erased<'a> {
    /// An archive that saves into an encoder, for formats with archives of their own.
    #[doc(hidden)]
    pub fn over(
        encoder: &'a mut (dyn Encoder + 'a),
        session: &'a mut Session,
        options: &'a Options<'a>,
    ) -> Self {
        Erased(Inner::Saving(Saving::new(encoder, session, options)))
    }

    pub(crate) fn saving(saving: Saving<'a, dyn Encoder + 'a>) -> Self {
        Erased(Inner::Saving(saving))
    }
    pub(crate) fn loading(loading: Loading<'a, dyn Decoder + 'a>) -> Self {
        Erased(Inner::Loading(loading))
    }
    pub(crate) fn tool<A: Archive>(tool: &'a mut A) -> Self {
        Erased(Inner::Tool(tool))
    }
}

/// What goes on around a body while saving, which then runs on the erased archive itself: that is a good
/// deal faster than to erase the body on its way to the archive behind. `false` or `None` where that
/// has to be done.
impl Erased<'_> {
    fn try_begin_named(&mut self, info: &'static Member, typed: bool) -> Result<bool> {
        let Inner::Saving(ar) = &mut self.0 else { return Ok(false) };
        ar.begin_named(info, typed)?;
        Ok(true)
    }
    fn try_begin_object(&mut self, class: &'static Class) -> Result<Option<u32>> {
        let Inner::Saving(ar) = &mut self.0 else { return Ok(None) };
        ar.begin_object(class).map(Some)
    }
    fn end_object(&mut self, class: &'static Class, outer: u32, saved: Result) -> Result {
        let Inner::Saving(ar) = &mut self.0 else { return saved };
        ar.end_object(class, outer, saved)
    }
    /// Says which items were counted one by one.
    fn try_begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<usize>> {
        let Inner::Saving(ar) = &mut self.0 else { return Ok(None) };
        ar.begin_seq(shape, len)?;
        Ok(Some(ar.session_mut().begin_items(len)))
    }
    fn try_begin_item(&mut self) -> Result<bool> {
        let Inner::Saving(ar) = &mut self.0 else { return Ok(false) };
        let (session, options) = ar.parts_mut();
        session.count_uncounted(options)?;
        ar.begin_item()?;
        Ok(true)
    }
    fn end_seq(&mut self, outer: usize) -> Result {
        let Inner::Saving(ar) = &mut self.0 else { return Ok(()) };
        ar.session_mut().uncounted = outer;
        ar.end_seq()
    }
    fn try_begin_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
    ) -> Result<bool> {
        let Inner::Saving(ar) = &mut self.0 else { return Ok(false) };
        ar.begin_option(shape, present, null)?;
        Ok(true)
    }
    fn end_some(&mut self, null: bool) -> Result {
        let Inner::Saving(ar) = &mut self.0 else { return Ok(()) };
        ar.end_some(null)
    }
}

// `try_over`, `found` and `fills_in_place` are the provided ones: what is erased asks for members in the
// order of the type, so none is found by its name, nothing is loaded on trial, and a new item may be put
// in its place only where everything is `overwrites`.
impl Archive for Erased<'_> {
    fn is_loading(&self) -> bool {
        self.is_loading_erased()
    }
    fn is_saving(&self) -> bool {
        self.is_saving_erased()
    }
    fn erased(&mut self) -> Erased<'_> {
        Erased(match &mut self.0 {
            Inner::Saving(ar) => Inner::Saving(ar.dynamic()),
            Inner::Loading(ar) => Inner::Loading(ar.dynamic()),
            Inner::Tool(tool) => Inner::Tool(&mut **tool),
        })
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        self.parts_erased()
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        self.parts_mut_erased()
    }
    fn save_object(&mut self, object: &dyn Any) -> Result<bool> {
        self.save_object_erased(object)
    }
    fn save_owned(&mut self, object: &dyn Any) -> Result<bool> {
        self.save_owned_erased(object)
    }
    fn load_object(&mut self, object: &mut dyn Polymorphic) -> Result<bool> {
        self.load_object_erased(object)
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.slot_erased(name, shape, body)
    }
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.scalar_erased(value)
    }
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if !self.try_begin_named(info, B::TYPED)? {
            return self.named_erased(info, body);
        }
        match body.run(self) {
            Ok(()) => Ok(()),
            Err(error) => Err(error.in_member(info.name)),
        }
    }
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        if const { B::BLOCK.is_none() } {
            let Some(outer) = self.try_begin_object(class)? else {
                return self.object_erased(class, body);
            };
            let saved = body.run(self);
            return self.end_object(class, outer, saved);
        }
        match &mut self.0 {
            Inner::Saving(ar) => ar.object(class, body),
            Inner::Loading(ar) => ar.object(class, body),
            Inner::Tool(_) => self.object_erased(class, body),
        }
    }
    fn seq<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if const { B::BLOCK.is_none() } {
            let Some(outer) = self.try_begin_seq(shape, len)? else {
                return self.seq_erased(shape, len, body);
            };
            body.run(self)?;
            return self.end_seq(outer);
        }
        match &mut self.0 {
            Inner::Saving(ar) => ar.seq(shape, len, body),
            Inner::Loading(ar) => ar.seq(shape, len, body),
            Inner::Tool(_) => self.seq_erased(shape, len, body),
        }
    }
    fn overwrites(&mut self) -> bool {
        match &mut self.0 {
            Inner::Loading(ar) => ar.overwrites(),
            _ => false,
        }
    }
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        match &mut self.0 {
            Inner::Saving(ar) => ar.save_blocks(values),
            _ => Ok(false),
        }
    }
    fn save_whole_block(&mut self, block: &[u8], size: Size) -> Result<bool> {
        match &mut self.0 {
            Inner::Saving(ar) => ar.save_whole_block(block, size),
            _ => Ok(false),
        }
    }
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        match &mut self.0 {
            Inner::Loading(ar) => ar.load_blocks(values),
            _ => Ok(false),
        }
    }
    fn version(&self) -> u32 {
        self.version_erased()
    }
    fn size_hint(&self) -> usize {
        self.size_hint_erased()
    }
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        if !self.try_begin_item().map_err(|error| error.in_item(index))? {
            return self.item_erased(index, body);
        }
        match body.run(self) {
            Ok(()) => Ok(true),
            Err(error) => Err(error.in_item(index)),
        }
    }
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        self.map_erased(shape, len, body)
    }
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.entry_erased(index, key, value)
    }
    fn option<B: Body>(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
        body: &mut B,
    ) -> Result<bool> {
        if !self.try_begin_option(shape, present, null)? {
            return self.option_erased(shape, present, null, body);
        }
        if present {
            body.run(self)?;
            self.end_some(null)?;
        }
        Ok(present)
    }
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        self.variant_erased(info, body)
    }
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        self.save_pointer_erased(head, body)
    }
    fn defers(&self) -> bool {
        self.defers_erased()
    }
    fn fixed_members(&self) -> bool {
        self.fixed_members_erased()
    }
    fn fixed_shape(&self) -> bool {
        self.fixed_shape_erased()
    }
    fn refuses_twins(&self) -> bool {
        self.refuses_twins_erased()
    }
    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        self.save_key_erased(name, body)
    }
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        self.load_key_erased(body)
    }
    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        self.load_any_erased(target)
    }
    fn load_body<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.load_body_erased(id, body)
    }
    fn settle(&mut self) -> Result {
        self.settle_erased()
    }
    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.load_pointer_erased(target)
    }
}
