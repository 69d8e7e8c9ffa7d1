//! [`Passes`]: the state of a load that is repeated, because keys of sets and maps refer to objects that
//! come later.

use std::cell::Cell;

use super::elements::Elements;
use super::report::Extent;

/// The largest number of passes. If the order of keys depends on other sets, whose order depends on
/// further sets, each pass completes the sets of one level.
pub(super) const MAX_PASSES: u32 = 8;

/// The passes of a load.
#[derive(Default)]
pub(crate) struct Passes {
    /// The number of pointers that were loaded.
    pub(crate) pointers: u32,
    /// The number of passes before the current one.
    pub(super) done: u32,
    /// Whether a container is incomplete, or may be.
    pub(super) again: bool,
    /// Whether comparing keys may depend on other containers with such keys.
    pub(super) nested: bool,
    /// A digest of how the keys compared, in the current pass and in the previous one.
    pub(super) digest: u64,
    pub(super) last: Option<u64>,
    /// Whether objects without a cell are created again in each pass.
    pub(super) moves: bool,
    /// The number of objects that are complete, in the order of their ids, before the first one
    /// that is not.
    pub(super) complete: usize,
    /// The number of objects that belong to earlier roots.
    pub(super) kept: usize,
}

/// In the [context](Options::provide) of loads that are parts of one load: their findings about keys
/// that refer to objects of other parts.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct OtherParts {
    /// Whether objects of other parts may be incomplete.
    pub incomplete: Cell<bool>,
    /// Whether a container is empty because of that, and all parts must be loaded again.
    pub again: Cell<bool>,
}

/// The state of a session before a root.
#[doc(hidden)]
pub struct BeforeRoot {
    pub(super) extent: Extent,
    /// The count of each error in the report.
    pub(super) counts: Vec<u64>,
    pub(super) elements: Elements,
    pub(super) held: usize,
    #[cfg(feature = "slotmap")]
    pub(super) unused: (u64, u64),
}

impl Passes {
    /// Returns whether the content of shared objects is being replaced.
    #[inline]
    pub(crate) fn replace(&self) -> bool {
        self.done > 0
    }
}
