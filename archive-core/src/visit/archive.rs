//! [`Archive`]: a destination that data structures are saved to, or a source that they are loaded
//! from.
// Why: docs/decisions/archives-and-bodies.md#an-archive-has-three-traits

use crate::model::error::Result;
use crate::visit::erased::Erased;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::time::{SavedTimeOf, Time, TimeOf};
use crate::visit::walk::Walk;

/// A destination for data structures, or a source of them: a format being written, a format being
/// read, or a tool that visits values in memory.
///
/// A [`Serialize`] function calls [`serialize`](Archive::serialize) for each member and, if it must
/// branch, [`is_loading`](Archive::is_loading), [`version`](Archive::version) and
/// [`context`](Archive::context). The function visits members only. The library opens and closes
/// the object around them, which is why one function works in any format.
///
/// Every [`Walk`] is an archive. Formats implement [`Encoder`](crate::Encoder) and
/// [`Decoder`](crate::Decoder), and [`Saving`](crate::Saving) and [`Loading`](crate::Loading) turn
/// these into archives. A tool implements the steps of [`Visitor`](crate::Visitor).
pub trait Archive: Walk {
    /// Saves or loads one member of the object that the current function describes.
    ///
    /// When loading, a member that the file does not have leaves `value` unchanged.
    ///
    /// # Errors
    /// Returns the archive's error, with the path to the member.
    fn serialize<T: Serialize + ?Sized>(&mut self, name: &str, value: &mut T) -> Result;

    /// Saves one member through a shared reference. [`Save`] functions written by hand call it.
    fn save<T: Save + ?Sized>(&mut self, name: &str, value: &T) -> Result;

    /// Saves or loads a point in time as its distance to the caller's [`Clock`](crate::Clock). The
    /// loaded time has the same distance to the clock of the loading program: see [`Time`].
    ///
    /// # Errors
    /// Errors of [`Archive::serialize`];
    /// [`ErrorKind::MissingContext`](crate::ErrorKind::MissingContext) without a clock.
    fn time<T: Time>(&mut self, name: &str, value: &mut T) -> Result;

    /// Like [`time`](Archive::time), for [`Save`] functions written by hand.
    fn save_time<T: Time>(&mut self, name: &str, value: &T) -> Result;

    /// Returns whether values are filled from the archive.
    fn is_loading(&self) -> bool;

    /// Returns whether values are read (saved, printed, compared) rather than filled.
    fn is_saving(&self) -> bool;

    /// Returns the version of the object that the current function describes. While loading, this
    /// is the version in the file (0 if the file has none); while saving, the version that is being
    /// written.
    fn version(&self) -> u32;

    /// Returns the value of type `T` that the caller put into the [`Options`](crate::Options), if any.
    fn context<T: 'static>(&self) -> Option<&T>;

    /// Like [`context`](Archive::context), for values that the function needs.
    ///
    /// # Errors
    /// [`ErrorKind::MissingContext`](crate::ErrorKind::MissingContext) if there is no such value.
    fn require<T: 'static>(&self) -> Result<&T>;

    /// Returns a view of this archive that object-safe code, such as the methods of trait objects,
    /// can use.
    fn erased(&mut self) -> Erased<'_>;
}

// The names of members are mostly constants. The functions that receive and forward them are
// inlined, so that comparisons of names are resolved at compile time.
impl<W: Walk> Archive for W {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize<T: Serialize + ?Sized>(&mut self, name: &str, value: &mut T) -> Result {
        self.by_name(name, value)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn save<T: Save + ?Sized>(&mut self, name: &str, mut value: &T) -> Result {
        self.slot(name, T::SHAPE, &mut value)
    }
    #[inline]
    fn time<T: Time>(&mut self, name: &str, value: &mut T) -> Result {
        self.slot(name, T::Distance::SHAPE, &mut TimeOf(value))
    }
    #[inline]
    fn save_time<T: Time>(&mut self, name: &str, value: &T) -> Result {
        self.slot(name, T::Distance::SHAPE, &mut SavedTimeOf(value))
    }
    #[inline]
    fn is_loading(&self) -> bool {
        self.loads()
    }
    #[inline]
    fn is_saving(&self) -> bool {
        !self.loads()
    }
    #[inline]
    fn version(&self) -> u32 {
        self.current_version()
    }
    fn context<T: 'static>(&self) -> Option<&T> {
        self.options().context::<T>()
    }
    fn require<T: 'static>(&self) -> Result<&T> {
        self.options().require::<T>()
    }
    fn erased(&mut self) -> Erased<'_> {
        self.erase()
    }
}
