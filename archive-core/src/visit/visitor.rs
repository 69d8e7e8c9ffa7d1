//! [`Visitor`]: the steps in which values are visited.
// Why: docs/decisions/archives-and-bodies.md#the-steps-are-an-object-safe-trait

use std::any::Any;

use crate::model::block_size::{Asked, BlockSize};
use crate::model::columns::{NewItem, Taken};
use crate::model::error::{Error, Result};
use crate::model::head::PointerHead;
use crate::model::members::{Lookup, Seen};
use crate::model::scalar::Scalar;
use crate::model::shape::{About, Class, Enum, Member, Payload, Property, Shape, Variant};
use crate::state::options::Options;
use crate::visit::erased::ErasedBody;
use crate::visit::facts::Step;
use crate::visit::guide::Begun;
use crate::visit::polymorphic::Polymorphic;
use crate::visit::session::{BeforeAttempt, Session};
use crate::visit::walk::{Room, SaveRoom};

/// The length of a sequence whose length is not known when it is opened.
pub const UNCOUNTED: usize = usize::MAX;

/// A function that takes that many values from the columns of a block. Returns `false` if it cannot.
pub type TakeRows<'t> =
    dyn FnMut(&mut [Taken<'_>], usize, (&mut Session, &Options<'_>)) -> bool + 't;

/// The steps of an [`Archive`](crate::Archive): the actions before and after each part of a value.
///
/// A tool that visits values in memory implements this trait, and [`Walk`](crate::Walk) with only
/// its direction. Three methods are required: [`scalar`](Visitor::scalar) receives each scalar,
/// [`parts`](Visitor::parts) and [`parts_mut`](Visitor::parts_mut) return the state of the run and
/// the options. The other methods have defaults that visit everything. A tool overrides only the
/// steps it needs.
///
/// ```
/// use archive::format::Session;
/// use archive::tool::{Saves, Scalar, Visitor, Walk};
/// use archive::{Archive, Options, Result};
///
/// /// Counts numbers.
/// #[derive(Default)]
/// struct Count<'o>(usize, Session, Options<'o>);
///
/// impl Visitor for Count<'_> {
///     fn parts(&self) -> (&Session, &Options<'_>) {
///         (&self.1, &self.2)
///     }
///     fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
///         (&mut self.1, &self.2)
///     }
///     fn scalar(&mut self, _: Scalar<'_>) -> Result {
///         self.0 += 1;
///         Ok(())
///     }
/// }
/// impl Walk for Count<'_> {
///     type Way = Saves;
/// }
///
/// let mut count = Count::default();
/// count.save("values", &(1, [2.0, 3.0], '4'))?;
/// assert_eq!(count.0, 4);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// A shared object is visited once, at its first pointer. A tool must limit the depth of nesting
/// itself ([`Session::enter`] counts levels).
///
/// Formats do not implement this trait. They implement [`Encoder`](crate::Encoder) and
/// [`Decoder`](crate::Decoder), and [`Saving`](crate::Saving) and [`Loading`](crate::Loading) turn
/// these into archives.
pub trait Visitor {
    // ---- properties of the visitor ------------------------------------------------------------

    /// Returns whether values are filled from the visitor. They are read (saved, printed, compared)
    /// otherwise.
    fn loads(&self) -> bool {
        false
    }

    /// Returns the state of this run (pointers, reports) and the caller's options.
    fn parts(&self) -> (&Session, &Options<'_>);

    /// Like [`parts`](Visitor::parts), with a mutable session.
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>);

    /// Returns the version of the object that is being visited.
    fn current_version(&self) -> u32 {
        self.parts().0.version()
    }

    /// Returns whether every member of the object being saved must be written, because the format
    /// finds members by position.
    fn fixed_members(&self) -> bool {
        false
    }

    /// Returns whether the value about to be saved must have the shape that was announced. If so, a
    /// map cannot be saved as an object, nor a variant under another name.
    fn fixed_shape(&self) -> bool {
        false
    }

    /// Returns whether the object of a pointer must be written later, because the pointer is nested
    /// too deeply.
    fn defers(&self) -> bool {
        false
    }

    // ---- values without parts ------------------------------------------------------------------

    /// Saves or loads one scalar in the current place.
    fn scalar(&mut self, value: Scalar<'_>) -> Result;

    /// Takes the items of the sequence just begun from columns, block by block. Returns `false` if they
    /// must be loaded one by one.
    #[doc(hidden)]
    fn take_columns(&mut self, item: NewItem, take: &mut TakeRows<'_>) -> Result<bool> {
        let _ = (item, take);
        Ok(false)
    }

    // ---- members -------------------------------------------------------------------------------

    /// Called before the value of a member.
    fn begin_member(&mut self, name: &str, shape: &'static Shape) -> Result<Begun> {
        let _ = (name, shape);
        Ok(Begun::Here)
    }

    /// Called after the value of a member. `done` is the outcome of the value; an error gets the
    /// position and the name of the member. The call may be left out after a success, if the
    /// visitor does nothing else here: see
    /// [`ArchiveKind::ends_parts`](crate::ArchiveKind::ends_parts).
    #[inline(always)]
    fn end_member(&mut self, name: &str, done: Result) -> Result {
        match done {
            Ok(()) => Ok(()),
            Err(error) => Err(self.locate_error(error).in_member(name)),
        }
    }

    /// Called after the members of an object, for each of its properties. Returns whether to visit
    /// the property, as a member.
    #[doc(hidden)]
    #[inline]
    fn property(&mut self, property: &'static Property) -> bool {
        let _ = property;
        false
    }

    /// Called before an object or an enum if some of its members have a `show_if`, with the description of its
    /// type.
    #[doc(hidden)]
    #[inline]
    fn shown(&mut self, object: &dyn Any, shape: &'static Shape, about: &'static About) {
        let _ = (object, shape, about);
    }

    // ---- objects -------------------------------------------------------------------------------

    /// Called before the members of an object. Returns the state that
    /// [`end_object`](Visitor::end_object) restores, or `None` if the object is visited
    /// [elsewhere](Visitor::elsewhere).
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        let (session, options) = self.parts_mut();
        let version = session.set_version(options.settings().targets().version_of(class));
        Ok(Some(OuterState { version, ..OuterState::default() }))
    }

    /// Called after the members of an object.
    fn end_object(&mut self, class: &'static Class, outer: OuterState, done: Result) -> Result {
        let _ = class;
        self.parts_mut().0.set_version(outer.version);
        done
    }

    // ---- sequences and maps --------------------------------------------------------------------

    /// Called before the items of a sequence. When saving, `len` is the number of items, or
    /// [`UNCOUNTED`](crate::encoder::UNCOUNTED) for a list whose length is known only at its end.
    /// Returns the state that [`end_seq`](Visitor::end_seq) restores, or `None` if the sequence is
    /// visited [elsewhere](Visitor::elsewhere).
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<OuterState>> {
        let _ = (shape, len);
        Ok(Some(OuterState::default()))
    }

    /// Like [`begin_seq`](Visitor::begin_seq), for a list whose items have the size `size` and whose
    /// bytes exist already as `block`. Returns [`Begun::Over`] if the list was saved whole.
    #[doc(hidden)]
    fn begin_list(
        &mut self,
        shape: &'static Shape,
        len: usize,
        block: &[u8],
        size: BlockSize,
    ) -> Result<(Begun, OuterState)> {
        let _ = (block, size);
        Ok(match self.begin_seq(shape, len)? {
            Some(outer) => (Begun::Here, outer),
            None => (Begun::Elsewhere, OuterState::default()),
        })
    }

    /// Returns the bytes of all items of the list here, if it can be loaded whole: the items have the
    /// size `size`, and their bytes are a block. The cursor of the archive does not move.
    #[doc(hidden)]
    fn peek_list(&self, size: BlockSize) -> Option<&[u8]> {
        let _ = size;
        None
    }

    /// Moves past the list of [`peek_list`](Visitor::peek_list), which has `count` items.
    #[doc(hidden)]
    fn pass_list(&mut self, count: usize, size: BlockSize) {
        let _ = (count, size);
    }

    /// Called after the items of a sequence.
    fn end_seq(&mut self, outer: OuterState, len: usize) -> Result {
        let _ = (outer, len);
        Ok(())
    }

    /// Called before an item of a sequence. When loading, returns [`Begun::Over`] if there is none.
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        let _ = index;
        Ok(Begun::Here)
    }

    /// Called after an item of a sequence. An error gets the position and the index of the item.
    #[inline(always)]
    fn end_item(&mut self, index: usize, done: Result) -> Result {
        match done {
            Ok(()) => Ok(()),
            Err(error) => Err(self.locate_error(error).in_item(index)),
        }
    }

    /// Returns the number of items that are left in the current sequence or map while loading, as
    /// far as it is known. The input can hold that many, so it is safe to reserve room for them.
    fn size_hint(&self) -> usize {
        0
    }

    // ---- options and variants ------------------------------------------------------------------

    /// Called before an optional value. When saving, `present` is whether there is a value, and
    /// `null` is whether the value is itself null and must therefore be wrapped (`{"$some":null}`).
    /// When loading, `null` is whether values of the type may be null. Returns [`Begun::Over`] if
    /// there is no value, and whether the value is wrapped.
    fn begin_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
    ) -> Result<(Begun, bool)> {
        let _ = (shape, null);
        if present {
            return Ok((Begun::Here, false));
        }
        self.scalar(Scalar::Unit)?;
        Ok((Begun::Over, false))
    }

    /// Called after the value of an option that has one.
    fn end_some(&mut self, null: bool, wrapped: bool) -> Result {
        let _ = (null, wrapped);
        Ok(())
    }

    /// Called before the payload of an enum. `current` is the variant of the value, and `typed` is
    /// whether the payload's type is known not to be self-describing. Returns the index of the
    /// variant, or `None` if the enum is visited [elsewhere](Visitor::elsewhere).
    fn begin_variant(
        &mut self,
        info: &'static Enum,
        current: usize,
        typed: bool,
    ) -> Result<Option<usize>> {
        let _ = typed;
        let variant = info.variant(current)?;
        if matches!(variant.payload, Payload::Unit) {
            self.scalar(Scalar::Str(variant.name))?;
        } else {
            self.begin_member(variant.name, &Shape::Any)?;
        }
        Ok(Some(current))
    }

    /// Called after the payload of an enum, if its variant has one.
    fn end_variant(
        &mut self,
        info: &'static Enum,
        variant: &'static Variant,
        done: Result,
    ) -> Result {
        let _ = info;
        self.end_member(variant.name, done)
    }

    // ---- pointers ------------------------------------------------------------------------------

    /// Called before the object of a pointer that is saved, or in place of the object if the
    /// [head](PointerHead::has_pointee) says that it does not follow.
    fn begin_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        let _ = head;
        Ok(())
    }

    /// Called after the object of a pointer, if it is saved there.
    fn end_pointer(&mut self, head: &PointerHead<'_>, done: Result) -> Result {
        let _ = head;
        done
    }

    // ---- for the archives of formats ----------------------------------------------------------

    /// Like [`begin_member`](Visitor::begin_member), for a member whose description is known at
    /// compile time. `typed` is whether its type is known not to be self-describing. By default it
    /// calls [`begin_member`](Visitor::begin_member).
    #[doc(hidden)]
    fn begin_named(&mut self, info: &'static Member, typed: bool) -> Result<Begun> {
        let _ = (info, typed);
        Ok(Begun::Elsewhere)
    }

    /// Adds the position of the current value to the error.
    #[doc(hidden)]
    fn locate_error(&mut self, error: Error) -> Error {
        error
    }

    /// Runs a body that cannot run on this archive itself, with the steps before and after it.
    /// Called after the step has returned [`Begun::Elsewhere`] or `None`.
    #[doc(hidden)]
    fn elsewhere(&mut self, step: Step, body: &mut dyn ErasedBody) -> Result<bool> {
        let _ = (step, body);
        Err(Error::custom("internal error: this visitor does not send values elsewhere"))
    }

    /// Returns whether the input is known to hold every part of the current value. Such a value can
    /// be loaded over an old one, and nothing of the old content remains. Each type is responsible
    /// for the fields that it does not save.
    #[doc(hidden)]
    fn overwrites(&mut self) -> bool {
        false
    }

    /// Begins to load over an old value in place, on the assumption that the input holds every part
    /// of the value. Returns `None` if the archive does not do so; the caller must then load the
    /// value into a blank one.
    #[doc(hidden)]
    fn begin_attempt(&mut self) -> Option<BeforeAttempt> {
        None
    }

    /// Ends the attempt. `done` is the outcome of the value. Returns `false` if not everything was
    /// loaded; the caller must then load the value from the beginning, into a blank one.
    #[doc(hidden)]
    fn end_attempt(&mut self, before: BeforeAttempt, done: Result) -> Result<bool> {
        let _ = before;
        done.map(|()| true)
    }

    /// Returns whether the format itself refuses to save an object with two members of the same
    /// name.
    #[doc(hidden)]
    fn refuses_duplicates(&self) -> bool {
        false
    }

    /// Returns the class of the object whose hand-written function is running on this archive.
    #[doc(hidden)]
    fn members_of(&self) -> Option<&'static Class> {
        None
    }

    /// Called after a value was loaded and before the program uses it. If the value is the root,
    /// this loads the objects to which pointers refer and that were not read yet.
    #[doc(hidden)]
    fn resolve_pending(&mut self) -> Result {
        Ok(())
    }

    /// Saves the object of a trait object with a function that was compiled for its type and this
    /// archive. Returns `false`, and writes nothing, if there is no such function.
    #[doc(hidden)]
    #[inline]
    fn save_object(&mut self, object: &dyn Any) -> Result<bool> {
        let _ = object;
        Ok(false)
    }

    /// Like [`save_object`](Visitor::save_object), and also writes the head of the pointer that
    /// owns the object.
    #[doc(hidden)]
    #[inline]
    fn save_owned(&mut self, object: &dyn Any) -> Result<bool> {
        let _ = object;
        Ok(false)
    }

    /// Loads the object of a trait object with a function compiled for its type and this archive.
    /// Returns `false` if there is none.
    #[doc(hidden)]
    #[inline]
    fn load_object(&mut self, object: &mut dyn Polymorphic) -> Result<bool> {
        let _ = object;
        Ok(false)
    }

    // ---- members in the order of the file -------------------------------------------------------

    /// Called before the members of an object that are loaded in file order. Returns the version of
    /// the outer object, or `None` if the object is loaded [elsewhere](Visitor::elsewhere).
    #[doc(hidden)]
    fn begin_members(&mut self, class: &'static Class, seen: &mut Seen) -> Result<Option<u32>> {
        let _ = (class, seen);
        Ok(None)
    }

    /// Moves to the next member that the type has.
    #[doc(hidden)]
    fn next_member(&mut self, lookup: &'static Lookup, seen: &mut Seen) -> Result<Option<usize>> {
        let _ = (lookup, seen);
        Ok(None)
    }

    /// Handles a member of the type that the file does not have.
    ///
    /// # Errors
    /// An error if the member is required.
    #[doc(hidden)]
    fn absent_member(&mut self, info: &'static Member) -> Result {
        let _ = info;
        Ok(())
    }

    /// Called after the members.
    #[doc(hidden)]
    fn end_members(
        &mut self,
        class: &'static Class,
        outer: u32,
        seen: &mut Seen,
        done: Result,
    ) -> Result {
        let _ = (class, outer, seen);
        done
    }

    /// Returns whether the value of a member that was found is loaded
    /// [elsewhere](Visitor::elsewhere).
    #[doc(hidden)]
    fn begin_found(&mut self) -> bool {
        false
    }

    // ---- blocks --------------------------------------------------------------------------------

    /// Called before a value of a known size that is saved as a block. Returns the room for it, or
    /// `None` if the value must be saved part by part.
    #[doc(hidden)]
    fn begin_save_block(&mut self, asked: Asked, size: BlockSize) -> Result<Option<SaveRoom<'_>>> {
        let _ = (asked, size);
        Ok(None)
    }

    /// Called after a value was saved as a block, if the [room](SaveRoom::ends) requires it.
    #[doc(hidden)]
    fn end_save_block(&mut self) -> Result {
        Ok(())
    }

    /// Saves all items of the sequence just begun as one block whose bytes exist already; each item
    /// has the size `size`. Returns `false` if this archive saves items one by one.
    #[doc(hidden)]
    fn save_whole_block(&mut self, block: &[u8], size: BlockSize) -> Result<bool> {
        let _ = (block, size);
        Ok(false)
    }

    /// Called before a value of a known size that is loaded from a block. Returns the block, or
    /// `None` if the value must be loaded part by part.
    #[doc(hidden)]
    fn begin_load_block(&mut self, asked: Asked, size: BlockSize) -> Result<Option<Room<'_>>> {
        let _ = (asked, size);
        Ok(None)
    }

    /// Called after a value could not be loaded from a block. Moves back to the block, if the value
    /// must be loaded part by part, or completes the error.
    #[doc(hidden)]
    fn leave_load_block(&mut self, asked: Asked, at: u64, error: Option<Error>) -> Result {
        let _ = (asked, at);
        error.map_or(Ok(()), Err)
    }
}

/// The state of a visitor that is restored at the end of an object or a sequence.
#[derive(Clone, Copy, Debug, Default)]
pub struct OuterState {
    /// The version of the outer object.
    pub version: u32,
    /// Whether the archive was inside a block.
    #[doc(hidden)]
    pub in_block: bool,
    /// The number of items of the outer sequence that are left, or that were counted one by one.
    #[doc(hidden)]
    pub items: u64,
}
