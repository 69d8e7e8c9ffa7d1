//! [`Body`], the code that runs on an archive, and [`Variants`], [`Keyed`] and [`LoadAny`] for
//! values whose kind is read first.
// Why: docs/decisions/archives-and-bodies.md#a-body-visits-only-members

use crate::model::error::{Error, Result};
use crate::model::head::{LoadedHead, PointerHead, Step};
use crate::model::mark::Mark;
use crate::model::number::Number;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Element;
use crate::visit::facts::BodyFacts;
use crate::visit::session::Session;

/// `Some($function)` as a function pointer with that many arguments if `$holds`, otherwise `None`.
/// The compiler does not instantiate an unused function in a constant, but it does in a branch that
/// is never taken.
macro_rules! when {
    ($holds:expr, $function:expr) => {
        if $holds { Some($function as fn(_, _) -> _) } else { None }
    };
}
pub(crate) use when;

/// Code that visits members or values on any archive: like a closure that is generic over the
/// archive.
pub trait Body {
    /// Compile-time facts about the body.
    const FACTS: BodyFacts = BodyFacts::NONE;

    /// Visits the members or the value.
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result;

    /// Returns the bytes of the value, or of all items of a list, if they are being saved and their
    /// bytes in memory are those of a block.
    #[doc(hidden)]
    #[inline]
    fn as_block(&self) -> Option<&[u8]> {
        None
    }

    /// Loads all items of a list from the bytes of a block. Returns `false` if they must be loaded one
    /// by one.
    #[doc(hidden)]
    #[inline]
    fn take_block(&mut self, block: &[u8]) -> bool {
        let _ = block;
        false
    }

    /// Loads the value at the cursor of the archive: that of one member of [the
    /// lookup](BodyFacts::lookup).
    #[inline]
    fn run_member<A: Archive>(&mut self, index: usize, ar: &mut A) -> Result {
        let _ = (index, ar);
        Ok(())
    }

    /// Called for each member of [the lookup](BodyFacts::lookup) that the file does not have, if
    /// the body [completes](BodyFacts::completes) the members.
    fn absent<A: Archive>(&mut self, index: usize, ar: &mut A) {
        let _ = (index, ar);
    }

    /// Called after all members of [the lookup](BodyFacts::lookup) were loaded, if the body
    /// [completes](BodyFacts::completes) the members.
    #[inline]
    fn finish<A: Archive>(&mut self, ar: &mut A) -> Result {
        let _ = ar;
        Ok(())
    }
}

/// A new value, created by loading it.
pub struct New<T>(pub Option<T>);

impl<T: Element> Body for New<T> {
    const FACTS: BodyFacts = BodyFacts::FRESH;

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0 = Some(T::load_element(ar)?);
        Ok(())
    }
}

impl<T> New<T> {
    /// Returns the value.
    ///
    /// # Errors
    /// Returns an error if none was loaded.
    pub fn take(self) -> Result<T> {
        self.0.ok_or_else(|| Error::custom("no value was loaded"))
    }
}

/// An enum value to be saved or loaded.
pub trait Variants {
    /// Whether no variant can carry a self-describing value.
    const NEVER_ANY: bool = false;
    /// Whether the enum may have a [`tag`](crate::shape::Enum::tag).
    const TAGGED: bool = true;

    /// Returns the index of the current variant.
    fn current(&self) -> usize;

    /// Makes the value a blank one of the given variant.
    ///
    /// # Errors
    /// Returns an error if the variant cannot be created.
    fn select(&mut self, index: usize, options: &Options<'_>) -> Result;

    /// Returns whether the value has that variant and can be loaded over in place.
    fn reuses(&self, index: usize) -> bool {
        let _ = index;
        false
    }

    /// Handles a name in the file that no variant has. Returns `true` if the value took a fallback
    /// variant.
    fn select_other(&mut self, name: &str, options: &Options<'_>) -> bool {
        let _ = (name, options);
        false
    }

    /// Returns the name to save instead of the current variant's own: the unknown name for which
    /// the value took a fallback variant.
    fn other_name(&self) -> Option<&str> {
        None
    }

    /// Visits the payload of the current variant as a value in its slot: nothing for a unit
    /// variant, the value of a newtype, a sequence for a tuple, an object for a struct.
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result;

    /// Visits the members of the payload, if they are stored in one object with the tag: see
    /// [`Tag`](crate::shape::Tag).
    #[inline]
    fn members<A: Archive>(&mut self, ar: &mut A) -> Result {
        let _ = ar;
        Ok(())
    }
}

/// A member to be loaded whose name is data.
pub trait Keyed {
    /// Receives the name.
    fn key(&mut self, name: &str);

    /// Loads the value.
    fn load<A: Archive>(&mut self, ar: &mut A) -> Result;
}

/// The target of a value of any type. Loading calls one of the methods, depending on the value in
/// the file.
pub trait LoadAny {
    /// Receives null.
    fn null(&mut self);
    /// Receives a truth value.
    fn bool(&mut self, value: bool);
    /// Receives a number.
    fn number(&mut self, value: Number);
    /// Receives text.
    fn str(&mut self, value: &str);
    /// Receives bytes.
    fn bytes(&mut self, value: Vec<u8>);
    /// Receives a sequence. The method loads its items with [`Walk::item`](crate::Walk::item).
    fn seq<A: Archive>(&mut self, ar: &mut A) -> Result;
    /// Receives an object. The method loads its members with [`Walk::load_key`](crate::Walk::load_key).
    fn object<A: Archive>(&mut self, ar: &mut A) -> Result;
    /// Receives a pointer, from formats that do not write pointers as objects. If the head says
    /// that the object follows, it is in the current slot.
    fn pointer<A: Archive>(&mut self, ar: &mut A, head: &PointerHead<'_>) -> Result;
}

/// A [`Body`] that visits nothing.
pub struct Nothing;

impl Body for Nothing {
    const FACTS: BodyFacts = BodyFacts { typed: true, ..BodyFacts::NONE };

    #[inline]
    fn run<A: Archive>(&mut self, _: &mut A) -> Result {
        Ok(())
    }
}

/// A [`Body`] that visits the payload of a [`Variants`].
pub struct PayloadOf<'a, B>(pub &'a mut B);

impl<B: Variants> Body for PayloadOf<'_, B> {
    const FACTS: BodyFacts = BodyFacts { typed: B::NEVER_ANY, ..BodyFacts::NONE };

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.payload(ar)
    }
}

/// A function that loads the content of an object, which was created already. The number is
/// the object's id.
pub type Filler<A> = fn(u64, &mut A) -> Result;

/// A pointer to be loaded.
pub trait LoadPointer {
    /// Whether the pointer always points to a trait object.
    const DYN: bool = false;

    /// Returns the shape of the pointer.
    fn shape(&self) -> &'static Shape;

    /// Receives the head that was read at `at`.
    ///
    /// # Errors
    /// Returns an error for an id of another type, an object that is stored twice, or an unknown
    /// type id.
    fn begin(
        &mut self,
        head: &LoadedHead<'_>,
        at: Mark,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<Step>;

    /// Loads the object, which is in the current slot.
    fn load<A: Archive>(&mut self, ar: &mut A) -> Result;

    /// Creates the object, to be filled later. Its type is known from the head of the pointer with
    /// which it is stored elsewhere. Returns `false` if the object must be loaded at once.
    ///
    /// # Errors
    /// Returns an error for an unknown type id.
    fn prepare(
        &mut self,
        head: &LoadedHead<'_>,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool>;

    /// Returns the function that fills an object which is created before it is loaded.
    #[doc(hidden)]
    fn filler<A: Archive>() -> Option<Filler<A>> {
        None
    }

    /// Handles an id whose object is not in the input.
    ///
    /// # Errors
    /// Returns an error unless the pointer can do without an object.
    fn missing(&mut self, id: u64, session: &mut Session, options: &Options<'_>) -> Result;
}
