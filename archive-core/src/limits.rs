//! [`Limits`], and the methods of [`Options`] that set one limit each.

use crate::options::Options;

/// Bounds on what a load may use, so that hostile input ends in an error. Each has a method of
/// [`Options`] that sets it, which the error names: [`Options::max_depth`],
/// [`Options::max_elements`] and so on.
///
/// With the defaults two laws hold for any input, whether it loads or not:
/// - A load into the program's types takes no more memory at once than 64 KiB, 64 bytes for each byte of
///   input, and the value that is built. A list whose length the input does not say grows by doubling: for
///   a moment it takes three times what its items do, and that is the value's.
/// - A [`Value`](crate::Value), a [`Report`](crate::Report), unknown members and objects that are kept, and an
///   inspection of a file take no more than 64 KiB and 256 bytes for each byte of input, reading and copies
///   of names included. What needs more is an error that names [`Options::max_expansion`]. Few files of
///   programs do: an item that takes one byte is 32 bytes as a value, 64 and its name as a member.
///
/// A load from a serde format that goes through a tree may take what a tree may. The time of a load is in
/// proportion to the input and to what is built, so that it is bounded as well.
/// Formats outside of this library join by [`Decoder::input_len`](crate::Decoder::input_len).
///
/// [`depth`](Limits::depth), [`elements`](Limits::elements),
/// [`empty_elements`](Limits::empty_elements) and [`pointers`](Limits::pointers) count the same when a
/// value is saved and when it is loaded, in every format: with equal options, what is saved is loaded, and
/// what would not be loaded is refused while saving. They depend on the value and its type, and not on how a
/// format writes it. Where a value exceeds several limits, saving and loading may name different
/// ones. These differ:
///
/// - Bodies of shared objects [wait](Limits::depth) where the depth limit would be met. So a chain of pointers
///   that is saved under a limit can be loaded under it, and the same chain saved under a
///   higher one cannot.
/// - A `Weak` to an object without a cell that comes later in the file is loaded together with that
///   object, on top of the levels of the `Weak`. Saving does not count these.
/// - A serde format has limits of its own, which end a load or a save sooner. A type whose function loads
///   something other than it saves is out of reach of any rule.
///
/// ```
/// use archive::{Limits, Options};
///
/// let options = Options::new().max_elements(1_000_000).max_depth(64);
/// assert_eq!(options.get_limits().elements, 1_000_000);
///
/// // Limits of one's own, kept somewhere.
/// let mut limits = Limits::default();
/// limits.pointers = 10_000;
/// let options = Options::new().limits(limits);
/// assert_eq!(options.get_limits().pointers, 10_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How deep values may nest. A level is an object, a list, an array, a tuple, a map and each of its
    /// entries, also where the entries are members of an object, what a variant carries, a pointer of any
    /// kind together with what it points to, the inner one of two options, and bytes. The object around
    /// named roots is none. Bodies of shared objects that have to wait stand two levels deeper than the
    /// body of the outermost pointer: in a list, each behind a pointer. Default 128.
    pub depth: usize,
    /// How many elements one file may have, in all its roots: items of lists, arrays and tuples; entries
    /// of maps, each of which counts three times, for itself, its key and its value; single bytes of bytes;
    /// members of objects whose names are data, as those of a [`Value`](crate::Value) and unknown ones.
    /// Default 2³².
    pub elements: u64,
    /// How many items of lists and entries of maps there may be that take no bytes at all, since their type
    /// is `()`, a unit struct, or made of these. Only formats in which they do take none
    /// count them: the binary ones, and serde formats that do not describe themselves. How many an array or
    /// a tuple has follows from its type, so those do not count. Default 2¹⁶: in the program each may be
    /// a large value, and a file of a few bytes can hold any number. Where the binary format loads a
    /// file as it is, as a [`Value`](crate::Value) or by a field for unknown members, parts of tuples and
    /// members of classes count too.
    pub empty_elements: u64,
    /// How many shared objects one file may have, in all its roots and in trees, those included that only
    /// weak pointers refer to. Default 2²⁸; more than 2³¹ - 1 are never saved.
    pub pointers: u64,
    /// How many removals the slots of all `slotmap` maps of one file may have seen together, since
    /// their versions are counted up one by one. Each removal moves a value, so one of a value of more
    /// than 64 bytes counts once for every 64 bytes. Default 2²⁶.
    pub generations: u64,
    /// How many bytes the unused slots of all `slotmap` maps of one file may take together: a file only
    /// lists the free and detached slots of a `SlotMap` or `DenseSlotMap`, and names nothing but the largest
    /// index of a `SecondaryMap`. Default 2²⁸.
    pub padding: u64,
    /// How many errors [`Options::keep_going`] collects; the next one ends the load. Default 1000.
    pub errors: usize,
    /// How many bytes all containers together reserve for elements that were not read yet; of what is left, each
    /// takes half at most. One that holds more grows as they come, so this is no limit to what can be
    /// loaded, only to what a file gets on its word. It never gets more than 16 KiB and 32 bytes for each
    /// byte of the file. Default 2²⁰.
    pub reserve: usize,
    /// How many bytes may be taken for each byte of the file by what says more than the file does:
    /// [`Value`](crate::Value)s with the names that they copy, members that the program does not know and
    /// keeps, objects of unknown types, reports with their paths. 64 KiB are allowed on top, and of
    /// everything a part is for reading: three quarters of the one and half of the other are left to trees
    /// and reports. Default 256.
    pub expansion: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            depth: 128,
            elements: 1 << 32,
            empty_elements: 1 << 16,
            pointers: 1 << 28,
            generations: 1 << 26,
            padding: 1 << 28,
            errors: 1000,
            reserve: 1 << 20,
            expansion: 256,
        }
    }
}

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
