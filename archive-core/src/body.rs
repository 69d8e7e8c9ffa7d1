//! What runs on an archive: [`Body`], and [`Variants`], [`Keyed`] and [`LoadAny`] for values that are
//! told apart first.

use crate::archive::Archive;
use crate::blank::Element;
use crate::block::Size;
use crate::error::{Error, Result};
use crate::lookup::Lookup;
use crate::number::Number;
use crate::options::Options;
use crate::pointer::PointerHead;

/// A function with so many arguments, if that is so. The compiler does not look at the functions that a constant does
/// not come to, as it does at those in a branch that is never taken.
macro_rules! when {
    ($holds:expr, $function:expr) => {
        if $holds { Some($function as fn(_, _) -> _) } else { None }
    };
}
pub(crate) use when;

/// Something that visits members or values on any archive: a closure that is generic over it.
pub trait Body {
    /// The size of the value, if it is an object, an array or a tuple that can stand in a
    /// [block](crate::block).
    const BLOCK: Option<Size> = None;
    /// Of a value in its slot: whether it is known that it does not describe itself
    /// ([`Shape::Any`](crate::Shape::Any)). Of the body of a sequence, a map or an object: whether that is
    /// known of all items, entries or members.
    const NEVER_ANY: bool = false;
    /// Of the body of a sequence: whether it is known that the length with which it begins is the number
    /// of its items, and not [`UNKNOWN_LEN`](crate::encoder::UNKNOWN_LEN).
    const COUNTED: bool = false;
    /// Of the members of an object: whether a function written by hand visits them, where that is known.
    const BY_HAND: Option<bool> = None;
    /// Whether each run makes the value anew, so that a load may begin again.
    const FRESH: bool = false;
    /// The names of the members, if they can be loaded one by one in any order.
    const LOOKUP: Option<&'static Lookup> = None;

    /// Visits.
    ///
    /// # Errors
    /// Those of the archive.
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result;

    /// The bytes of the value in a block, if it lies in memory like that and is being saved.
    #[doc(hidden)]
    #[inline]
    fn as_block(&self) -> Option<&[u8]> {
        None
    }

    /// Loads the value of one member of [`LOOKUP`](Body::LOOKUP), at which the archive stands.
    ///
    /// # Errors
    /// Those of the value.
    #[inline]
    fn run_member<A: Archive>(&mut self, index: usize, ar: &mut A) -> Result {
        let _ = (index, ar);
        Ok(())
    }

    /// A member of [`LOOKUP`](Body::LOOKUP) is absent.
    fn absent<A: Archive>(&mut self, index: usize, ar: &mut A) {
        let _ = (index, ar);
    }

    /// All members of [`LOOKUP`](Body::LOOKUP) were loaded.
    ///
    /// # Errors
    /// Those of the type's own function.
    #[inline]
    fn finish<A: Archive>(&mut self, ar: &mut A) -> Result {
        let _ = ar;
        Ok(())
    }
}

/// A value that is not there yet.
pub struct New<T>(pub Option<T>);

impl<T: Element> Body for New<T> {
    const FRESH: bool = true;

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0 = Some(T::load_element(ar)?);
        Ok(())
    }
}

impl<T> New<T> {
    /// The value.
    ///
    /// # Errors
    /// If none was loaded.
    pub fn take(self) -> Result<T> {
        self.0.ok_or_else(|| Error::custom("no value was loaded"))
    }
}

/// An enum value being saved or loaded.
pub trait Variants {
    /// Whether it is known that no variant carries a value that describes itself.
    const NEVER_ANY: bool = false;
    /// Whether the enum may have a [`tag`](crate::shape::Enum::tag).
    const TAGGED: bool = true;

    /// The index of the variant the value has now.
    fn current(&self) -> usize;

    /// Makes the value one of the given variant, blank.
    ///
    /// # Errors
    /// If the variant cannot be made.
    fn select(&mut self, index: usize, options: &Options<'_>) -> Result;

    /// Whether the value is of that variant, and may be loaded over as it is.
    fn reuses(&self, index: usize) -> bool {
        let _ = index;
        false
    }

    /// The name met in the file that no variant has; `true` if the value took a fallback variant.
    fn select_other(&mut self, name: &str, options: &Options<'_>) -> bool {
        let _ = (name, options);
        false
    }

    /// The name to save in place of the current variant's own: the one that the value took a
    /// fallback variant for.
    fn other_name(&self) -> Option<&str> {
        None
    }

    /// Visits what the current variant carries, as the value in its slot: nothing for a unit
    /// variant, the value of a newtype, a sequence for a tuple, an object for a struct.
    ///
    /// # Errors
    /// Those of the archive.
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result;

    /// Visits the members of what the current variant carries, beside the tag: see
    /// [`Tag`](crate::shape::Tag).
    ///
    /// # Errors
    /// Those of the archive.
    #[inline]
    fn members<A: Archive>(&mut self, ar: &mut A) -> Result {
        let _ = ar;
        Ok(())
    }
}

/// A member whose name is data, being loaded.
pub trait Keyed {
    /// Takes the name.
    fn key(&mut self, name: &str);

    /// Loads the value.
    ///
    /// # Errors
    /// Those of the archive.
    fn load<A: Archive>(&mut self, ar: &mut A) -> Result;
}

/// A value of any type, being loaded: one of the methods is called.
pub trait LoadAny {
    /// Takes null.
    fn null(&mut self);
    /// Takes a truth value.
    fn bool(&mut self, value: bool);
    /// Takes a number.
    fn number(&mut self, value: Number);
    /// Takes text.
    fn str(&mut self, value: &str);
    /// Takes bytes.
    fn bytes(&mut self, value: Vec<u8>);
    /// Takes a sequence: pull its items with [`Archive::item`].
    ///
    /// # Errors
    /// Those of the archive.
    fn seq<A: Archive>(&mut self, ar: &mut A) -> Result;
    /// Takes an object: pull its members with [`Archive::load_key`].
    ///
    /// # Errors
    /// Those of the archive.
    fn object<A: Archive>(&mut self, ar: &mut A) -> Result;
    /// Takes a pointer, from formats that do not write pointers as objects. If the head has a body,
    /// the body is in the current slot.
    ///
    /// # Errors
    /// Those of the archive.
    fn pointer<A: Archive>(&mut self, ar: &mut A, head: &PointerHead<'_>) -> Result;
}

/// A [`Body`] that visits nothing.
pub struct Nothing;

impl Body for Nothing {
    const NEVER_ANY: bool = true;

    #[inline]
    fn run<A: Archive>(&mut self, _: &mut A) -> Result {
        Ok(())
    }
}

/// The payload of a [`Variants`] as a [`Body`].
pub struct PayloadOf<'a, B>(pub &'a mut B);

impl<B: Variants> Body for PayloadOf<'_, B> {
    const NEVER_ANY: bool = B::NEVER_ANY;

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.payload(ar)
    }
}
