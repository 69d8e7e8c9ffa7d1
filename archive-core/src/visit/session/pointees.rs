//! Records which pointees a session has begun, deferred and completed.
// Why: docs/decisions/pointers.md#objects-past-a-depth-are-deferred

use super::{DeferredPointee, Session, State};
use crate::model::error::Result;
use crate::model::mark::Mark;
use crate::state::options::Options;

impl Session {
    /// Ends the object stored at `at`, which was loaded or failed. If it failed, the pointer that
    /// it was stored with no longer holds the object. Objects without an id are not in the table.
    #[doc(hidden)]
    #[inline]
    pub fn end_pointee(&mut self, id: u64, at: Mark, loaded: bool) {
        if id != 0
            && let Some(entry) = self.loaded.get(id)
        {
            if loaded {
                entry.advance(State::Done, at);
            } else {
                entry.strong = false;
            }
        }
    }

    /// Returns the number of objects that were created.
    #[doc(hidden)]
    #[inline]
    pub fn objects(&self) -> usize {
        self.loaded.len()
    }

    /// Begins to fill objects that were created already. Returns the ids of those that are not
    /// filled, or `None` if objects are being filled already.
    #[doc(hidden)]
    pub fn begin_filling(&mut self) -> Option<Vec<u64>> {
        if std::mem::replace(&mut self.loaded.filling, true) {
            None
        } else {
            Some(self.next_to_fill())
        }
    }

    /// Returns the ids of objects that were created since and are not filled.
    #[doc(hidden)]
    pub fn next_to_fill(&mut self) -> Vec<u64> {
        self.loaded.take_pending()
    }

    /// Ends the filling that [`begin_filling`](Session::begin_filling) began. The objects `left`
    /// are still not filled.
    #[doc(hidden)]
    pub fn end_filling(&mut self, left: &[u64]) {
        self.loaded.filling = false;
        self.loaded.put_back_pending(left);
    }

    /// Begins the object stored at `at`. Returns `false` if the object was filled in the
    /// meantime.
    #[doc(hidden)]
    pub fn begin_pointee(&mut self, id: u64, at: Mark) -> bool {
        match self.loaded.get(id) {
            Some(entry) if entry.state == State::Pending => {
                entry.advance(State::Loading, at);
                true
            }
            _ => false,
        }
    }

    /// Returns whether an object was created but is not filled.
    #[doc(hidden)]
    pub fn waits(&mut self, id: u64) -> bool {
        self.loaded.get(id).is_some_and(|entry| entry.state == State::Pending)
    }

    /// Begins to save a pointer. `tracked` is whether it has a pointee that other pointers may
    /// refer to. Returns whether it is the outermost such pointer.
    #[doc(hidden)]
    pub fn open_pointer(&mut self, tracked: bool) -> bool {
        let outermost = tracked && self.nesting.pointers_open == 0;
        if outermost {
            self.nesting.pointer_base = self.depth();
        }
        self.nesting.pointers_open += usize::from(tracked);
        outermost
    }

    /// Ends a pointer being saved.
    #[doc(hidden)]
    pub fn close_pointer(&mut self, tracked: bool) {
        self.nesting.pointers_open -= usize::from(tracked);
    }

    /// Returns whether any objects are deferred.
    #[doc(hidden)]
    pub fn has_deferred(&self) -> bool {
        self.saved.has_deferred()
    }

    /// Adds a deferred object that the archive itself keeps.
    #[doc(hidden)]
    pub fn defer(&mut self) {
        self.saved.defer(None);
    }

    /// Removes and returns the deferred object that was added first. The inner `None` is one that
    /// the archive keeps.
    #[doc(hidden)]
    pub fn next_waiting(&mut self) -> Option<Option<DeferredPointee>> {
        self.saved.next_waiting()
    }

    /// Returns whether the object of a pointer that begins here is deferred. Objects are deferred
    /// beyond the depth `levels`.
    #[doc(hidden)]
    pub fn defers(&self, options: &Options<'_>, levels: usize) -> bool {
        // An object needs some levels itself, so it is also deferred near the limit.
        const ROOM: usize = 16;
        // The levels of the outermost pointer, of the list at its end, and of the pointer in that
        // list.
        const WAITING: usize = 3;
        if self.nesting.pointers_open == 0 {
            return false;
        }
        let inside = self.depth() - self.nesting.pointer_base;
        inside >= levels + self.saved.waiting_levels()
            || inside >= WAITING && self.is_near_limit(ROOM, options)
    }

    /// Checks a root after it was saved completely.
    ///
    /// # Errors
    /// [`ErrorKind::BadPointer`](crate::ErrorKind::BadPointer) if trees refer to objects that no
    /// tree holds.
    #[doc(hidden)]
    pub fn finish_saving(&self) -> Result {
        self.saved.finish_trees()
    }
}
