//! Repeats loads if keys of sets and maps refer to objects that come later.
//!
//! A key is compared with others when it is added. If it refers to a shared object that is not
//! complete at that time, its container is left empty, and the root is loaded again after all
//! objects were loaded. The objects are kept, and their content is replaced object by object. Each
//! key then finds its objects complete, even those that contain its own container.
// Why: docs/decisions/pointers.md#keys-of-later-objects-reload-the-root

use super::Session;
use super::passes::{BeforeRoot, MAX_PASSES, OtherParts, Passes};
use super::unknown::LoadedUnknown;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::Shape;
use crate::state::chains::may_key;
use crate::state::options::Options;

impl Session {
    /// Counts a pointer that was loaded.
    #[inline]
    pub(crate) fn count_pointer(&mut self) {
        self.loaded.passes.pointers = self.loaded.passes.pointers.wrapping_add(1);
    }

    /// Returns whether keys with pointers that were loaded for a container are added to it.
    pub(crate) fn adds_keys(&mut self, key: &'static Shape, options: &Options<'_>) -> bool {
        if let Some(parts) = options.context::<OtherParts>()
            && parts.incomplete.get()
        {
            parts.again.set(true);
            return false;
        }
        let passes = &self.loaded.passes;
        if passes.done > 0 {
            return true;
        }
        if passes.again || !self.all_complete() {
            self.loaded.passes.again = true;
            self.loaded.passes.nested |= may_key(key, options.settings().registry());
            return false;
        }
        true
    }

    /// Returns whether all objects that were created are complete.
    fn all_complete(&mut self) -> bool {
        self.loaded.passes.complete = self.loaded.complete_from(self.loaded.passes.complete);
        self.loaded.are_all(self.loaded.passes.complete)
    }

    /// Records how the keys that are added to a container compared.
    pub(crate) fn note_keys(&mut self, digest: impl FnOnce() -> u64) {
        let passes = &mut self.loaded.passes;
        if passes.done > 0 && passes.nested {
            passes.digest = passes.digest.rotate_left(5) ^ digest();
        }
    }

    /// Returns the state to restore if the root is loaded again.
    pub(crate) fn before_root(&self) -> BeforeRoot {
        BeforeRoot {
            extent: self.reporting.report.extent(),
            counts: self.reporting.report.groups.iter().map(|group| group.count).collect(),
            elements: self.budget.elements,
            held: self.held(),
            #[cfg(feature = "slotmap")]
            unused: (self.budget.generations, self.budget.padding),
        }
    }

    /// Returns whether the root must be loaded again, and prepares that. `skips` is whether the archive can
    /// skip objects; objects without keys are then not loaded again.
    ///
    /// # Errors
    /// [`ErrorKind::BadPointer`] if keys compare differently each time.
    pub(crate) fn begins_again(
        &mut self,
        before: &BeforeRoot,
        skips: bool,
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
            // Objects without a cell have a new address after each pass.
            let may_differ = passes.moves;
            self.loaded.passes = Passes { kept: passes.kept, ..Passes::default() };
            return if settled || may_differ { Ok(false) } else { Err(unsettled()) };
        }
        self.forget_notes(before.extent);
        for (group, &count) in self.reporting.report.groups.iter_mut().zip(&before.counts) {
            group.count = count;
        }
        self.budget.elements = before.elements;
        let held = self.held();
        self.let_go(held - before.held.min(held));
        #[cfg(feature = "slotmap")]
        {
            (self.budget.generations, self.budget.padding) = before.unused;
        }
        self.reporting.absent.clear();
        self.unknown = LoadedUnknown::default();
        self.trees.begin_again();
        let registry = options.settings().registry();
        let stays = |shape| skips && !may_key(shape, registry);
        let removed = self.loaded.begin_again(|entry| stays((entry.identity)().shape));
        self.loaded.passes.moves |= removed;
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
