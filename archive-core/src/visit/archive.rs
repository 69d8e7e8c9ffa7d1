//! [`Archive`]: the destination that data structures are saved to, or the source they are loaded
//! from.

use std::marker::PhantomData;

use crate::model::block_size::Asked;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::PointerHead;
use crate::model::members::{Lookup, Seen};
use crate::model::scalar::Scalar;
use crate::model::shape::{Class, Enum, Member, Payload, Shape};
use crate::state::options::Options;
use crate::visit::block::{LoadBlocks, SaveBlocks};
use crate::visit::body::LoadPointer;
pub use crate::visit::body::{Body, Keyed, LoadAny, PayloadOf, Variants};
use crate::visit::compiled::{Blocks, Elsewhere, Facts, InBlock as _, Step};
use crate::visit::erased::{DynBody, Erased, ErasedBody, On, Way};
use crate::visit::guide::{Begun, Guide};
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::Session;
use crate::visit::time::{SavedTimeOf, Time, TimeOf};
use crate::visit::visitor::{OuterState, Visitor};

/// A destination for data structures, or a source of them: a format being written, a format being
/// read, or a tool that visits values in memory.
///
/// A [`Serialize`] function calls [`serialize`](Archive::serialize) for each member and, where it
/// must branch, [`is_loading`](Archive::is_loading), [`version`](Archive::version) and
/// [`context`](Archive::context). The function visits members only. The library opens and closes
/// the object around them, which is why one function works in any format.
///
/// # Implementing it
///
/// Formats implement [`Encoder`](crate::Encoder) and [`Decoder`](crate::Decoder), and
/// [`Saving`](crate::Saving) and [`Loading`](crate::Loading) turn these into archives. A tool that
/// visits values in memory implements the steps of [`Visitor`], and of this trait nothing but the
/// direction.
pub trait Archive: Visitor + Sized {
    /// The constant answer of [`is_loading`](Archive::is_loading), if all archives of this type
    /// give the same one. Code for the other direction is then not compiled for this archive.
    #[doc(hidden)]
    const LOADS: Option<bool> = Self::Way::LOADS;

    /// The direction: [`Saves`](crate::Saves), [`Loads`](crate::Loads), or
    /// [`Either`](crate::Either) if it is known only at run time.
    type Way: Way;

    /// Whether [`end_item`](Visitor::end_item) does more than to complete errors. An erased archive
    /// calls it only then, or after an error.
    #[doc(hidden)]
    const ENDS_ITEMS: bool = true;

    /// Whether [`refuses_duplicates`](Visitor::refuses_duplicates) always returns `true`.
    #[doc(hidden)]
    const REFUSES_DUPLICATES: bool = false;

    // ---- for the functions of types ----------------------------------------------------------

    /// Returns whether values are filled from the archive.
    #[inline]
    fn is_loading(&self) -> bool {
        self.loads()
    }

    /// Returns whether values are read (saved, printed, compared) rather than filled.
    fn is_saving(&self) -> bool {
        !self.is_loading()
    }

    /// Saves or loads one member of the object that the current function describes.
    ///
    /// When loading, a member that the file does not have leaves `value` unchanged.
    ///
    /// # Errors
    /// Returns the archive's error, with the path to the member.
    #[inline]
    fn serialize<T: Serialize + ?Sized>(&mut self, name: &str, mut value: &mut T) -> Result {
        self.slot(name, T::SHAPE, &mut value)
    }

    /// Saves one member through a shared reference. [`Save`] functions written by hand call it.
    ///
    /// # Errors
    /// As [`Archive::serialize`].
    #[inline]
    fn save<T: Save + ?Sized>(&mut self, name: &str, mut value: &T) -> Result {
        self.slot(name, T::SHAPE, &mut value)
    }

    /// Saves or loads a point in time as its distance to the caller's [`Clock`](crate::Clock). The
    /// loaded time has the same distance to the clock of the loading program: see [`Time`].
    ///
    /// # Errors
    /// As [`Archive::serialize`]; [`ErrorKind::MissingContext`](crate::ErrorKind::MissingContext)
    /// without a clock.
    #[inline]
    fn time<T: Time>(&mut self, name: &str, value: &mut T) -> Result {
        self.slot(name, T::Distance::SHAPE, &mut TimeOf(value))
    }

    /// As [`time`](Archive::time), for [`Save`] functions written by hand.
    ///
    /// # Errors
    /// As [`Archive::time`].
    #[inline]
    fn save_time<T: Time>(&mut self, name: &str, value: &T) -> Result {
        self.slot(name, T::Distance::SHAPE, &mut SavedTimeOf(value))
    }

    /// Returns the version of the object that the current function describes. While loading, this
    /// is the version in the file (0 if the file has none); while saving, the version that is being
    /// written.
    fn version(&self) -> u32 {
        self.current_version()
    }

    /// Returns the value of type `T` that the caller put into the [`Options`], if any.
    fn context<T: 'static>(&self) -> Option<&T> {
        self.options().context::<T>()
    }

    /// As [`context`](Archive::context), for values that the function needs.
    ///
    /// # Errors
    /// [`ErrorKind::MissingContext`](crate::ErrorKind::MissingContext) if there is no such value.
    fn require<T: 'static>(&self) -> Result<&T> {
        self.options().require::<T>()
    }

    /// Returns a view of this archive that object-safe code, such as the methods of trait objects,
    /// can use.
    fn erased(&mut self) -> Erased<'_> {
        Erased::new(self)
    }

    // ---- for implementers: required ----------------------------------------------------------

    /// Runs `body` on the member `name`: on the place that it is saved to or loaded from.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        match self.begin_member(name, shape)? {
            Begun::Over | Begun::Skip => Ok(()),
            Begun::Elsewhere if const { Self::ELSEWHERE.direct } => {
                self.run_elsewhere(Step::Slot, body).map(drop)
            }
            Begun::Elsewhere => {
                let run = &mut On::<Self::Way, B>(body, PhantomData);
                self.elsewhere(Step::Slot, run).map(drop)
            }
            Begun::Here => {
                let done = body.run(self);
                self.end_member(name, done)
            }
        }
    }

    /// Runs a body where it cannot run on this archive itself, with what comes before and after it:
    /// as [`elsewhere`](Visitor::elsewhere), with the type of the body, for archives that have no
    /// steps. Returns `false` if there is no value.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    #[doc(hidden)]
    fn run_elsewhere<B: Body>(&mut self, step: Step, body: &mut B) -> Result<bool> {
        match step {
            Step::Named(info) => self.slot(info.name, info.shape.get(), body).map(|()| true),
            Step::Map(shape, len) => self.seq(shape, len, body).map(|()| true),
            _ => Err(misuse()),
        }
    }

    // ---- for implementers: provided, called by values -----------------------------------------

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

    /// Loads over an old value in place, if the input turns out to hold every part of the value:
    /// see [`overwrites`](Visitor::overwrites). Returns `false` if nothing or not everything was
    /// loaded; the caller must then load the value from the beginning, into a blank one.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    #[inline]
    fn try_over<B: Body>(&mut self, body: &mut B) -> Result<bool> {
        let _ = body;
        Ok(false)
    }

    /// Saves values of equal size as one block. Returns `false` if this archive takes them one by
    /// one.
    ///
    /// # Errors
    /// Those of the values.
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let _ = values;
        Ok(false)
    }

    /// Loads all items of the sequence just begun from one block. Returns `false` if this archive
    /// has them one by one.
    ///
    /// # Errors
    /// Those of the values and of the archive.
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let _ = values;
        Ok(false)
    }

    /// Saves or loads a member whose description is known at compile time. Derived functions call
    /// it.
    ///
    /// # Errors
    /// As [`Archive::serialize`].
    #[inline]
    fn member<T: Serialize + ?Sized>(
        &mut self,
        info: &'static Member,
        mut value: &mut T,
    ) -> Result {
        self.named(info, &mut value)
    }

    /// Saves a member through a shared reference; its description is known at compile time.
    ///
    /// # Errors
    /// As [`Archive::serialize`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn save_member<T: Save + ?Sized>(&mut self, info: &'static Member, mut value: &T) -> Result {
        self.named(info, &mut value)
    }

    /// Runs `body` on a member whose description is known at compile time.
    ///
    /// # Errors
    /// As [`Archive::serialize`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        match self.begin_named(info, B::NEVER_ANY)? {
            Begun::Here => {
                let done = body.run(self);
                self.end_member(info.name, done)
            }
            Begun::Over | Begun::Skip => Ok(()),
            Begun::Elsewhere => {
                // If the answer cannot be `Elsewhere`, `slot` is not compiled for each type.
                if const { Self::HERE || Self::BY_POSITION && B::NEVER_ANY } {
                    return Ok(());
                }
                if const { Self::ELSEWHERE.direct } {
                    return self.run_elsewhere(Step::Named(info), body).map(drop);
                }
                let run = &mut On::<Self::Way, B>(body, PhantomData);
                self.elsewhere(Step::Named(info), run).map(drop)
            }
        }
    }

    /// Runs a body of the erased archive on a member after [`begin_named`](Visitor::begin_named) has
    /// returned [`Begun::Elsewhere`].
    ///
    /// # Errors
    /// As [`Archive::serialize`].
    #[doc(hidden)]
    fn named_elsewhere(&mut self, info: &'static Member, body: &mut dyn ErasedBody) -> Result {
        if const { Self::ELSEWHERE.direct } {
            return self.named(info, &mut DynBody(body));
        }
        self.elsewhere(Step::Named(info), body).map(drop)
    }

    /// Runs `body` on the value of a member that was found: the step of [`named`](Archive::named)
    /// after finding the member.
    ///
    /// # Errors
    /// As [`Archive::serialize`].
    #[inline]
    fn found<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if const { Self::LOCATES } && self.begin_found() {
            let run = &mut On::<Self::Way, B>(body, PhantomData);
            return self.elsewhere(Step::Found(info), run).map(drop);
        }
        match body.run(self) {
            Err(error) if const { Self::LOCATES } => {
                Err(self.locate_error(error).in_member(info.name))
            }
            done => done,
        }
    }
    /// Whether the value of a member that was found may be loaded elsewhere, and errors in it get its
    /// place.
    #[doc(hidden)]
    const LOCATES: bool = false;

    /// Saves or loads an object. `body` visits its members.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    #[inline]
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        if const { B::BLOCK.is_some() } {
            if self.block(Asked::Class(class), body)?
                || const { matches!(Self::BLOCKS, Blocks::Always) }
            {
                return Ok(());
            }
            if const { matches!(Self::BLOCKS, Blocks::Mostly) } {
                return self.object_slow(class, body);
            }
        }
        if const { Self::CHOOSES && B::LOOKUP.is_some() }
            && let Some(lookup) = B::LOOKUP
        {
            let mut seen = Seen::default();
            return match self.begin_members(class, &mut seen)? {
                Some(outer) => {
                    let done = self.each_member(lookup, &mut seen, body);
                    self.end_members(class, outer, &mut seen, done)
                }
                None => self
                    .elsewhere(Step::Object(class), &mut On::<Self::Way, B>(body, PhantomData))
                    .map(drop),
            };
        }
        if const { Self::HANDS && matches!(B::BY_HAND, Some(true)) } {
            return self.object_by_hand(class, body);
        }
        match self.begin_known_object(class, const { Facts::of::<B>() })? {
            Some(outer) => {
                let done = body.run(self);
                self.end_object(class, outer, done)
            }
            None if const { Self::ELSEWHERE.never(&Facts::of::<B>()) } => Ok(()),
            None if const { Self::ELSEWHERE.direct } => {
                self.run_elsewhere(Step::Object(class), body).map(drop)
            }
            None => self
                .elsewhere(Step::Object(class), &mut On::<Self::Way, B>(body, PhantomData))
                .map(drop),
        }
    }

    /// As [`object`](Archive::object) without blocks, where this is rare.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    fn object_slow<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let outer = self.begin_known_object(class, const { Facts::of::<B>() })?.unwrap_or_default();
        let done = body.run(self);
        self.end_object(class, outer, done)
    }

    /// Whether [`object_by_hand`](Archive::object_by_hand) is there.
    #[doc(hidden)]
    const HANDS: bool = false;
    /// As [`object`](Archive::object), for the members of a hand-written function.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    #[doc(hidden)]
    fn object_by_hand<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let _ = (class, body);
        Ok(())
    }

    /// Visits the members in the order that the archive chooses.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    #[doc(hidden)]
    #[inline(always)]
    fn each_member<B: Body>(
        &mut self,
        lookup: &'static Lookup,
        seen: &mut Seen,
        body: &mut B,
    ) -> Result {
        while let Some(index) = self.next_member(lookup, seen)? {
            body.run_member(index, self)?;
        }
        if !seen.has_all(lookup.len()) {
            self.members_absent(lookup, seen, body)?;
        }
        body.finish(self)
    }
    /// Handles the members that the file does not have.
    ///
    /// # Errors
    /// An error if one of them is required.
    #[doc(hidden)]
    #[cold]
    fn members_absent<B: Body>(
        &mut self,
        lookup: &'static Lookup,
        seen: &Seen,
        body: &mut B,
    ) -> Result {
        for (index, info) in lookup.members().iter().enumerate() {
            if !seen.has(index) {
                self.absent_member(info)?;
                body.absent(index, self);
            }
        }
        Ok(())
    }
    /// Whether the archive chooses the order of members.
    #[doc(hidden)]
    const CHOOSES: bool = false;

    /// Saves or loads a value of a known size as a block. Returns `false` if it has to be done part by
    /// part.
    ///
    /// # Errors
    /// Those of the value.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn block<B: Body>(&mut self, asked: Asked, body: &mut B) -> Result<bool> {
        if const { matches!(Self::BLOCKS, Blocks::Never) } {
            return Ok(false);
        }
        if loads!(Self, self) {
            let Some((size, load)) =
                (const { if matches!(Self::LOADS, Some(false)) { None } else { B::LOAD } })
            else {
                return Ok(false);
            };
            let Some(room) = self.begin_load_block(asked, size)? else { return Ok(false) };
            let begun = (room.found.at, room.outer);
            let context = (room.session, room.options);
            let loaded =
                crate::visit::block::load(room.found, size.bytes, context, |_, ar| load(body, ar));
            return self.end_load_block(asked, size, begun, loaded);
        }
        let Some((size, save)) =
            (const { if matches!(Self::LOADS, Some(true)) { None } else { B::SAVE } })
        else {
            return Ok(false);
        };
        if const { Self::BYTES_OF_BLOCKS }
            && let Some(bytes) = body.as_block()
        {
            self.save_block(asked, size, Some(bytes), &mut |_| Ok(()))
        } else {
            self.save_block(asked, size, None, &mut |ar| save(body, ar))
        }
    }

    /// Whether a value in a block is given as bytes where it is in memory as it is in the block.
    #[doc(hidden)]
    const BYTES_OF_BLOCKS: bool = false;

    /// How often a value of a known size is taken as a block.
    #[doc(hidden)]
    const BLOCKS: Blocks = Blocks::Sometimes;

    /// For which bodies the steps may refuse to let the body run here.
    #[doc(hidden)]
    const ELSEWHERE: Elsewhere = Elsewhere::DIRECT;

    /// Saves or loads a sequence of the given shape. `body` visits its items. When saving, `len` is
    /// the number of items, or [`UNCOUNTED`](crate::encoder::UNCOUNTED) for a list whose length
    /// is known only at its end.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    #[inline]
    fn seq<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if const { Self::GUIDED } && self.passes() {
            return body.run(self);
        }
        if const { B::BLOCK.is_some() } {
            if self.block(Asked::Shape(shape), body)?
                || const { matches!(Self::BLOCKS, Blocks::Always) }
            {
                return Ok(());
            }
            if const { matches!(Self::BLOCKS, Blocks::Mostly) } {
                return self.seq_slow(shape, len, body);
            }
        }
        match self.begin_known_seq(shape, len, const { Facts::of::<B>() })? {
            Some(outer) => {
                body.run(self)?;
                self.end_seq(outer, len)
            }
            None if const { Self::ELSEWHERE.never(&Facts::of::<B>()) } => Ok(()),
            None if const { Self::ELSEWHERE.direct } => {
                self.run_elsewhere(Step::Seq(shape, len), body).map(drop)
            }
            None => self
                .elsewhere(Step::Seq(shape, len), &mut On::<Self::Way, B>(body, PhantomData))
                .map(drop),
        }
    }

    /// As [`seq`](Archive::seq) without blocks, where this is rare.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    fn seq_slow<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        let outer =
            self.begin_known_seq(shape, len, const { Facts::of::<B>() })?.unwrap_or_default();
        body.run(self)?;
        self.end_seq(outer, len)
    }

    /// Saves or loads the next item of a sequence. When loading, returns `false` if there is none.
    ///
    /// # Errors
    /// Those of the body and of the archive.
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
            Begun::Elsewhere if const { Self::ELSEWHERE.direct } => {
                self.run_elsewhere(Step::Item(index), body)
            }
            Begun::Elsewhere if const { !Self::ELSEWHERE.always } => Ok(false),
            Begun::Elsewhere => {
                let run = &mut On::<Self::Way, B>(body, PhantomData);
                self.elsewhere(Step::Item(index), run)
            }
        }
    }

    /// Saves or loads a map. `body` visits its entries with [`entry`](Archive::entry). When saving,
    /// `len` is the number of entries, or [`UNCOUNTED`](crate::encoder::UNCOUNTED), which some
    /// formats refuse.
    ///
    /// # Errors
    /// Those of the body and of the archive;
    /// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) from the binary formats for a map
    /// of unknown length.
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        self.run_elsewhere(Step::Map(shape, len), body).map(drop)
    }

    /// Saves or loads the next entry of a map: `key`, then `value`. When loading, returns `false`
    /// if there is none.
    ///
    /// # Errors
    /// Those of the bodies and of the archive.
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.item(index, &mut crate::visit::serialize::bodies::Pair(key, value))
    }

    /// Saves or loads an optional value. `body` runs if there is a value.
    ///
    /// When saving, `present` is whether there is a value, and `null` is whether the value is
    /// itself null and must therefore be wrapped (`{"$some":null}`). When loading, `null` is
    /// whether values of the type may be null, and the result is whether there was a value.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    fn option<B: Body>(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
        body: &mut B,
    ) -> Result<bool> {
        match self.begin_known_option(shape, present, null, const { Facts::of::<B>() })? {
            (Begun::Here, wrapped) => {
                body.run(self)?;
                self.end_some(null, wrapped)?;
                Ok(true)
            }
            (Begun::Over | Begun::Skip, _) => Ok(false),
            (Begun::Elsewhere, _) if const { Self::ELSEWHERE.never(&Facts::of::<B>()) } => {
                Ok(false)
            }
            (Begun::Elsewhere, _) if const { Self::ELSEWHERE.direct } => {
                self.run_elsewhere(Step::Option(shape, present, null), body)
            }
            (Begun::Elsewhere, _) => {
                let run = &mut On::<Self::Way, B>(body, PhantomData);
                self.elsewhere(Step::Option(shape, present, null), run)
            }
        }
    }

    /// Saves or loads an enum value.
    ///
    /// # Errors
    /// Those of the payload and of the archive; when loading, an error for an unknown variant name.
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        if let Some(index) = self.begin_variant(info, body.current(), B::NEVER_ANY)? {
            return self.payload(info, index, body);
        }
        if const { Self::ELSEWHERE.never_any(B::NEVER_ANY) } {
            return Ok(());
        }
        if const { !Self::ELSEWHERE.always } {
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

    /// Saves a pointer: its head and, if the head says that it follows, its object, which `body`
    /// visits.
    ///
    /// # Errors
    /// Those of the body and of the archive.
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
            .defer(Some(Box::new(move |ar: &mut Erased<'_>| body.run(&mut ar.erased().saving()))));
    }

    /// Saves a member of an object whose names are data. `name` may be any text, including `$`.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        self.slot(name, &Shape::Any, body)
    }

    /// Loads the next member of an object whose names are data. Returns `false` if there is none.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        let _ = body;
        Err(does_not_load())
    }

    /// Loads a value of any type.
    ///
    /// # Errors
    /// Those of the target and of the archive.
    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        let _ = target;
        Err(does_not_load())
    }

    /// Runs `body` on the pointer with which the object with the id `id` is stored, wherever in
    /// the input it is. Returns `false` if the input has none.
    ///
    /// # Errors
    /// Those of the body and of the archive.
    fn load_pointee<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        let _ = (id, body);
        Ok(false)
    }

    /// Loads a pointer.
    ///
    /// # Errors
    /// Those of the body and of the archive; an error for an id that is unknown or belongs to
    /// another type.
    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        let _ = target;
        Err(does_not_load())
    }

    // ---- values that stay --------------------------------------------------------------------

    /// Whether [`guide`](Archive::guide) may return something.
    #[doc(hidden)]
    const GUIDED: bool = false;

    /// Returns what leads the archive through a value that stays. When it loads, containers,
    /// pointers and trait objects are visited in place, and nothing starts blank.
    #[doc(hidden)]
    #[inline(always)]
    fn guide(&self) -> Guide<'_> {
        None
    }

    /// Begins a sequence without the archive, if a [guide](Archive::guide) leads through it to a
    /// place inside it.
    #[doc(hidden)]
    #[inline(always)]
    fn passes(&self) -> bool {
        false
    }

    // ---- what happens before and after a body, for the erased archive --------------------------

    /// Whether nothing happens before or after the value of a member whose type is
    /// [known](Body::NEVER_ANY).
    #[doc(hidden)]
    const BY_POSITION: bool = false;

    /// Whether [`begin_named`](Visitor::begin_named) never returns [`Begun::Elsewhere`].
    #[doc(hidden)]
    const HERE: bool = false;
    /// As [`begin_object`](Visitor::begin_object), for a body that is compiled for this archive.
    ///
    /// # Errors
    /// Those of [`object`](Archive::object).
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_object(
        &mut self,
        class: &'static Class,
        facts: Facts,
    ) -> Result<Option<OuterState>> {
        let _ = facts;
        self.begin_object(class)
    }
    /// As [`begin_seq`](Visitor::begin_seq), for a body that is compiled for this archive.
    ///
    /// # Errors
    /// Those of [`seq`](Archive::seq).
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_seq(
        &mut self,
        shape: &'static Shape,
        len: usize,
        facts: Facts,
    ) -> Result<Option<OuterState>> {
        let _ = facts;
        self.begin_seq(shape, len)
    }
    /// As [`begin_item`](Visitor::begin_item), for a sequence that was begun with
    /// [`begin_known_seq`](Archive::begin_known_seq).
    ///
    /// # Errors
    /// Those of [`item`](Archive::item).
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_item(&mut self, index: usize) -> Result<Begun> {
        self.begin_item(index)
    }
    /// As [`begin_option`](Visitor::begin_option), for a body that is compiled for this archive.
    ///
    /// # Errors
    /// Those of [`option`](Archive::option).
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
        facts: Facts,
    ) -> Result<(Begun, bool)> {
        let _ = facts;
        self.begin_option(shape, present, null)
    }
    /// The part of [`variant`](Archive::variant) that visits the payload of the variant `index`, if
    /// it has one.
    ///
    /// # Errors
    /// Those of [`variant`](Archive::variant).
    #[doc(hidden)]
    #[inline]
    fn payload<B: Variants>(&mut self, info: &'static Enum, index: usize, body: &mut B) -> Result {
        let stays = |body: &B| self.guide().is_some() && body.current() == index;
        if self.is_loading() && !body.reuses(index) && !stays(body) {
            body.select(index, self.options())?;
        }
        let variant = info.variant(index)?;
        if matches!(variant.payload, Payload::Unit) {
            return Ok(());
        }
        let done = body.payload(self);
        self.end_variant(info, variant, done)
    }
}

/// Returns the error for calls in an order that is not well-formed.
#[cold]
#[doc(hidden)]
pub fn misuse() -> Error {
    let message = "a value outside of an item or a member, or the second in one";
    Error::new(ErrorKind::Unsupported, message)
}

#[cold]
fn does_not_load() -> Error {
    Error::custom("this archive does not load")
}

/// Whether an archive of the type `$A` loads. If the type alone decides it, nothing of the other
/// direction is compiled.
macro_rules! loads {
    ($A:ident, $ar:expr) => {
        (const { matches!($A::LOADS, Some(true)) })
            || (const { $A::LOADS.is_none() } && $ar.is_loading())
    };
}
pub(crate) use loads;

/// Implements the methods that all one-way archives share: the direction, and access to the session
/// and the options. These are fields named `session` and `options`, or belong to the archive in the
/// named field.
#[doc(hidden)]
#[macro_export]
macro_rules! __one_way {
    (loads $(in $archive:ident)?) => {
        #[inline]
        fn loads(&self) -> bool {
            true
        }
        $crate::__one_way!(@parts $($archive)?);
    };
    (saves $(in $archive:ident)?) => {
        #[inline]
        fn loads(&self) -> bool {
            false
        }
        $crate::__one_way!(@parts $($archive)?);
    };
    (@parts) => {
        #[inline]
        fn parts(&self) -> (&$crate::Session, &$crate::Options<'_>) {
            (self.session, self.options)
        }
        #[inline]
        fn parts_mut(&mut self) -> (&mut $crate::Session, &$crate::Options<'_>) {
            (self.session, self.options)
        }
    };
    (@parts $archive:ident) => {
        #[inline]
        fn parts(&self) -> (&$crate::Session, &$crate::Options<'_>) {
            self.$archive.parts()
        }
        #[inline]
        fn parts_mut(&mut self) -> (&mut $crate::Session, &$crate::Options<'_>) {
            self.$archive.parts_mut()
        }
    };
}
