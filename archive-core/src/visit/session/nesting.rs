//! [`Nesting`]: how many values and levels are open.
// Why: docs/decisions/limits-and-unsafe.md#a-level-is-an-object

use super::noted::Begun;
use crate::state::options::Options;

/// How deep the values of a session nest, counted against both limits at once.
pub(crate) struct Nesting {
    /// The open values in the lower half, and the open [levels](crate::Limits::depth) in the upper
    /// one. Both start at [`base`](Self::base), so that the highest bit of a half is set when its
    /// limit is exceeded.
    pub(super) count: u64,
    /// The start of the count: computed from the limits, or from the limit 0 for each half before
    /// the options were read.
    pub(super) base: u64,
    /// Whether every open value counts as a level.
    pub(crate) one_each: bool,
    /// The depth of the root.
    pub(super) root: usize,
    /// The number of tracked pointers that are open, and the depth of the outermost one.
    pub(super) pointers_open: usize,
    pub(super) pointer_base: usize,
    /// Maps that begin at a depth less than this are saved as objects, because their field requests
    /// it.
    pub(crate) objects_to: usize,
}

/// The amount that a value with parts adds to [`Nesting::count`].
pub(super) const VALUE: u64 = 1;
/// The amount that a value adds if it is a level.
pub(super) const LEVEL: u64 = VALUE | 1 << 32;
/// The largest limit of a half.
const MAX: u64 = u32::MAX as u64 >> 1;
/// The bits that are set when a limit is exceeded.
pub(super) const EXCEEDED: u64 = (MAX + 1) * LEVEL;

impl Default for Nesting {
    #[inline]
    fn default() -> Self {
        Nesting {
            count: MAX * LEVEL,
            base: MAX * LEVEL,
            one_each: false,
            root: 0,
            pointers_open: 0,
            pointer_base: 0,
            objects_to: 0,
        }
    }
}

/// The current nesting of a session.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Levels {
    /// Like [`Nesting::count`], from 0.
    pub(super) nesting: u64,
    pub(super) version: u32,
    pub(super) keyed: bool,
    pub(super) report: Begun,
}

impl Nesting {
    /// Returns the number of open values.
    #[inline]
    pub(super) fn depth(&self) -> usize {
        (self.count - self.base) as u32 as usize
    }

    /// Returns the number of open levels.
    pub(super) fn levels(&self) -> usize {
        ((self.count - self.base) >> 32) as usize
    }

    /// Returns how many values may be open.
    pub(super) fn max_depth(&self, options: &Options<'_>) -> usize {
        let limits = options.settings().limits();
        if self.one_each { limits.depth } else { limits.nesting() }
    }

    /// Sets the limits to those of the options.
    pub(super) fn set_limits(&mut self, options: &Options<'_>) {
        let half = |limit: usize| MAX - MAX.min(limit as u64);
        let base = half(self.max_depth(options)) | half(options.settings().limits().depth) << 32;
        (self.count, self.base) = (self.count - self.base + base, base);
    }

    /// Returns whether `more` values, each inside the one before, would exceed the limit.
    #[inline(always)]
    pub(super) fn exceeds(&self, more: usize) -> bool {
        more as u64 > MAX || (self.count + more as u64) & (MAX + 1) != 0
    }
}
