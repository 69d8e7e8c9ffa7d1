//! [`Walk`]: the methods that receive bodies, between the steps of a [`Visitor`].
// Why: docs/decisions/archives-and-bodies.md#maps-variants-and-loaded-pointers-have-no-steps

mod kind;
mod parts;

use std::marker::PhantomData;

/// Runs a body on the archive to which its own archive has sent it. Returns `false` if there is no
/// value.
// A function would be one more instance for each body.
macro_rules! elsewhere {
    ($archive:ident, $step:expr, $body:ident) => {
        if const { Self::KIND.elsewhere.direct } {
            $archive.run_elsewhere($step, $body)
        } else {
            $archive.elsewhere($step, &mut On::<Self::Way, _>($body, PhantomData))
        }
    };
}

pub use kind::{ArchiveKind, Blocks, Elsewhere};
pub use parts::{Room, SaveRoom};
pub(crate) use parts::{block_of, save_body};

use crate::model::block_size::{Asked, BlockSize};
use crate::model::columns::Columns;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::PointerHead;
use crate::model::scalar::Scalar;
use crate::model::shape::{Class, Enum, Member, Payload, Shape};
use crate::state::options::Options;
use crate::visit::blank::Element;
use crate::visit::block::{LoadBlocks, SaveBlocks};
use crate::visit::body::{Body, Keyed, LoadAny, LoadPointer, PayloadOf, Variants};
use crate::visit::erased::{DynBody, Erased, ErasedBody, On, Way, loads};
use crate::visit::facts::{BodyFacts, Step};
use crate::visit::guide::{Begun, Guide, Route};
use crate::visit::serialize::bodies::Pair;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::Session;
use crate::visit::visitor::{OuterState, Visitor};

/// The methods of an archive that receive a [`Body`]: the parts of a value, between the steps
/// before and after them. They are compiled for each archive and each body. The functions of
/// standard types and generated code call them.
///
/// A tool implements [`Visitor`], and of this trait only the direction. An archive that sends
/// bodies elsewhere, or that knows more about them, also sets its [`KIND`](Walk::KIND) and
/// overrides the methods that its kind allows.
pub trait Walk: Visitor + Sized {
    /// The direction: [`Saves`](crate::Saves), [`Loads`](crate::Loads), or
    /// [`Either`](crate::Either) if it is known only at run time.
    type Way: Way;

    /// How the archive treats bodies.
    #[doc(hidden)]
    const KIND: ArchiveKind = ArchiveKind::TOOL;

    /// Returns the state of this run.
    fn session(&self) -> &Session {
        self.parts().0
    }

    /// Returns the state of this run for modification.
    fn session_mut(&mut self) -> &mut Session {
        self.parts_mut().0
    }

    /// Returns the caller's options.
    fn options(&self) -> &Options<'_> {
        self.parts().1
    }

    // ---- members -------------------------------------------------------------------------------

    /// Saves or loads a member by its name: [`Archive::serialize`](crate::Archive::serialize).
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_name<T: Serialize + ?Sized>(&mut self, name: &str, mut value: &mut T) -> Result {
        self.slot(name, T::SHAPE, &mut value)
    }

    /// Saves or loads the member `name`: runs `body` on its value. Does not run it if the input has no such member.
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        match self.begin_member(name, shape)? {
            Begun::Over | Begun::Skip => Ok(()),
            Begun::Elsewhere => elsewhere!(self, Step::Slot, body).map(drop),
            Begun::Here => {
                let done = body.run(self);
                self.end_member(name, done)
            }
        }
    }

    /// Runs `body` on a member whose description is known at compile time.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        match self.begin_named(info, B::FACTS.typed)? {
            Begun::Here => {
                let done = body.run(self);
                self.end_member(info.name, done)
            }
            Begun::Over | Begun::Skip => Ok(()),
            Begun::Elsewhere if const { Self::KIND.elsewhere.never_for(B::FACTS.typed) } => Ok(()),
            Begun::Elsewhere => elsewhere!(self, Step::Named(info), body).map(drop),
        }
    }

    /// Runs a body of the erased archive on a member after [`begin_named`](Visitor::begin_named) has
    /// returned [`Begun::Elsewhere`].
    #[doc(hidden)]
    fn named_elsewhere(&mut self, info: &'static Member, body: &mut dyn ErasedBody) -> Result {
        if const { Self::KIND.elsewhere.direct } {
            return self.named(info, &mut DynBody(body));
        }
        self.elsewhere(Step::Named(info), body).map(drop)
    }

    /// Runs `body` on the value of a member that was found: the step of [`named`](Walk::named)
    /// after finding the member.
    #[inline]
    fn found<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if const { Self::KIND.locates } && self.begin_found() {
            return elsewhere!(self, Step::Found(info), body).map(drop);
        }
        match body.run(self) {
            Err(error) if const { Self::KIND.locates } => {
                Err(self.locate_error(error).in_member(info.name))
            }
            done => done,
        }
    }

    /// Saves a member of an object whose names are data. `name` may be any text, including `$`.
    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        self.slot(name, &Shape::Any, body)
    }

    /// Loads the next member of an object whose names are data. Returns `false` if there is none.
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        let _ = body;
        Err(does_not_load())
    }

    // ---- objects, sequences and maps -----------------------------------------------------------

    /// Saves or loads an object. `body` visits its members.
    #[inline]
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        if const { B::FACTS.block.is_some() } {
            if block_of(self, Asked::Class(class), body)?
                || const { matches!(Self::KIND.blocks, Blocks::Always) }
            {
                return Ok(());
            }
            if const { matches!(Self::KIND.blocks, Blocks::Mostly) } {
                return parts::by_parts(self, class, body);
            }
        }
        if const { Self::KIND.chooses_order && B::FACTS.lookup.is_some() } {
            return match parts::in_any_order(self, class, body) {
                Ok(true) => Ok(()),
                Ok(false) => elsewhere!(self, Step::Object(class), body).map(drop),
                Err(error) => Err(error),
            };
        }
        if const { Self::KIND.takes_by_hand && matches!(B::FACTS.by_hand, Some(true)) } {
            return self.object_by_hand(class, body);
        }
        match self.begin_known_object(class, const { &B::FACTS })? {
            Some(outer) => {
                let done = body.run(self);
                self.end_object(class, outer, done)
            }
            None if const { Self::KIND.elsewhere.never(&B::FACTS) } => Ok(()),
            None => elsewhere!(self, Step::Object(class), body).map(drop),
        }
    }

    /// Like [`object`](Walk::object), for the members of a hand-written function, if the archive
    /// has a [separate method](ArchiveKind::takes_by_hand) for them.
    #[doc(hidden)]
    fn object_by_hand<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let _ = (class, body);
        Err(misuse())
    }

    /// Begins the objects of all items of a list at once, if the archive writes nothing before and
    /// after an object. Returns the state for [`end_objects`](Walk::end_objects), which follows
    /// the items.
    #[doc(hidden)]
    #[inline(always)]
    fn begin_objects(&mut self, class: &'static Class) -> Option<OuterState> {
        let _ = class;
        None
    }
    /// Ends the objects of the items of a list.
    #[doc(hidden)]
    #[inline(always)]
    fn end_objects(&mut self, class: &'static Class, around: OuterState) -> Result {
        let _ = (class, around);
        Ok(())
    }

    /// Saves or loads a sequence of the given shape. `body` visits its items. When saving, `len` is
    /// the number of items, or [`UNCOUNTED`](crate::encoder::UNCOUNTED) for a list whose length
    /// is known only at its end.
    #[inline]
    fn seq<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if const { Self::KIND.guided } && self.passes() {
            return body.run(self);
        }
        if const { B::FACTS.block.is_some() } {
            if block_of(self, Asked::Shape(shape), body)?
                || const { matches!(Self::KIND.blocks, Blocks::Always) }
            {
                return Ok(());
            }
            if const { matches!(Self::KIND.blocks, Blocks::Mostly) } {
                return parts::seq_by_parts(self, shape, len, body);
            }
        }
        if let Some(size) = const { if Self::KIND.takes_bytes { B::FACTS.item } else { None } }
            && loads!(Self, self)
            && let Some(block) = self.peek_list(size)
        {
            let count = block.len() / size.bytes;
            if body.take_block(block) {
                self.pass_list(count, size);
                return Ok(());
            }
        }
        let begun = if let Some(size) =
            const { if Self::KIND.gives_bytes { B::FACTS.item } else { None } }
            && let Some(block) = body.as_block()
        {
            match self.begin_list(shape, len, block, size)? {
                (Begun::Here, outer) => Some(outer),
                (Begun::Elsewhere, _) => None,
                (Begun::Over | Begun::Skip, _) => return Ok(()),
            }
        } else {
            self.begin_known_seq(shape, len, const { &B::FACTS })?
        };
        match begun {
            Some(outer) => {
                body.run(self)?;
                self.end_seq(outer, len)
            }
            None if const { Self::KIND.elsewhere.never(&B::FACTS) } => Ok(()),
            None => elsewhere!(self, Step::Seq(shape, len), body).map(drop),
        }
    }

    /// Saves or loads the next item of a sequence. When loading, returns `false` if there is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        match self.begin_known_item(index)? {
            Begun::Here => {
                let done = body.run(self);
                match self.end_item(index, done) {
                    Ok(()) => Ok(true),
                    Err(error) => Err(error),
                }
            }
            Begun::Over => Ok(false),
            Begun::Skip => Ok(true),
            Begun::Elsewhere if const { !Self::KIND.elsewhere.always } => Ok(false),
            Begun::Elsewhere => elsewhere!(self, Step::Item(index), body),
        }
    }

    /// Saves or loads a map. `body` visits its entries with [`entry`](Walk::entry). When saving,
    /// `len` is the number of entries, or [`UNCOUNTED`](crate::encoder::UNCOUNTED), which some
    /// formats refuse.
    ///
    /// # Errors
    /// Errors of the body and of the archive;
    /// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) from the binary formats for a map
    /// of unknown length.
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        self.run_elsewhere(Step::Map(shape, len), body).map(drop)
    }

    /// Saves or loads the next entry of a map: `key`, then `value`. When loading, returns `false`
    /// if there is none.
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.item(index, &mut Pair(key, value))
    }

    // ---- options and variants ------------------------------------------------------------------

    /// Saves or loads an optional value. `body` runs if there is a value.
    ///
    /// When saving, `present` is whether there is a value, and `null` is whether the value is
    /// itself null and must therefore be wrapped (`{"$some":null}`). When loading, `null` is
    /// whether values of the type may be null, and the result is whether there was a value.
    #[inline]
    fn option<B: Body>(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
        body: &mut B,
    ) -> Result<bool> {
        match self.begin_known_option(shape, present, null, const { &B::FACTS })? {
            (Begun::Here, wrapped) => {
                body.run(self)?;
                self.end_some(null, wrapped)?;
                Ok(true)
            }
            (Begun::Over | Begun::Skip, _) => Ok(false),
            (Begun::Elsewhere, _) if const { Self::KIND.elsewhere.never(&B::FACTS) } => Ok(false),
            (Begun::Elsewhere, _) => elsewhere!(self, Step::Option(shape, present, null), body),
        }
    }

    /// Saves or loads an enum value.
    ///
    /// # Errors
    /// Errors of the payload and of the archive; when loading, an error for an unknown variant
    /// name.
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        if let Some(index) = self.begin_variant(info, body.current(), B::NEVER_ANY)? {
            return self.payload(info, index, body);
        }
        if const { Self::KIND.elsewhere.never_for(B::NEVER_ANY) } {
            return Ok(());
        }
        if const { !Self::KIND.elsewhere.always } {
            let index = body.current();
            let mut payload = PayloadOf(body);
            let run = &mut On::<Self::Way, _>(&mut payload, PhantomData);
            return self.elsewhere(Step::Variant(info, index), run).map(drop);
        }
        let variant = info.variant(body.current())?;
        match variant.payload {
            Payload::Unit => self.scalar(Scalar::Str(variant.name)),
            _ => self.slot(variant.name, &Shape::Any, &mut PayloadOf(body)),
        }
    }

    /// The part of [`variant`](Walk::variant) that visits the payload of the variant `index`, if
    /// it has one.
    #[doc(hidden)]
    #[inline]
    fn payload<B: Variants>(&mut self, info: &'static Enum, index: usize, body: &mut B) -> Result {
        let stays = |body: &B| self.guide().is_some() && body.current() == index;
        if self.loads() && !body.reuses(index) && !stays(body) {
            body.select(index, self.options())?;
        }
        let variant = info.variant(index)?;
        if matches!(variant.payload, Payload::Unit) {
            return Ok(());
        }
        let done = body.payload(self);
        self.end_variant(info, variant, done)
    }

    /// Loads a value of any type.
    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        let _ = target;
        Err(does_not_load())
    }

    // ---- pointers ------------------------------------------------------------------------------

    /// Saves a pointer: its head and, if the head says that it follows, its object, which `body`
    /// visits.
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        self.begin_pointer(head)?;
        if !head.has_pointee() {
            return Ok(());
        }
        let done = body.run(self);
        self.end_pointer(head, done)
    }

    /// Saves the pointer to an object, and the object with it, at the end of the outermost pointer.
    #[doc(hidden)]
    fn defer<B: Body + 'static>(&mut self, mut body: B) {
        self.session_mut()
            .saved
            .defer(Some(Box::new(move |ar: &mut Erased<'_>| body.run(&mut ar.erase().saving()))));
    }

    /// Loads a pointer.
    ///
    /// # Errors
    /// Errors of the body and of the archive; an error for an id that is unknown or belongs to
    /// another type.
    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        let _ = target;
        Err(does_not_load())
    }

    /// Runs `body` on the pointer with which the object with the id `id` is stored, wherever in
    /// the input it is. Returns `false` if the input has none.
    fn load_pointee<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        let _ = (id, body);
        Ok(false)
    }

    // ---- blocks --------------------------------------------------------------------------------

    /// Saves a body with a [size](BodyFacts::block) as one block. Returns `false` if it must be
    /// saved part by part.
    #[doc(hidden)]
    #[inline(always)]
    fn save_body<B: Body>(&mut self, asked: Asked, size: BlockSize, body: &mut B) -> Result<bool> {
        let Some(room) = self.begin_save_block(asked, size)? else { return Ok(false) };
        let ends = room.ends;
        match if const { Self::KIND.gives_bytes } { body.as_block() } else { None } {
            Some(bytes) => room.append(bytes),
            None => room.save(asked, size, body)?,
        }
        if ends {
            self.end_save_block()?;
        }
        Ok(true)
    }

    /// Saves values of equal size as one block. Returns `false` if this archive saves them one by
    /// one.
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let _ = values;
        Ok(false)
    }

    /// Saves the items of the sequence just begun in columns, several at once. Returns `false` if
    /// they must be saved one by one.
    #[doc(hidden)]
    fn save_items<T: Save>(&mut self, items: &[T]) -> Result<bool> {
        let _ = items;
        Ok(false)
    }

    /// Loads the items of the sequence just begun from columns. Returns `false` if they must be loaded
    /// one by one.
    #[doc(hidden)]
    fn take_items<T: Element>(&mut self, into: &mut Vec<T>) -> Result<bool> {
        let _ = into;
        Ok(false)
    }

    /// Returns the columns in which the archive saves values, if it [does](ArchiveKind::gathers).
    #[doc(hidden)]
    #[inline(always)]
    fn columns(&mut self) -> Option<&mut Columns> {
        None
    }

    /// Loads all items of the sequence just begun from one block. Returns `false` if this archive
    /// loads them one by one.
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let _ = values;
        Ok(false)
    }

    // ---- hooks of the library's own archives -----------------------------------------------------

    /// Runs a body that cannot run on this archive itself, with the steps before and after it: like
    /// [`elsewhere`](Visitor::elsewhere), with the type of the body, for archives that have no
    /// steps. Returns `false` if there is no value.
    #[doc(hidden)]
    fn run_elsewhere<B: Body>(&mut self, step: Step, body: &mut B) -> Result<bool> {
        match step {
            Step::Named(info) => self.slot(info.name, info.shape.get(), body).map(|()| true),
            Step::Map(shape, len) => self.seq(shape, len, body).map(|()| true),
            _ => Err(misuse()),
        }
    }

    /// Returns this archive as one whose type is erased.
    #[doc(hidden)]
    fn erase(&mut self) -> Erased<'_> {
        Erased::new(self)
    }

    /// Returns where the archive is, if it reads or edits a value in place. Containers, pointers and
    /// trait objects are then visited in place, and no value starts blank.
    #[doc(hidden)]
    #[inline(always)]
    fn guide(&self) -> Option<Guide<'_>> {
        None
    }

    /// Begins a sequence without the archive, if the [path](Guide::Path) goes through the sequence
    /// to a place inside it.
    #[doc(hidden)]
    #[inline(always)]
    fn passes(&self) -> bool {
        false
    }

    /// Like [`begin_object`](Visitor::begin_object), for a body that is compiled for this archive.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_object(
        &mut self,
        class: &'static Class,
        facts: &BodyFacts,
    ) -> Result<Option<OuterState>> {
        let _ = facts;
        self.begin_object(class)
    }
    /// Like [`begin_seq`](Visitor::begin_seq), for a body that is compiled for this archive. An
    /// archive that counts all items here need not count them in
    /// [`begin_known_item`](Walk::begin_known_item).
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_seq(
        &mut self,
        shape: &'static Shape,
        len: usize,
        facts: &BodyFacts,
    ) -> Result<Option<OuterState>> {
        let _ = facts;
        self.begin_seq(shape, len)
    }
    /// Like [`begin_item`](Visitor::begin_item), for a sequence that was begun with
    /// [`begin_known_seq`](Walk::begin_known_seq).
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_item(&mut self, index: usize) -> Result<Begun> {
        self.begin_item(index)
    }
    /// Like [`begin_option`](Visitor::begin_option), for a body that is compiled for this archive.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
        facts: &BodyFacts,
    ) -> Result<(Begun, bool)> {
        let _ = facts;
        self.begin_option(shape, present, null)
    }
}

/// Returns the error for calls in an invalid order.
#[cold]
#[doc(hidden)]
pub fn misuse() -> Error {
    let message = "a `serialize` function must write each value inside one member or item";
    Error::new(ErrorKind::Unsupported, message)
}

#[cold]
fn does_not_load() -> Error {
    Error::custom("this archive does not load")
}

/// Returns whether a value is edited in place.
#[inline(always)]
pub(crate) fn stays<W: Walk>(ar: &W) -> bool {
    ar.guide().is_some()
}

/// Returns the path that the archive is on.
#[inline(always)]
pub(crate) fn route<W: Walk>(ar: &W) -> Option<&Route<'_>> {
    ar.guide().and_then(Guide::route)
}

/// Checks that no path goes into a value that can only be loaded as a whole.
///
/// # Errors
/// [`ErrorKind::ReadOnly`] if one does.
#[inline]
pub fn check_whole<W: Walk>(ar: &W) -> Result {
    match route(ar) {
        Some(route) if ar.loads() => {
            Err(route.refuse("a part of this value cannot be changed: change the value as a whole"))
        }
        _ => Ok(()),
    }
}
