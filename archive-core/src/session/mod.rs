//! [`Session`]: the state of one save or one load.

mod addresses;
mod budget;
mod elements;
mod in_place_attempt;
mod loaded;
mod makers;
mod notes;
mod once;
mod report;
mod saved;
mod trees;
mod unknown;

use elements::Elements;
pub use elements::EmptyElements;
pub use loaded::{Entry, LoadTable, State};
use makers::Makers;
pub use report::{Note, NoteKind, Report};
pub use saved::{DeferredBody, SaveTable};
pub(crate) use trees::Mention;
pub use trees::Origin;

use crate::archive::Archive;
use crate::block::{self, Asked, Size};
use crate::decoder::Mark;
use crate::encoder::UNKNOWN_LEN;
use crate::error::{Error, Result};
use crate::key::has_name;
use crate::limits::Limits;
use crate::members::name::Key;
use crate::options::Options;
use crate::shape::Shape;
use budget::Budget;
use in_place_attempt::InPlaceAttempt;
use trees::LoadedTrees;
use unknown::LoadedUnknown;

/// The state of one save or one load: the objects visited so far, the depth of nesting, and the
/// report. Every [`Archive`] has a session; a tool that implements `Archive` itself creates one
/// with [`Session::new`].
#[derive(Default)]
pub struct Session {
    #[doc(hidden)]
    pub saved: SaveTable,
    #[doc(hidden)]
    pub loaded: LoadTable,
    pub(crate) makers: Makers,
    #[doc(hidden)]
    pub report: Report,
    pub(crate) reporting: bool,
    /// With [`Options::strict`], the members of the open objects that were requested and are
    /// absent: an unknown member is probably one of them, misspelt.
    pub(crate) absent: Vec<String>,
    pub(crate) depth: usize,
    /// The number of tracked pointers that are open, and the depth of the outermost one.
    pub(crate) pointers_open: usize,
    pub(crate) pointer_base: usize,
    /// The depth of the root.
    root_depth: usize,
    pub(crate) elements: Elements,
    /// The depth of the items of a list being saved whose length is not known; they are counted one
    /// by one. 0 if the length of the innermost list is known.
    pub(crate) uncounted: usize,
    /// Whether objects that were referred to and not read are being filled.
    pub(crate) filling: bool,
    /// The counters for [`Limits::generations`](crate::Limits::generations) and
    /// [`Limits::padding`](crate::Limits::padding).
    #[cfg(feature = "slotmap")]
    pub(crate) generations: u64,
    #[cfg(feature = "slotmap")]
    pub(crate) padding: u64,
    #[doc(hidden)]
    pub size_hint: usize,
    /// The limits for memory that is reserved because the file claims a length, and for trees and
    /// reports.
    budget: Budget,
    /// The announced shape of the value that is loaded next, if its function accepts a value of any
    /// shape.
    pub(crate) expected: Option<&'static Shape>,
    pub(crate) trees: LoadedTrees,
    pub(crate) unknown: LoadedUnknown,
    /// Whether a value is being loaded that may have to be loaded again.
    pub(crate) in_place_attempt: InPlaceAttempt,
    /// Whether the load ends with the current error, whatever the options say: a value stayed as
    /// its own function refused it, because nothing could replace it, or the report has no room for
    /// another error.
    pub(crate) broken: bool,
    /// Whether the map being saved or loaded has the form of an object.
    pub(crate) keyed: bool,
    /// Maps that begin at a depth less than this are saved as objects, because the field that holds
    /// them requests it.
    pub(crate) objects_to: usize,
    /// Whether made-up data is loaded, only to find out what functions visit. The program does not
    /// see the values.
    pub(crate) exploring: bool,
    /// The names of the members that hand-written functions have saved in the open objects.
    pub(crate) names: Vec<Key>,
    /// Notes about weak pointers whose object is not known yet: the index of the note, and the id.
    weak_notes: Vec<(usize, u64)>,
    version: u32,
}

/// The current nesting of a session.
#[derive(Clone, Copy)]
pub(crate) struct Levels {
    depth: usize,
    version: u32,
    keyed: bool,
}

impl Session {
    /// Creates a session.
    pub fn new() -> Self {
        Session::default()
    }

    /// Creates a session that collects a [`Report`].
    pub(crate) fn reporting() -> Self {
        Session { reporting: true, ..Session::default() }
    }

    /// Returns the current depth of nesting.
    #[doc(hidden)]
    #[inline]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns whether a [`Report`] is collected.
    #[inline]
    pub fn is_reporting(&self) -> bool {
        self.reporting
    }

    /// Returns whether errors go into the report: [`Options::keep_going`].
    #[inline]
    pub(crate) fn keeps_going(&self, options: &Options<'_>) -> bool {
        options.keep_going && self.reporting && !self.broken
    }

    /// Puts an error into the report.
    ///
    /// # Errors
    /// Returns the error if the report has as many as [`Limits::errors`](crate::Limits::errors)
    /// allows. The load then ends.
    #[cold]
    pub(crate) fn keep_error(&mut self, error: Error, options: &Options<'_>) -> Result {
        let limit = options.get_limits().errors;
        if self.report.errors.len() >= limit {
            self.broken = true;
            let errors = if limit == 1 { "error" } else { "errors" };
            return Err(error.with_note(format_args!(
                "more than {limit} {errors} (`Options::max_errors` raises the limit)"
            )));
        }
        self.add_error(error);
        Ok(())
    }

    /// Returns the report so far.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Returns the version of the object being visited.
    #[inline]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Sets the version of the object being visited, and returns the previous one.
    #[inline]
    pub fn set_version(&mut self, version: u32) -> u32 {
        std::mem::replace(&mut self.version, version)
    }

    /// Returns the current nesting, to restore it after an error.
    pub(crate) fn levels(&self) -> Levels {
        let Session { depth, version, keyed, .. } = *self;
        Levels { depth, version, keyed }
    }

    pub(crate) fn set_levels(&mut self, levels: Levels) {
        (self.depth, self.version, self.keyed) = (levels.depth, levels.version, levels.keyed);
    }

    /// Returns the number of collected errors and of absent members, to find out later which were
    /// added since.
    #[doc(hidden)]
    #[inline]
    pub fn noticed(&self) -> (usize, usize) {
        (self.report.errors.len(), self.absent.len())
    }

    /// Removes the notes about weak pointers whose objects turned out to be held.
    pub(crate) fn resolve_weak(&mut self) {
        let loaded = &mut self.loaded;
        let mut held = |id| matches!(loaded.get(id), Some(entry) if entry.strong);
        let (gone, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.weak_notes).into_iter().partition(|(_, id)| held(*id));
        // This runs after every root, so the notes are only searched if something has to be
        // removed.
        if !gone.is_empty() {
            let mut gone = gone.into_iter().map(|(note, _)| note).peekable();
            let mut index = 0;
            self.report.notes.retain(|_| {
                index += 1;
                gone.next_if(|note| *note == index - 1).is_none()
            });
        }
        // Only a later root can resolve the other ones. Its notes come after these.
        self.weak_notes = kept;
    }

    /// Called when the load is complete: empties the objects of values that were left out after
    /// errors.
    pub(crate) fn left_out(&self, options: &Options<'_>) {
        if options.keep_going && !self.report.errors.is_empty() {
            self.loaded.empty_unheld(options);
        }
    }

    /// Enters one more level.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit) if that is too deep.
    #[inline]
    pub fn enter(&mut self, options: &Options<'_>) -> Result {
        self.depth += 1;
        let limit = options.get_limits().depth;
        if self.depth > limit { Err(Error::too_deep(limit).unread()) } else { Ok(()) }
    }

    /// Returns whether values of that size, with that many elements together, can be saved or
    /// loaded here at once. If not, they are visited piece by piece, which shows the one that is
    /// too deep or too many.
    #[doc(hidden)]
    #[inline(always)]
    pub fn fits(&mut self, size: Size, elements: u64, options: &Options<'_>) -> bool {
        let deep = size.levels > 0 && self.depth + size.levels > options.get_limits().depth;
        let many = elements > 0 && elements > self.elements.left;
        if !(deep | many) {
            return true;
        }
        !deep && self.elements.begins_with(elements, options)
    }

    /// Returns the error for a value that does not [fit](Session::fits): the one that visiting it
    /// piece by piece would give.
    #[doc(hidden)]
    #[cold]
    pub fn limit_error(&mut self, value: Asked, options: &Options<'_>) -> Error {
        self.elements.are_unset(options);
        let limits = options.get_limits();
        let room = limits.depth.saturating_sub(self.depth);
        block::limit_error(value, room, self.elements.left, limits)
    }

    /// Counts the elements of values that [fit](Session::fits).
    #[doc(hidden)]
    #[inline(always)]
    pub fn count_fitting(&mut self, elements: u64) {
        self.elements.left = self.elements.left.wrapping_sub(elements);
    }

    /// Enters an entry of a map, whose key and value count as elements. The entry itself has been
    /// counted.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit),
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit).
    #[doc(hidden)]
    #[inline]
    pub fn enter_entry(&mut self, options: &Options<'_>) -> Result {
        self.enter(options)?;
        self.count_all(2, options)
    }

    /// Returns whether a map of that shape that begins here is saved as an object, if the format
    /// leaves the choice.
    #[doc(hidden)]
    #[inline]
    pub fn names_keys(&self, shape: &'static Shape, options: &Options<'_>) -> bool {
        self.depth < self.objects_to || options.maps_as_objects && have_names(shape)
    }

    /// Leaves one level.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Returns the announced shape of the value that is loaded next, if its function accepts any
    /// shape.
    #[doc(hidden)]
    pub fn take_expected(&mut self) -> Option<&'static Shape> {
        self.expected.take()
    }

    /// Ends the body at `at` of an object, which was loaded or failed. If it failed, the pointer
    /// that had it does not hold the object any more. Objects without an id are not in the table.
    #[doc(hidden)]
    #[inline]
    pub fn end_body(&mut self, id: u64, at: Mark, loaded: bool) {
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
        if std::mem::replace(&mut self.filling, true) { None } else { Some(self.next_to_fill()) }
    }

    /// Returns the ids of objects that were created since and are not filled.
    #[doc(hidden)]
    pub fn next_to_fill(&mut self) -> Vec<u64> {
        self.loaded.take_pending()
    }

    /// Ends what [`begin_filling`](Session::begin_filling) began. The objects `left` are still not
    /// filled.
    #[doc(hidden)]
    pub fn end_filling(&mut self, left: &[u64]) {
        self.filling = false;
        self.loaded.put_back_pending(left);
    }

    /// Begins the body at `at` of an object. Returns `false` if the object was filled in the
    /// meantime.
    #[doc(hidden)]
    pub fn begin_body(&mut self, id: u64, at: Mark) -> bool {
        match self.loaded.get(id) {
            Some(entry) if entry.state == State::Pending => {
                entry.advance(State::Loading, at);
                true
            }
            _ => false,
        }
    }

    /// Returns whether an object was created and is not filled.
    #[doc(hidden)]
    pub fn waits(&mut self, id: u64) -> bool {
        self.loaded.get(id).is_some_and(|entry| entry.state == State::Pending)
    }

    /// Begins a root.
    pub(crate) fn begin_root(&mut self) {
        self.root_depth = self.depth;
    }

    /// Returns whether the root or one of its members is being visited, and nothing inside of them.
    #[doc(hidden)]
    pub fn is_in_root(&self) -> bool {
        self.depth <= self.root_depth + 1
    }

    /// Begins to save a pointer. `tracked` is whether it has a body that other pointers may refer
    /// to. Returns whether it is the outermost such pointer.
    #[doc(hidden)]
    pub fn open_pointer(&mut self, tracked: bool) -> bool {
        let outermost = tracked && self.pointers_open == 0;
        if outermost {
            self.pointer_base = self.depth;
        }
        self.pointers_open += usize::from(tracked);
        outermost
    }

    /// Ends a pointer being saved.
    #[doc(hidden)]
    pub fn close_pointer(&mut self, tracked: bool) {
        self.pointers_open -= usize::from(tracked);
    }

    /// Returns whether any bodies are deferred.
    #[doc(hidden)]
    pub fn has_deferred(&self) -> bool {
        self.saved.has_deferred()
    }

    /// Adds a deferred body that the archive itself keeps.
    #[doc(hidden)]
    pub fn defer(&mut self) {
        self.saved.defer(None);
    }

    /// Removes and returns the deferred body that was added first. The inner `None` is a body that
    /// the archive keeps.
    #[doc(hidden)]
    pub fn next_waiting(&mut self) -> Option<Option<DeferredBody>> {
        self.saved.next_waiting()
    }

    /// Checks a root after all of it was saved.
    ///
    /// # Errors
    /// [`ErrorKind::BadPointer`](crate::ErrorKind::BadPointer) if trees refer to objects that no
    /// tree holds.
    #[doc(hidden)]
    pub fn finish_saving(&self) -> Result {
        self.saved.finish_trees()
    }

    /// Returns whether the body of a pointer that begins here is deferred. `levels` is the depth
    /// beyond which bodies are.
    #[doc(hidden)]
    pub fn defers(&self, options: &Options<'_>, levels: usize) -> bool {
        // A body needs some levels of its own, so it is deferred near the limit as well.
        const ROOM: usize = 16;
        // The levels of the outermost pointer, of the list at its end, and of the pointer in that
        // list.
        const WAITING: usize = 3;
        if self.pointers_open == 0 {
            return false;
        }
        let inside = self.depth - self.pointer_base;
        inside >= levels + self.saved.waiting_levels()
            || inside >= WAITING && self.depth + ROOM > options.get_limits().depth
    }

    /// Counts one element: an item of a sequence of unknown length, or one that is loaded.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit) if there are too many.
    #[inline]
    pub fn count(&mut self, options: &Options<'_>) -> Result {
        if self.elements.take(1, options) { Ok(()) } else { Err(too_many_elements(options)) }
    }

    /// Counts bytes as a list of numbers, which is how formats without a better form store them.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit),
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit).
    #[doc(hidden)]
    pub fn count_bytes(&mut self, bytes: &[u8], options: &Options<'_>) -> Result {
        self.enter(options)?;
        self.count_all(bytes.len() as u64, options)?;
        self.leave();
        Ok(())
    }

    /// Begins to save a list of length `len`. Returns the outer value of `uncounted`.
    pub(crate) fn begin_items(&mut self, len: usize) -> usize {
        let uncounted = if len == UNKNOWN_LEN { self.depth } else { 0 };
        std::mem::replace(&mut self.uncounted, uncounted)
    }

    /// Counts an item that was not counted with its list.
    #[inline]
    pub(crate) fn count_uncounted(&mut self, options: &Options<'_>) -> Result {
        if self.uncounted == self.depth && self.depth > 0 { self.count(options) } else { Ok(()) }
    }

    /// Counts elements, if the limit allows that many.
    #[doc(hidden)]
    #[inline(always)]
    pub fn take_elements(&mut self, count: u64, options: &Options<'_>) -> bool {
        self.elements.take(count, options)
    }

    /// Takes back a count of elements that will be counted again when they are visited.
    #[doc(hidden)]
    #[inline]
    pub fn give_back_elements(&mut self, count: u64) {
        self.elements.give_back(count);
    }

    /// Counts all elements of a sequence.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit) if there are too many.
    #[inline(always)]
    pub fn count_all(&mut self, count: u64, options: &Options<'_>) -> Result {
        if self.take_elements(count, options) {
            Ok(())
        } else {
            Err(one_too_many(self.elements.left, options))
        }
    }
}

/// Returns whether all keys of a map of that shape have names.
#[cold]
fn have_names(shape: &'static Shape) -> bool {
    matches!(shape, Shape::Map(key, _) if has_name(key.get()))
}

/// Runs `visit` one level deeper, for values that nest without an object or a sequence around them.
///
/// # Errors
/// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit), and those of `visit`.
#[doc(hidden)]
#[inline]
pub fn nested<A: Archive, R>(ar: &mut A, visit: impl FnOnce(&mut A) -> Result<R>) -> Result<R> {
    let limit = ar.options().get_limits().depth;
    let session = ar.session_mut();
    session.depth += 1;
    if session.depth > limit {
        return Err(Error::too_deep(limit).unread());
    }
    let result = visit(ar)?;
    ar.session_mut().depth -= 1;
    Ok(result)
}

/// Returns the error for a list of which only the first `left` items are allowed.
#[cold]
#[inline(never)]
fn one_too_many(left: u64, options: &Options<'_>) -> Error {
    too_many_elements(options).in_item(left as usize)
}

#[cold]
fn too_many_elements(options: &Options<'_>) -> Error {
    exceeded(options.get_limits())
}

/// Returns the error for more elements than the limit.
#[cold]
pub(crate) fn exceeded(limits: &Limits) -> Error {
    Error::too_many(limits.elements, "elements", "max_elements").unread()
}
