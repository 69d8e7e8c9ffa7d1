//! [`Session`]: the state of one save or one load.

mod addresses;
mod budget;
mod elements;
mod loaded;
mod makers;
mod notes;
mod once;
mod report;
mod saved;
mod trees;
mod trial;
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
use trees::LoadedTrees;
use trial::Trial;
use unknown::LoadedUnknown;

/// The state of one save or one load: which objects have been met, how deep the value nests, what
/// there is to report. Every [`Archive`] has one; a tool that implements `Archive` itself makes one
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
    /// Under [`Options::strict`], the members of the open objects that were asked for and are not
    /// there: an unknown member is probably one of them, misspelt.
    pub(crate) absent: Vec<String>,
    pub(crate) depth: usize,
    /// How many tracked pointers are open, and the depth at which the outermost one stands.
    pub(crate) pointers_open: usize,
    pub(crate) pointer_base: usize,
    /// How deep the root stands.
    root_depth: usize,
    pub(crate) elements: Elements,
    /// The level of the items of a list being saved whose length is not known: they are counted as they
    /// come. 0 if the length of the innermost list is known.
    pub(crate) uncounted: usize,
    /// Whether objects are being filled that were referred to and not met.
    pub(crate) filling: bool,
    /// What counts against [`Limits::generations`](crate::Limits::generations) and
    /// [`Limits::padding`](crate::Limits::padding).
    #[cfg(feature = "slotmap")]
    pub(crate) generations: u64,
    #[cfg(feature = "slotmap")]
    pub(crate) padding: u64,
    #[doc(hidden)]
    pub size_hint: usize,
    /// What the load may take on the word of the file, and for what says more than that.
    budget: Budget,
    /// What the value that is loaded next was announced as, if its function does not ask for that but
    /// takes whatever is there.
    pub(crate) expected: Option<&'static Shape>,
    pub(crate) trees: LoadedTrees,
    pub(crate) unknown: LoadedUnknown,
    /// Whether a value is being loaded that may be loaded again.
    pub(crate) trial: Trial,
    /// Whether the load ends with the error at hand, whatever the options say: a value was left as its own
    /// function refused it, since nothing could take its place, or the report has no room for another error.
    pub(crate) broken: bool,
    /// Whether the map being saved or loaded is written as an object.
    pub(crate) keyed: bool,
    /// Maps that begin above this level are saved as objects, since the field that holds them asks for it.
    pub(crate) objects_to: usize,
    /// Whether what is loaded is made up, to see what functions visit: values are nobody's.
    pub(crate) exploring: bool,
    /// The names of the members that hand-written functions saved in the objects that are open.
    pub(crate) names: Vec<Key>,
    /// Notes about weak pointers whose object is not known yet: the note and the id.
    weak_notes: Vec<(usize, u64)>,
    version: u32,
}

/// Where in the value a session is.
#[derive(Clone, Copy)]
pub(crate) struct Levels {
    depth: usize,
    version: u32,
    keyed: bool,
}

impl Session {
    /// A fresh state.
    pub fn new() -> Self {
        Session::default()
    }

    /// A fresh state that collects a [`Report`].
    pub(crate) fn reporting() -> Self {
        Session { reporting: true, ..Session::default() }
    }

    /// How deep the value nests here.
    #[doc(hidden)]
    #[inline]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Whether a [`Report`] is collected.
    #[inline]
    pub fn is_reporting(&self) -> bool {
        self.reporting
    }

    /// Whether errors go into the report: [`Options::keep_going`].
    #[inline]
    pub(crate) fn keeps_going(&self, options: &Options<'_>) -> bool {
        options.keep_going && self.reporting && !self.broken
    }

    /// Puts an error into the report.
    ///
    /// # Errors
    /// It, if the report has as many as [`Limits::errors`](crate::Limits::errors) allows. Then the load ends.
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

    /// What there is to report so far.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The version of the object being visited.
    #[inline]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Sets the version of the object being visited and gives the one before.
    #[inline]
    pub fn set_version(&mut self, version: u32) -> u32 {
        std::mem::replace(&mut self.version, version)
    }

    /// Where in the value the session is, to come back to after an error.
    pub(crate) fn levels(&self) -> Levels {
        let Session { depth, version, keyed, .. } = *self;
        Levels { depth, version, keyed }
    }

    pub(crate) fn set_levels(&mut self, levels: Levels) {
        (self.depth, self.version, self.keyed) = (levels.depth, levels.version, levels.keyed);
    }

    /// How many errors were kept and how many members were absent, to tell later what was added since.
    #[doc(hidden)]
    #[inline]
    pub fn noticed(&self) -> (usize, usize) {
        (self.report.errors.len(), self.absent.len())
    }

    /// Drops the notes about weak pointers that came back.
    pub(crate) fn resolve_weak(&mut self) {
        let loaded = &mut self.loaded;
        let mut held = |id| matches!(loaded.get(id), Some(entry) if entry.strong);
        let (gone, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.weak_notes).into_iter().partition(|(_, id)| held(*id));
        // This runs after every root, so the notes are passed over only if there is a reason.
        if !gone.is_empty() {
            let mut gone = gone.into_iter().map(|(note, _)| note).peekable();
            let mut index = 0;
            self.report.notes.retain(|_| {
                index += 1;
                gone.next_if(|note| *note == index - 1).is_none()
            });
        }
        // What is left can only be resolved by a later root, whose notes come after these.
        self.weak_notes = kept;
    }

    /// The load is complete: empties the objects of values that were left out after errors.
    pub(crate) fn left_out(&self, options: &Options<'_>) {
        if options.keep_going && !self.report.errors.is_empty() {
            self.loaded.empty_unheld(options);
        }
    }

    /// Goes one level deeper.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit).
    #[inline]
    pub fn enter(&mut self, options: &Options<'_>) -> Result {
        self.depth += 1;
        let limit = options.get_limits().depth;
        if self.depth > limit { Err(Error::too_deep(limit).unread()) } else { Ok(()) }
    }

    /// Whether values of that size, with so many elements together, may be saved or loaded here in one go.
    /// If not, they are visited piece by piece, and it shows which is too deep or one too many.
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

    /// The error for a value that does not [fit](Session::fits): the one that is met piece by piece.
    #[doc(hidden)]
    #[cold]
    pub fn misfit(&mut self, value: Asked, options: &Options<'_>) -> Error {
        self.elements.are_unset(options);
        let limits = options.get_limits();
        let room = limits.depth.saturating_sub(self.depth);
        block::misfit(value, room, self.elements.left, limits)
    }

    /// Counts elements of values that [fit](Session::fits).
    #[doc(hidden)]
    #[inline(always)]
    pub fn count_fitting(&mut self, elements: u64) {
        self.elements.left = self.elements.left.wrapping_sub(elements);
    }

    /// Goes into an entry of a map, whose key and value are elements as well; the entry itself was counted.
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

    /// Whether a map of that shape that begins here is saved as an object, where the format leaves the choice.
    #[doc(hidden)]
    #[inline]
    pub fn names_keys(&self, shape: &'static Shape, options: &Options<'_>) -> bool {
        self.depth < self.objects_to || options.maps_as_objects && have_names(shape)
    }

    /// Comes back from one level.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// What the value that is loaded next was announced as, if its function takes whatever is there.
    #[doc(hidden)]
    pub fn take_expected(&mut self) -> Option<&'static Shape> {
        self.expected.take()
    }

    /// The body of the object that stands at `at` was loaded, or it failed: then the pointer that had it
    /// holds the object no more. Objects without an id are not known.
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

    /// How many objects were made.
    #[doc(hidden)]
    #[inline]
    pub fn objects(&self) -> usize {
        self.loaded.len()
    }

    /// Objects are about to be filled that were made already: the ids of those that wait for it. None if
    /// they are being filled already.
    #[doc(hidden)]
    pub fn begin_filling(&mut self) -> Option<Vec<u64>> {
        if std::mem::replace(&mut self.filling, true) { None } else { Some(self.next_to_fill()) }
    }

    /// The ids of objects that were made since and wait to be filled.
    #[doc(hidden)]
    pub fn next_to_fill(&mut self) -> Vec<u64> {
        self.loaded.take_pending()
    }

    /// Ends what [`begin_filling`](Session::begin_filling) began; those objects still wait.
    #[doc(hidden)]
    pub fn end_filling(&mut self, left: &[u64]) {
        self.filling = false;
        self.loaded.put_back_pending(left);
    }

    /// The body of an object that waits to be filled begins at `at`. `false` if it was filled meanwhile.
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

    /// Whether an object waits to be filled.
    #[doc(hidden)]
    pub fn waits(&mut self, id: u64) -> bool {
        self.loaded.get(id).is_some_and(|entry| entry.state == State::Pending)
    }

    /// A root begins here.
    pub(crate) fn begin_root(&mut self) {
        self.root_depth = self.depth;
    }

    /// Whether the root is being visited, or its members are: nothing inside of them.
    #[doc(hidden)]
    pub fn is_in_root(&self) -> bool {
        self.depth <= self.root_depth + 1
    }

    /// A pointer is being saved; `tracked` if it has a body that others refer to. Whether it is the
    /// outermost one.
    #[doc(hidden)]
    pub fn open_pointer(&mut self, tracked: bool) -> bool {
        let outermost = tracked && self.pointers_open == 0;
        if outermost {
            self.pointer_base = self.depth;
        }
        self.pointers_open += usize::from(tracked);
        outermost
    }

    /// The pointer has been saved.
    #[doc(hidden)]
    pub fn close_pointer(&mut self, tracked: bool) {
        self.pointers_open -= usize::from(tracked);
    }

    /// Whether bodies of objects wait to be saved.
    #[doc(hidden)]
    pub fn has_deferred(&self) -> bool {
        self.saved.has_deferred()
    }

    /// A body waits that the archive keeps.
    #[doc(hidden)]
    pub fn defer(&mut self) {
        self.saved.defer(None);
    }

    /// The body that waits longest: none if the archive has it.
    #[doc(hidden)]
    pub fn next_waiting(&mut self) -> Option<Option<DeferredBody>> {
        self.saved.next_waiting()
    }

    /// All of a root has been saved.
    ///
    /// # Errors
    /// [`ErrorKind::BadPointer`](crate::ErrorKind::BadPointer) if trees refer to objects that none of them
    /// holds.
    #[doc(hidden)]
    pub fn finish_saving(&self) -> Result {
        self.saved.finish_trees()
    }

    /// Whether the body of a pointer that begins here should wait, where bodies do past so many levels.
    #[doc(hidden)]
    pub fn defers(&self, options: &Options<'_>, levels: usize) -> bool {
        // A body needs some levels of its own, so near the limit it waits as well.
        const ROOM: usize = 16;
        // Inside of the outermost pointer, of the list at its end, and of the pointer there.
        const WAITING: usize = 3;
        if self.pointers_open == 0 {
            return false;
        }
        let inside = self.depth - self.pointer_base;
        inside >= levels + self.saved.waiting_levels()
            || inside >= WAITING && self.depth + ROOM > options.get_limits().depth
    }

    /// Counts an element: an item of a sequence whose length is not known, or one that is loaded.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit).
    #[inline]
    pub fn count(&mut self, options: &Options<'_>) -> Result {
        if self.elements.take(1, options) { Ok(()) } else { Err(too_many_elements(options)) }
    }

    /// Counts bytes, as the list of numbers that they are where a format has nothing better.
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

    /// A list of that length is being saved. Says which items were counted one by one around it.
    pub(crate) fn begin_items(&mut self, len: usize) -> usize {
        let uncounted = if len == UNKNOWN_LEN { self.depth } else { 0 };
        std::mem::replace(&mut self.uncounted, uncounted)
    }

    /// Counts an item that was not counted with its list.
    #[inline]
    pub(crate) fn count_uncounted(&mut self, options: &Options<'_>) -> Result {
        if self.uncounted == self.depth && self.depth > 0 { self.count(options) } else { Ok(()) }
    }

    /// Counts elements, if the limit allows so many.
    #[doc(hidden)]
    #[inline(always)]
    pub fn take_elements(&mut self, count: u64, options: &Options<'_>) -> bool {
        self.elements.take(count, options)
    }

    /// Takes back that elements were counted, which are counted again when they are met.
    #[doc(hidden)]
    #[inline]
    pub fn give_back_elements(&mut self, count: u64) {
        self.elements.give_back(count);
    }

    /// Counts all elements of a sequence.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit).
    #[inline(always)]
    pub fn count_all(&mut self, count: u64, options: &Options<'_>) -> Result {
        if self.take_elements(count, options) {
            Ok(())
        } else {
            Err(one_too_many(self.elements.left, options))
        }
    }
}

/// Whether the keys of a map of that shape have names.
#[cold]
fn have_names(shape: &'static Shape) -> bool {
    matches!(shape, Shape::Map(key, _) if has_name(key.get()))
}

/// Runs `visit` one level deeper: for values that nest without an object or a sequence around them.
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

/// The error of a list of which not all items fit.
#[cold]
#[inline(never)]
fn one_too_many(left: u64, options: &Options<'_>) -> Error {
    too_many_elements(options).in_item(left as usize)
}

#[cold]
fn too_many_elements(options: &Options<'_>) -> Error {
    exceeded(options.get_limits())
}

/// There are more elements than the limit.
#[cold]
pub(crate) fn exceeded(limits: &Limits) -> Error {
    Error::too_many(limits.elements, "elements", "max_elements").unread()
}
