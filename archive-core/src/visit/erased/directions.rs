//! Erased archives with a direction that is known at compile time.

use super::{Erased, Loads, Saves, Way};

impl<'a> Erased<'a> {
    /// Returns the archive, which must be a saving one, with that direction as a type.
    #[doc(hidden)]
    #[inline]
    pub fn saving(self) -> Erased<'a, Saves> {
        debug_assert!(!self.loading, "it loads");
        self.on()
    }

    /// Returns the archive, which must be a loading one, with that direction as a type.
    #[doc(hidden)]
    #[inline]
    pub fn loading(self) -> Erased<'a, Loads> {
        self.loading_as()
    }

    /// Returns the archive, which must be a loading one, with a direction that loads as a type.
    #[doc(hidden)]
    #[inline]
    pub fn loading_as<W: Way>(self) -> Erased<'a, W> {
        debug_assert!(self.loading && W::LOADS == Some(true), "it saves");
        self.on()
    }
}
