//! The methods of [`Options`] that set one limit each.

use crate::options::Options;

/// Methods that set one limit each.
macro_rules! limits {
    ($($(#[$doc:meta])* $method:ident: $limit:ident $ty:ty;)*) => {
        impl Options<'_> {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $method(mut self, most: $ty) -> Self {
                    self.limits.$limit = most;
                    self
                }
            )*
        }
    };
}
limits! {
    /// How deep values may nest; 128 by default. A thread with a small stack wants less.
    max_depth: depth usize;
    /// Sets [`Limits::elements`](crate::Limits::elements): how many elements all sequences and maps
    /// of one file may have together.
    max_elements: elements u64;
    /// Sets [`Limits::empty_elements`](crate::Limits::empty_elements): how many elements that take
    /// no bytes at all there may be.
    max_empty_elements: empty_elements u64;
    /// Sets [`Limits::pointers`](crate::Limits::pointers): how many shared objects there may be.
    max_pointers: pointers u64;
    /// Sets [`Limits::generations`](crate::Limits::generations): how many removals the slots of
    /// `slotmap` maps may have seen together.
    max_generations: generations u64;
    /// Sets [`Limits::padding`](crate::Limits::padding): how many bytes the unused slots of
    /// `slotmap` maps may take.
    max_padding: padding u64;
    /// Sets [`Limits::errors`](crate::Limits::errors): how many errors
    /// [`keep_going`](Options::keep_going) collects.
    max_errors: errors usize;
    /// Sets [`Limits::reserve`](crate::Limits::reserve): how many bytes all containers together
    /// reserve for elements that were not read yet.
    max_reserve: reserve usize;
    /// Sets [`Limits::expansion`](crate::Limits::expansion): how many bytes trees and reports may take
    /// for each byte of the file.
    max_expansion: expansion usize;
}
