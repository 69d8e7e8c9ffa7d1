//! Loads that are repeated because keys of sets and maps refer to objects that come later.
//!
//! A key is compared with others when it is added. If it refers to a shared object that is not complete
//! then, its container stays empty, and the root is loaded again after all objects were loaded: they
//! stay, and their content is replaced object by object. So each key finds its objects complete, also
//! those that hold its container.

use super::elements::Elements;
use super::loaded::LoadTable;
use super::report::Extent;
use super::{LoadedTrees, LoadedUnknown, Session};
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::Shape;
use crate::state::chains::may_key;
use crate::state::options::Options;

/// The largest number of passes. Where the order of keys depends on other sets, whose order depends on
/// others, each pass completes the sets of one level.
const MAX_PASSES: u32 = 8;

/// The passes of a load.
#[derive(Default)]
pub(super) struct Passes {
    /// The number of pointers that were loaded.
    pointers: u32,
    /// The number of passes before the current one.
    done: u32,
    /// Whether a container is incomplete, or may be.
    again: bool,
    /// Whether comparing keys may depend on other containers of that kind.
    nested: bool,
    /// A digest of how the keys compared, in the current pass and in the one before.
    digest: u64,
    last: Option<u64>,
    /// The number of objects that are complete, in the order of their ids, before one that is not.
    complete: usize,
    /// The number of objects that belong to earlier roots.
    kept: usize,
}

/// The state of a session before a root.
#[doc(hidden)]
pub struct BeforeRoot {
    extent: Extent,
    elements: Elements,
    held: usize,
    #[cfg(feature = "slotmap")]
    unused: (u64, u64),
}

impl LoadTable {
    /// Counts a pointer.
    #[inline]
    pub(crate) fn count_pointer(&mut self) {
        self.passes.pointers = self.passes.pointers.wrapping_add(1);
    }

    /// Returns a number that changes with each pointer that is loaded.
    #[inline]
    pub(crate) fn pointers(&self) -> u32 {
        self.passes.pointers
    }

    /// Returns whether the content of shared objects is replaced.
    #[inline]
    pub(crate) fn replaces(&self) -> bool {
        self.passes.done > 0
    }

    /// Returns whether all objects that were created are complete.
    fn all_complete(&mut self) -> bool {
        self.passes.complete = self.complete_from(self.passes.complete);
        self.are_all(self.passes.complete)
    }
}

impl Session {
    /// Decides what happens to keys with pointers that were loaded for a container. Returns whether they
    /// are added to it.
    pub(crate) fn adds_keys(&mut self, key: &'static Shape, options: &Options<'_>) -> bool {
        let passes = &self.loaded.passes;
        if passes.done > 0 {
            return true;
        }
        if passes.again || !self.loaded.all_complete() {
            self.loaded.passes.again = true;
            self.loaded.passes.nested |= may_key(key, options.get_registry());
            return false;
        }
        true
    }

    /// Notes how keys compared that are added to a container.
    pub(crate) fn note_keys(&mut self, digest: impl FnOnce() -> u64) {
        let passes = &mut self.loaded.passes;
        if passes.done > 0 && passes.nested {
            passes.digest = passes.digest.rotate_left(5) ^ digest();
        }
    }

    /// Returns what must be restored if the root is loaded again.
    pub(crate) fn before_root(&self) -> BeforeRoot {
        BeforeRoot {
            extent: self.report.extent(),
            elements: self.elements,
            held: self.held(),
            #[cfg(feature = "slotmap")]
            unused: (self.generations, self.padding),
        }
    }

    /// Returns whether the root must be loaded again, and prepares that.
    ///
    /// # Errors
    /// [`ErrorKind::BadPointer`] if keys compare differently each time.
    pub(crate) fn begins_again(
        &mut self,
        before: &BeforeRoot,
        options: &Options<'_>,
    ) -> Result<bool> {
        let passes = &mut self.loaded.passes;
        if !passes.again {
            return Ok(false);
        }
        passes.done += 1;
        let digest = std::mem::take(&mut passes.digest);
        let last = passes.last.replace(digest);
        let settled = passes.done > 1 && (!passes.nested || last == Some(digest));
        if settled || passes.done == MAX_PASSES {
            let kept = self.loaded.passes.kept;
            self.loaded.passes = Passes { kept, ..Passes::default() };
            return if settled { Ok(false) } else { Err(unsettled()) };
        }
        self.forget_notes(before.extent);
        self.elements = before.elements;
        let held = self.held();
        self.let_go(held - before.held.min(held));
        #[cfg(feature = "slotmap")]
        {
            (self.generations, self.padding) = before.unused;
        }
        self.absent.clear();
        self.unknown = LoadedUnknown::default();
        let LoadedTrees { whole, marks, .. } = self.trees;
        self.trees = LoadedTrees { whole, marks, ..LoadedTrees::default() };
        let registry = options.get_registry();
        self.loaded.begin_again(|entry| !may_key((entry.identity)().shape, registry));
        self.loaded.passes.complete = 0;
        Ok(true)
    }

    /// Ends one of several roots. Its objects are not loaded again.
    pub(crate) fn keep_objects(&mut self) {
        self.loaded.passes.kept = self.loaded.keep_objects(self.loaded.passes.kept);
    }

    /// Checks that no container is incomplete, after a load that cannot be repeated.
    ///
    /// # Errors
    /// [`ErrorKind::BadPointer`] if one is.
    pub(crate) fn check_keys(&self) -> Result {
        if self.loaded.passes.again { Err(incomplete()) } else { Ok(()) }
    }
}

#[cold]
fn unsettled() -> Error {
    let message = "the keys of a set or a map depend on sets and maps that depend on these keys";
    Error::new(ErrorKind::BadPointer, message)
}

#[cold]
fn incomplete() -> Error {
    let message = "a key of a set or a map refers to an object that comes later, and the input can be \
                   read only once";
    Error::new(ErrorKind::BadPointer, message)
}
