//! [`Limits`], and the methods of [`Options`] that set one limit each.

use super::Options;

/// Bounds on the resources of a load, so that hostile input ends in an error. [`Options`] has a
/// method to set each limit, and the error names that method: [`Options::max_depth`],
/// [`Options::max_elements`] and so on.
///
/// With the defaults, two bounds on memory hold for any input, whether it loads or not:
///
/// - A load into the program's types takes at most 64 KiB, plus 64 bytes for each byte of input,
///   plus the value that is built. A list whose length the input does not state grows by doubling.
///   For a moment it takes three times the memory of its items, which counts as part of the value.
/// - A [`Value`](crate::Value), a [`Report`](crate::Report), unknown members and objects that are
///   kept, and an inspection of a file take at most 64 KiB plus 256 bytes for each byte of input,
///   including the memory for reading and for copies of names. Input that needs more is an error
///   that names [`Options::max_expansion`]. Notes in a report never cause this error. Few real
///   files need more: an item of one byte is 32 bytes as a value, and 64 plus its name as a member.
///
/// A binary file with [columns](Options::columns) counts as its rows, which are at most 32 times as
/// long. They are in memory during the load.
///
/// A load from a serde format that goes through a tree may take as much as a tree. The time of a
/// load is proportional to the input and to the value that is built, so it is bounded too. Formats
/// outside this library support these limits by implementing
/// [`Decoder::input_len`](crate::Decoder::input_len).
///
/// [`depth`](Limits::depth), [`elements`](Limits::elements),
/// [`empty_elements`](Limits::empty_elements) and [`pointers`](Limits::pointers) count the same
/// when a value is saved and when it is loaded, in every format. With equal options, a value that
/// is saved can be loaded, and a value that could not be loaded is refused while saving. The counts
/// depend on the value and its type, not on the format. If a value exceeds several limits, saving
/// and loading may report different ones. There are four exceptions:
///
/// - Objects are [deferred](Limits::depth) where they would exceed the depth
///   limit. A chain of pointers that is saved under a limit can therefore be loaded under it, but
///   the same chain saved under a higher limit cannot.
/// - A `Weak` to an object without a cell that comes later in the file is loaded together with that
///   object, on top of the levels of the `Weak`. Saving does not count these levels.
/// - An enum with a tag counts as the object that a format stores it as, so a value with such enums
///   may reach the depth limit at a different depth in formats without the tag.
/// - A serde format has limits of its own, which may end a load or a save earlier. If a type's
///   function does not load the members that it saves, no rule applies.
///
/// ```
/// use archive::{Limits, Options};
///
/// let options = Options::new().max_elements(1_000_000).max_depth(64);
/// assert_eq!(options.settings().limits().elements, 1_000_000);
///
/// // Limits of one's own, kept somewhere.
/// let mut limits = Limits::default();
/// limits.pointers = 10_000;
/// let options = Options::new().limits(limits);
/// assert_eq!(options.settings().limits().pointers, 10_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How deep the program's own types may nest. Each struct, and each payload of a variant,
    /// inside another one is a level: a `struct Tree { kids: Vec<Tree> }` may be 128 trees deep. A
    /// payload that is a struct is one level together with it. A struct of numbers alone is not a
    /// level, and neither is an object in a [`Value`](crate::Value). Other values that contain
    /// values are not levels, but no more than [three for each level](Limits::nesting) may be open
    /// at the same time: objects, lists, arrays, tuples, maps, entries of maps, payloads, pointers
    /// of any kind with their targets, the inner one of two nested options, and bytes. The object
    /// around named roots does not count. A deferred object is inside a pointer, in a list in the
    /// outermost pointer. In serde formats, only one value for each level may be open, since their
    /// code needs more stack. Default 128.
    pub depth: usize,
    /// The number of elements that one file may have, in all its roots. Elements are items of
    /// lists, arrays and tuples; entries of maps, which count three times each, for the entry, its
    /// key and its value; each byte of a byte string; and members of objects whose names are data,
    /// such as those of a [`Value`](crate::Value) and unknown members. Default 2³².
    pub elements: u64,
    /// The number of list items and map entries that take no bytes at all, because their type is
    /// `()`, a unit struct, or made of these. Only formats in which such elements take no bytes
    /// count them: the binary formats, and serde formats that are not self-describing. The length
    /// of an array or a tuple follows from its type, so its items do not count. The limit exists
    /// because each element may be a large value in the program, while a file of a few bytes can
    /// hold any number of them. Default 2¹⁶. If the binary format loads a file without the
    /// program's types, as a [`Value`](crate::Value) or into a field for unknown members, parts of
    /// tuples and members of classes count too.
    pub empty_elements: u64,
    /// The number of shared objects that one file may have, in all its roots and in trees,
    /// including those that only weak pointers refer to. Default 2²⁸; more than 2³¹ - 1 are never
    /// saved.
    pub pointers: u64,
    /// The number of removals that the slots of all `slotmap` maps of one file may have seen
    /// together. The versions of slots are restored by counting them up one by one. Each removal
    /// moves a value, so removing a value of more than 64 bytes counts once for every 64 bytes.
    /// Default 2²⁶.
    pub generations: u64,
    /// The number of bytes that the unused slots of all `slotmap` maps of one file may take together. A few bytes of
    /// a file can describe many unused slots: the file only lists the free and detached slots of a `SlotMap` or
    /// `DenseSlotMap`, and only names the largest index of a `SecondaryMap`. The size of a slot is rounded up to
    /// eight bytes, as it differs between platforms. Default 2²⁸.
    pub padding: u64,
    /// The number of errors that [`Options::keep_going`] collects; the next one ends the load. Errors
    /// of one kind about the same member of a class count once.
    /// Default 1000.
    pub errors: usize,
    /// The number of bytes that all containers together reserve for elements that were not read
    /// yet. Each container takes at most half of the remaining bytes. A container with more
    /// elements grows as they arrive, so this does not limit what can be loaded, only the memory
    /// that is reserved because the file claims a length. It is never more than 16 KiB plus 32
    /// bytes for each byte of the file. Default 2²⁰.
    pub reserve: usize,
    /// The number of bytes, for each byte of the file, that may be taken by data that is larger in
    /// memory than in the file: [`Value`](crate::Value)s with the names that they copy, unknown
    /// members and objects of unknown types that are kept, and reports with their paths. 64 KiB are
    /// allowed on top. Three quarters of the bytes per byte and half of the 64 KiB are for trees
    /// and for the errors of a report. The rest is for reading and for the notes of a report. Notes
    /// without room are only [counted](crate::Report::omitted). Default 256.
    pub expansion: usize,
}

impl Limits {
    /// The number of values that may be open for each level: an object, a map and an entry.
    const OPEN: usize = 3;

    /// Returns how many values may be open at the same time, each inside the previous one: three
    /// for each level of [`depth`](Limits::depth). An object, a sequence, a map, an entry of a map,
    /// a payload and a pointer are such values. In a format that writes them with brackets, it is
    /// the depth of the brackets.
    #[inline]
    pub const fn nesting(&self) -> usize {
        self.depth.saturating_mul(Self::OPEN)
    }
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
    /// Sets [`Limits::depth`](crate::Limits::depth): how deeply values may nest; 128 by default. A
    /// thread with a small stack needs less.
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
