//! [`Route`]: the path that an erased archive follows to edit one place of a value. Values off the path are not
//! visited.
// Why: docs/decisions/edits-and-conversions.md#an-edit-is-a-load-of-one-place

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use crate::model::error::{Error, ErrorKind};
use crate::model::path::{Name, Step};
use crate::model::shape::Member;

/// Where the body of a step runs.
#[derive(Clone, Copy, Debug)]
pub enum Begun {
    /// On the visitor itself.
    Here,
    /// Nowhere, because there is no value, or because the visitor leaves it out.
    Over,
    /// Nowhere: there is an item, but the visitor leaves it out. More items may follow.
    Skip,
    /// In a hidden method of the archives that formats are made of.
    #[doc(hidden)]
    Elsewhere,
}

/// The route of an archive that edits a value in place, if it has one.
#[doc(hidden)]
pub type Guide<'p> = Option<&'p Route<'p>>;

/// A path and the position on it, or the end of a path.
///
/// Only the values on the path are visited. The archive takes the last step itself if it
/// [requests](Route::asking) that. At the end of a path, shared objects are those of the program,
/// and values are loaded over the existing ones.
///
/// Routes are not shared between threads. Their parts are atomic only because [`Route::LIVE`] is a
/// constant. All steps before the last one are taken without the archive: it is not called for the
/// objects and lists on the way.
#[doc(hidden)]
#[derive(Debug)]
pub struct Route<'p> {
    steps: &'p [Step],
    /// The number of steps that are taken without the archive.
    end: usize,
    /// Whether this is the end of a path.
    is_live: bool,
    /// The change in the last place, if that is an item or an entry.
    change: Option<ListChange>,
    changed: AtomicBool,
    at: AtomicUsize,
    /// One more than the number of steps to a value that can only be loaded as a whole; 0 if there
    /// is none.
    whole: AtomicUsize,
    /// The length of the name of the next step, which is compared before the name; or the reason
    /// why no member matches.
    name_len: AtomicUsize,
}

/// A change of a list or a map at the last step of a [`Route`].
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListChange {
    /// A new item before the existing one, or a new entry.
    Insert,
    /// Removes the item or the entry.
    Remove,
    /// Moves the item to that index.
    Move(usize),
}

/// The [`Route::name_len`] if the next step is not a member.
const UNNAMED: usize = usize::MAX;
/// The [`Route::name_len`] before the members of the value that was reached by a step.
const AHEAD: usize = usize::MAX - 1;
/// The [`Route::name_len`] off the path: no member matches.
const BESIDE: usize = usize::MAX - 2;

static LIVE: Route<'static> = Route {
    steps: &[],
    end: 0,
    is_live: true,
    change: None,
    changed: AtomicBool::new(false),
    at: AtomicUsize::new(0),
    whole: AtomicUsize::new(0),
    name_len: AtomicUsize::new(BESIDE),
};

impl<'p> Route<'p> {
    /// The end of any path.
    pub const LIVE: &'static Route<'static> = &LIVE;

    /// Creates a route along all steps, or with `last` along all but the last one, which the
    /// archive takes itself.
    #[must_use]
    #[inline]
    pub fn new(steps: &'p [Step], last: bool) -> Self {
        Route {
            steps,
            end: steps.len() - usize::from(last && !steps.is_empty()),
            is_live: false,
            change: None,
            changed: AtomicBool::new(false),
            at: AtomicUsize::new(0),
            whole: AtomicUsize::new(0),
            name_len: AtomicUsize::new(name_len(steps.first())),
        }
    }

    /// Lets the archive take all steps itself.
    #[must_use]
    pub fn asking(self) -> Self {
        Route { end: 0, ..self }
    }

    /// Makes the route change the list or the map at its last step.
    #[must_use]
    pub fn changing(self, change: Option<ListChange>) -> Self {
        Route { change, ..self }
    }

    /// Returns whether this is a path, as opposed to the end of one.
    #[inline]
    #[must_use]
    pub fn leads(&self) -> bool {
        !self.is_live
    }

    /// Returns the number of steps taken so far.
    #[inline]
    #[must_use]
    pub fn at(&self) -> usize {
        self.at.load(Relaxed)
    }

    /// Returns the steps.
    #[must_use]
    pub fn steps(&self) -> &'p [Step] {
        self.steps
    }

    /// Returns the next step, or `None` off the path.
    #[inline]
    #[must_use]
    pub fn next(&self) -> Option<&'p Step> {
        if self.name_len.load(Relaxed) == BESIDE { None } else { self.steps.get(self.at()) }
    }

    /// Returns whether all steps were taken.
    #[inline]
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.at() >= self.steps.len()
    }

    /// Returns the step that was taken last, as a slice.
    #[must_use]
    pub fn taken(&self) -> &'p [Step] {
        let at = self.at().min(self.steps.len());
        &self.steps[at.saturating_sub(1)..at]
    }

    /// Returns whether the archive itself takes the next step.
    #[inline]
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.at() >= self.end
    }

    /// Returns whether the next step is the last one of the path.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.at() + 1 >= self.steps.len()
    }

    /// Takes the next step.
    #[inline]
    pub fn advance(&self) {
        self.advance_to(self.at() + 1);
    }

    #[inline]
    fn advance_to(&self, at: usize) {
        self.at.store(at, Relaxed);
        self.name_len.store(name_len(self.steps.get(at)), Relaxed);
    }

    /// Returns the name of the next step.
    #[inline]
    #[must_use]
    pub fn name(&self) -> Option<&'p Name> {
        match self.next() {
            Some(Step::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns whether the next step has that name.
    #[must_use]
    pub fn is_name(&self, name: &str) -> bool {
        self.name().is_some_and(|next| **next == *name)
    }

    /// Returns the index of the next step.
    #[inline]
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        match self.next() {
            Some(Step::Index(index)) => Some(*index),
            _ => None,
        }
    }

    /// Ends the value that was reached by the last step. Nothing after it is on the path.
    #[inline(always)]
    pub fn end(&self) {
        self.name_len.store(BESIDE, Relaxed);
    }

    /// Returns whether that member is the next step.
    #[inline(always)]
    pub(crate) fn leads_to(&self, info: &'static Member) -> bool {
        self.name_len.load(Relaxed) == info.name.len() && self.has_name(info.name.as_bytes())
    }

    /// Returns whether the next step, whose name has that length, has that name.
    #[inline]
    fn has_name(&self, name: &[u8]) -> bool {
        let Some(Step::Name(next)) = self.steps.get(self.at()) else { return false };
        let next = next.as_bytes();
        // Most other names begin with another letter.
        next.first() == name.first() && next == name
    }

    /// Takes the next step, unless the archive takes it itself. No member matches until an object
    /// is [entered](Route::enter), so that nothing after a null is visited.
    pub(crate) fn take_step(&self) -> bool {
        let at = self.at();
        if at >= self.end {
            return false;
        }
        self.at.store(at + 1, Relaxed);
        self.name_len.store(AHEAD, Relaxed);
        true
    }

    /// Begins the members of the value that was reached by the last step.
    #[inline]
    pub(crate) fn enter(&self) {
        if self.name_len.load(Relaxed) == AHEAD {
            self.name_len.store(name_len(self.next()), Relaxed);
        }
    }

    /// Like [`enter`](Route::enter), unless the archive takes the next step itself.
    #[inline]
    pub(crate) fn enters(&self) -> bool {
        let enters = !self.is_last();
        if enters {
            self.enter();
        }
        enters
    }

    /// Takes the next step if it is that item, unless the archive takes it itself.
    pub(crate) fn goes_to(&self, index: usize) -> Option<Begun> {
        if self.is_last() {
            return None;
        }
        if self.index() != Some(index) {
            return Some(Begun::Skip);
        }
        self.advance();
        Some(Begun::Here)
    }

    /// Returns the change of the list or map that is being visited, if there is one. The caller
    /// must apply it.
    #[must_use]
    pub fn list_change(&self) -> Option<ListChange> {
        let change = self.change.filter(|_| self.is_at_end())?;
        self.changed.store(true, Relaxed);
        Some(change)
    }

    /// Returns the number of steps to the value on the path that can only be loaded as a whole, if
    /// there is one.
    #[must_use]
    pub fn whole(&self) -> Option<usize> {
        self.whole.load(Relaxed).checked_sub(1)
    }

    /// Returns the error for a path into a value that can only be loaded as a whole.
    #[cold]
    pub fn refuse(&self, message: &str) -> Error {
        self.whole.store(self.at() + 1, Relaxed);
        Error::new(ErrorKind::ReadOnly, message)
    }

    /// Returns whether a list or a map has not been changed yet.
    #[must_use]
    pub fn still_changes(&self) -> bool {
        self.change.is_some() && !self.changed.load(Relaxed)
    }
}

#[inline]
fn name_len(step: Option<&Step>) -> usize {
    match step {
        Some(Step::Name(name)) => name.len(),
        _ => UNNAMED,
    }
}

/// Returns the error for a null on the path before its end.
#[cold]
pub fn null() -> Error {
    Error::new(ErrorKind::NotFound, "the value here is null")
}
