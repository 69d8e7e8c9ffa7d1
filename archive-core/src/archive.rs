//! [`Archive`]: somewhere to put data structures or to get them from.

use std::any::Any;

use crate::block::{Asked, BlockLoading, BlockSaving, LoadBlocks, SaveBlocks, Size};
pub use crate::body::{Body, Keyed, LoadAny, PayloadOf, Variants};
use crate::erased::Erased;
use crate::error::{Error, Result};
use crate::options::Options;
use crate::pointer::{LoadPointer, PointerHead};
use crate::registry::Polymorphic;
use crate::scalar::Scalar;
pub use crate::serialize::{Members, SavedMembers};
use crate::session::Session;
use crate::shape::{Class, Enum, Member, Payload, Shape, Variant};
use crate::time::{SavedTimeOf, Time, TimeOf};
use crate::{Save, Serialize};

/// Somewhere to put data structures, or to get them from: a format being written, a format being
/// read, or a tool that looks at values where they are.
///
/// A [`Serialize`] function only ever calls [`serialize`](Archive::serialize) and, where it must
/// branch, [`is_loading`](Archive::is_loading), [`version`](Archive::version) and
/// [`context`](Archive::context). Function bodies hold members only; opening and closing objects
/// is the framework's part, which is what lets one body run inside any format's object.
///
/// # Implementing it
///
/// Formats implement [`Encoder`](crate::Encoder) and [`Decoder`](crate::Decoder) and get an
/// archive from [`Saving`](crate::Saving) and [`Loading`](crate::Loading). A tool that walks
/// values in place implements this trait directly: the required methods see every member and every
/// scalar, and the provided ones may be overridden to see the structure around them. Such a tool
/// sees each shared object's body once; how deep it goes is its own affair
/// ([`Session::enter`] counts levels).
pub trait Archive: Sized {
    /// What [`is_loading`](Archive::is_loading) says, if that is the same for all archives of the type:
    /// then values need not compile the other direction for it.
    #[doc(hidden)]
    const LOADS: Option<bool> = None;

    /// Whether [`refuses_duplicates`](Archive::refuses_duplicates) is always so.
    #[doc(hidden)]
    const REFUSES_TWINS: bool = false;

    // ---- for the functions of types ----------------------------------------------------------

    /// Whether values are being filled from the archive.
    fn is_loading(&self) -> bool;

    /// Whether values are being read (saved, printed, compared) rather than filled.
    fn is_saving(&self) -> bool {
        !self.is_loading()
    }

    /// Saves or loads one member of the object that the current function describes.
    ///
    /// When loading, a member that is absent in the file leaves `value` as it is.
    ///
    /// # Errors
    /// Whatever the archive refuses, with the path to the member.
    #[inline]
    fn serialize<T: Serialize + ?Sized>(&mut self, name: &str, mut value: &mut T) -> Result {
        self.slot(name, T::SHAPE, &mut value)
    }

    /// Saves one member through a shared reference: for [`Save`] functions written by hand.
    ///
    /// # Errors
    /// As [`Archive::serialize`].
    #[inline]
    fn save<T: Save + ?Sized>(&mut self, name: &str, mut value: &T) -> Result {
        self.slot(name, T::SHAPE, &mut value)
    }

    /// Saves or loads a point in time as its distance to the caller's [`Clock`](crate::Clock), so
    /// that it lies as far from the clock of the loading program: see [`Time`].
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

    /// The version of the object that the current function describes: while loading the one in the
    /// file (0 if the file has none), while saving the one being written.
    fn version(&self) -> u32 {
        self.session().version()
    }

    /// The value of type `T` that the caller put into the [`Options`], if any.
    fn context<T: 'static>(&self) -> Option<&T> {
        self.options().context::<T>()
    }

    /// As [`context`](Archive::context), for values that cannot be done without.
    ///
    /// # Errors
    /// [`ErrorKind::MissingContext`](crate::ErrorKind::MissingContext).
    fn require<T: 'static>(&self) -> Result<&T> {
        self.options().require::<T>()
    }

    /// The object-safe face of this archive, for code behind trait objects.
    fn erased(&mut self) -> Erased<'_> {
        Erased::new(self)
    }

    /// Saves the object of a trait object with a function that was compiled for its type and this
    /// archive. `false` if there is none.
    ///
    /// # Errors
    /// Those of the object.
    #[doc(hidden)]
    #[inline]
    fn save_object(&mut self, object: &dyn Any) -> Result<bool> {
        let _ = object;
        Ok(false)
    }

    /// As [`save_object`](Archive::save_object), with the head of the pointer that owns the object.
    ///
    /// # Errors
    /// Those of the object.
    #[doc(hidden)]
    #[inline]
    fn save_owned(&mut self, object: &dyn Any) -> Result<bool> {
        let _ = object;
        Ok(false)
    }

    /// Loads the object of a trait object, as [`save_object`](Archive::save_object) saves it.
    ///
    /// # Errors
    /// Those of the object and of the place.
    #[doc(hidden)]
    #[inline]
    fn load_object(&mut self, object: &mut dyn Polymorphic) -> Result<bool> {
        let _ = object;
        Ok(false)
    }

    // ---- for implementers: required ----------------------------------------------------------

    /// One named member: run `body` on the place where it is saved to or loaded from.
    ///
    /// # Errors
    /// Those of the body and of the place.
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result;

    /// One scalar value in the current place.
    ///
    /// # Errors
    /// Those of the place: no such value, or one that does not fit.
    fn scalar(&mut self, value: Scalar<'_>) -> Result;

    /// The state of this run (pointers, reports), and what the caller asked for.
    fn parts(&self) -> (&Session, &Options<'_>);

    /// As [`parts`](Archive::parts), with the state for change.
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>);

    // ---- for implementers: provided, called by values -----------------------------------------

    /// The state of this run.
    fn session(&self) -> &Session {
        self.parts().0
    }

    /// The state of this run, for change.
    fn session_mut(&mut self) -> &mut Session {
        self.parts_mut().0
    }

    /// What the caller asked for.
    fn options(&self) -> &Options<'_> {
        self.parts().1
    }

    /// Whether all that the value at hand consists of stands in the input, so that it can be loaded
    /// over an old value of which nothing may remain. (What a type does not save is for that type to
    /// see to.)
    fn overwrites(&mut self) -> bool {
        false
    }

    /// Loads over an old value in place, if it turns out that all that the value consists of stands in
    /// the input: see [`overwrites`](Archive::overwrites). `false` if nothing was loaded, or not all:
    /// the value is to be loaded from the beginning then, from blank.
    ///
    /// # Errors
    /// Those of the body and of the place.
    #[inline]
    fn try_over<B: Body>(&mut self, body: &mut B) -> Result<bool> {
        let _ = body;
        Ok(false)
    }

    /// Saves values of one size as one block; `false` if this archive takes them one by one.
    ///
    /// # Errors
    /// Those of the values.
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let _ = values;
        Ok(false)
    }

    /// Saves the items of the sequence just begun, of that size each, as one block that is there
    /// already; `false` if this archive takes them one by one.
    ///
    /// # Errors
    /// Those of the archive.
    fn save_whole_block(&mut self, block: &[u8], size: Size) -> Result<bool> {
        let _ = (block, size);
        Ok(false)
    }

    /// Loads all items of the sequence just begun from one block; `false` if this archive has them one
    /// by one.
    ///
    /// # Errors
    /// Those of the values and of the place.
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        let _ = values;
        Ok(false)
    }

    /// A member whose description is known at compile time, as derived functions have it.
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

    /// A member saved through a shared reference.
    ///
    /// # Errors
    /// As [`Archive::serialize`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn save_member<T: Save + ?Sized>(&mut self, info: &'static Member, mut value: &T) -> Result {
        self.named(info, &mut value)
    }

    /// A member whose description is known at compile time, of any body.
    ///
    /// # Errors
    /// As [`Archive::serialize`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        match self.begin_named(info, B::NEVER_ANY)? {
            Begun::Here => match body.run(self) {
                Ok(()) => Ok(()),
                Err(error) => Err(self.place_error(error).in_member(info.name)),
            },
            Begun::Over => Ok(()),
            Begun::Elsewhere => {
                // Where that cannot be, `slot` is not compiled for each type.
                if const { Self::HERE || Self::BY_POSITION && B::NEVER_ANY } {
                    return Ok(());
                }
                self.slot(info.name, info.shape.get(), body)
            }
        }
    }

    /// The value of a member that was found: what [`named`](Archive::named) does after finding it.
    ///
    /// # Errors
    /// As [`Archive::serialize`].
    #[inline]
    fn found<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        let _ = info;
        body.run(self)
    }

    /// An object around the members that `body` visits.
    ///
    /// # Errors
    /// Those of the body and of the place.
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let version = self.options().get_targets().version_of(class);
        let outer = self.session_mut().set_version(version);
        body.run(self)?;
        self.session_mut().set_version(outer);
        Ok(())
    }

    /// A sequence of the given shape around the items that `body` visits. `len` is the number of
    /// items when saving, or [`UNKNOWN_LEN`](crate::encoder::UNKNOWN_LEN) if it is a list and the number
    /// shows at its end.
    ///
    /// # Errors
    /// Those of the body and of the place.
    fn seq<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        let _ = (shape, len);
        body.run(self)
    }

    /// The number of items that a loading sequence or map still holds, as far as it is known; no
    /// more than the input can hold, so that it is safe to reserve.
    fn size_hint(&self) -> usize {
        0
    }

    /// The next item of a sequence. When loading, `false` says that there is none.
    ///
    /// # Errors
    /// Those of the body and of the place.
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        match self.begin_item(index)? {
            Begun::Here => match body.run(self) {
                Ok(()) => Ok(true),
                Err(error) => Err(self.place_error(error).in_item(index)),
            },
            Begun::Over => Ok(false),
            Begun::Elsewhere => body.run(self).map(|()| true),
        }
    }

    /// A map around the entries that `body` visits with [`entry`](Archive::entry). `len` is their number
    /// when saving, or [`UNKNOWN_LEN`](crate::encoder::UNKNOWN_LEN), which not all formats take.
    ///
    /// # Errors
    /// Those of the body and of the place; [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) from
    /// the binary formats for a map of unknown length.
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        self.seq(shape, len, body)
    }

    /// The next entry of a map: `key`, then `value`. When loading, `false` says that there is none.
    ///
    /// # Errors
    /// Those of the bodies and of the place.
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.item(index, &mut crate::impls::Pair(key, value))
    }

    /// A value that may be missing. When saving, `present` says whether it is there; the answer
    /// when loading says whether it was. `body` runs if there is a value. `null` is, when saving, whether
    /// the value is itself null, so that it must be wrapped (`{"$some":null}`); when loading, whether a
    /// value of its type may be.
    ///
    /// # Errors
    /// Those of the body and of the place.
    fn option<B: Body>(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
        body: &mut B,
    ) -> Result<bool> {
        match self.begin_option(shape, present, null)? {
            (Begun::Here, wrapped) => {
                body.run(self)?;
                self.end_some(null, wrapped)?;
                Ok(true)
            }
            (Begun::Over, _) => Ok(false),
            (Begun::Elsewhere, _) if present => body.run(self).map(|()| true),
            (Begun::Elsewhere, _) => self.scalar(Scalar::Unit).map(|()| false),
        }
    }

    /// An enum value.
    ///
    /// # Errors
    /// Those of the payload and of the place; an unknown variant name.
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        if let Some(index) = self.begin_variant(info, body.current(), B::NEVER_ANY)? {
            return self.payload(info, index, body);
        }
        let variant = info.variant(body.current())?;
        match variant.payload {
            Payload::Unit => self.scalar(Scalar::Str(variant.name)),
            _ => self.slot(variant.name, &Shape::Any, &mut PayloadOf(body)),
        }
    }

    /// Writes a pointer: its head and, if the head says so, its body.
    ///
    /// # Errors
    /// Those of the body and of the place.
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        if head.has_body() { body.run(self) } else { Ok(()) }
    }

    /// Saves the pointer of an object, body and all, at the end of the outermost pointer.
    #[doc(hidden)]
    fn defer<B: Body + 'static>(&mut self, mut body: B) {
        self.session_mut()
            .saved
            .defer(Some(Box::new(move |ar: &mut Erased<'_>| body.run(&mut ar.erased().saving()))));
    }

    /// Whether the body of a pointer should wait, because it stands too deep.
    fn defers(&self) -> bool {
        false
    }

    /// Whether every member of the object being saved must be written, because their places are
    /// fixed.
    fn fixed_members(&self) -> bool {
        false
    }

    /// Whether the object being saved is refused without further ado if it has two members of one name.
    #[doc(hidden)]
    fn refuses_duplicates(&self) -> bool {
        Self::REFUSES_TWINS
    }

    /// Whether the value about to be saved must have the shape that was announced: a map cannot
    /// take the form of an object, nor a variant another name.
    fn fixed_shape(&self) -> bool {
        false
    }

    /// Saves a member of an object whose names are data: any text, `$` included.
    ///
    /// # Errors
    /// Those of the body and of the place.
    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        self.slot(name, &Shape::Any, body)
    }

    /// Loads the next member of an object whose names are data; `false` says that there is none.
    ///
    /// # Errors
    /// Those of the body and of the place.
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        let _ = body;
        Err(does_not_load())
    }

    /// Loads a value of any type.
    ///
    /// # Errors
    /// Those of the target and of the place.
    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        let _ = target;
        Err(does_not_load())
    }

    /// Runs `body` on the pointer that holds the object of that id, wherever in the input it stands.
    /// `false` says that it stands nowhere.
    ///
    /// # Errors
    /// Those of the body and of the place.
    fn load_body<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        let _ = (id, body);
        Ok(false)
    }

    /// The class whose hand-written function visits its members on this archive.
    #[doc(hidden)]
    fn members_of(&self) -> Option<&'static Class> {
        None
    }

    /// Called when a value has been loaded and before it is looked at: if it is the root, the objects
    /// are filled that were referred to and whose bodies were not met on the way.
    ///
    /// # Errors
    /// Those of the objects.
    fn resolve_pending(&mut self) -> Result {
        Ok(())
    }

    /// Reads a pointer.
    ///
    /// # Errors
    /// Those of the body and of the place; ids that are unknown or denote another type.
    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        let _ = target;
        Err(does_not_load())
    }

    // ---- what goes on around a body, for the erased archive ----------------------------------

    /// Whether nothing goes on around the value of a member whose type is [known](Body::NEVER_ANY).
    #[doc(hidden)]
    const BY_POSITION: bool = false;

    /// Whether [`begin_named`](Archive::begin_named) never says [`Begun::Elsewhere`].
    #[doc(hidden)]
    const HERE: bool = false;

    /// What goes on before the value of a member in [`named`](Archive::named).
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn begin_named(&mut self, info: &'static Member, typed: bool) -> Result<Begun> {
        let _ = (info, typed);
        Ok(Begun::Elsewhere)
    }

    /// What goes on before the members in [`object`](Archive::object), if the body can run here.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<Outer>> {
        let _ = class;
        Ok(None)
    }
    /// What goes on after them.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn end_object(&mut self, class: &'static Class, outer: Outer, done: Result) -> Result {
        let _ = (class, outer);
        done
    }

    /// What goes on before the items in [`seq`](Archive::seq), if the body can run here.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<Outer>> {
        let _ = (shape, len);
        Ok(None)
    }
    /// What goes on after them.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn end_seq(&mut self, outer: Outer, len: usize) -> Result {
        let _ = (outer, len);
        Ok(())
    }

    /// What goes on before the value in [`item`](Archive::item).
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        let _ = index;
        Ok(Begun::Elsewhere)
    }

    /// What goes on before the value in [`option`](Archive::option), and whether it is wrapped.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn begin_option(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
    ) -> Result<(Begun, bool)> {
        let _ = (shape, present, null);
        Ok((Begun::Elsewhere, false))
    }
    /// What goes on after it.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn end_some(&mut self, null: bool, wrapped: bool) -> Result {
        let _ = (null, wrapped);
        Ok(())
    }

    /// What goes on before the payload in [`variant`](Archive::variant), and which variant it is, if the body
    /// can run here. `current` is that of the value, and `typed` says whether the payload's type is
    /// [known](Variants::NEVER_ANY).
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn begin_variant(
        &mut self,
        info: &'static Enum,
        current: usize,
        typed: bool,
    ) -> Result<Option<usize>> {
        let _ = (info, current, typed);
        Ok(None)
    }
    /// What follows it: the payload of that variant, if it has one.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    #[inline]
    fn payload<B: Variants>(&mut self, info: &'static Enum, index: usize, body: &mut B) -> Result {
        if self.is_loading() && !body.reuses(index) {
            body.select(index, self.options())?;
        }
        let variant = info.variant(index)?;
        if matches!(variant.payload, Payload::Unit) {
            return Ok(());
        }
        let done = body.payload(self);
        self.end_variant(info, variant, done)
    }
    /// What goes on after the payload.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn end_variant(
        &mut self,
        info: &'static Enum,
        variant: &'static Variant,
        done: Result,
    ) -> Result {
        let _ = (info, variant);
        done
    }

    /// Adds the position of the value at hand to the error.
    #[doc(hidden)]
    fn place_error(&mut self, error: Error) -> Error {
        error
    }

    /// Saves a value of a known size: its bytes, if they are known, or what `save` writes. `false` if it has
    /// to be saved part by part.
    ///
    /// # Errors
    /// Those of the value.
    #[doc(hidden)]
    fn save_block(
        &mut self,
        asked: Asked,
        size: Size,
        bytes: Option<&[u8]>,
        save: &mut dyn FnMut(&mut BlockSaving<'_>) -> Result,
    ) -> Result<bool> {
        let _ = (asked, size, bytes, save);
        Ok(false)
    }

    /// As [`save_block`](Archive::save_block), the other way.
    ///
    /// # Errors
    /// Those of the value.
    #[doc(hidden)]
    fn load_block(
        &mut self,
        asked: Asked,
        size: Size,
        load: &mut dyn FnMut(&mut BlockLoading<'_>) -> Result,
    ) -> Result<bool> {
        let _ = (asked, size, load);
        Ok(false)
    }
}

/// Where a body runs.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Begun {
    /// On the archive that was asked.
    Here,
    /// Nowhere: there is no value.
    Over,
    /// Wherever the archive says when it is given the body.
    Elsewhere,
}

/// What an archive was inside of before it went into an object or a sequence.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Outer {
    /// The version of the object.
    pub version: u32,
    /// Whether that was a block.
    pub in_block: bool,
    /// How many of its items are still to come, or were counted one by one.
    pub items: u64,
}

#[cold]
fn does_not_load() -> crate::Error {
    crate::Error::custom("this archive does not load")
}

/// Whether an archive of the type `$A` loads. Where the type says which, nothing of the other direction
/// is compiled for it.
macro_rules! loads {
    ($A:ident, $ar:expr) => {
        (const { matches!($A::LOADS, Some(true)) })
            || (const { $A::LOADS.is_none() } && $ar.is_loading())
    };
}
pub(crate) use loads;

/// What an archive that goes one way answers alike: which way, and where its session and its options are,
/// which it refers to in fields of those names or has from an archive in another field.
#[doc(hidden)]
#[macro_export]
macro_rules! __one_way {
    (loads $(in $archive:ident)?) => {
        const LOADS: Option<bool> = Some(true);
        #[inline]
        fn is_loading(&self) -> bool {
            true
        }
        $crate::__one_way!(@parts $($archive)?);
    };
    (saves $(in $archive:ident)?) => {
        const LOADS: Option<bool> = Some(false);
        #[inline]
        fn is_loading(&self) -> bool {
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
