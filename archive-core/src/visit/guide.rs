//! [`Route`]: the path that an erased archive follows to edit one place of a value. Values off the path are not
//! visited.
// Why: docs/decisions/edits-and-conversions.md#an-edit-is-a-load-of-one-place

use std::cell::Cell;

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

/// Where an archive is that reads or edits a value in place.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Guide<'p> {
    /// On the way to a place.
    Path(&'p Route<'p>),
    /// At the place: shared objects are those of the program, and values are loaded over the
    /// existing ones.
    Live,
}

impl<'p> Guide<'p> {
    /// Returns the path that the archive is on.
    #[inline(always)]
    #[must_use]
    pub fn route(self) -> Option<&'p Route<'p>> {
        match self {
            Guide::Path(route) => Some(route),
            Guide::Live => None,
        }
    }
}

/// A path and the position on it.
///
/// Only the values on the path are visited. The archive takes the last step itself if it
/// [requests](Route::asking) that. All steps before the last one are taken without the archive: it
/// is not called for the objects and lists on the way.
#[doc(hidden)]
#[derive(Debug)]
pub struct Route<'p> {
    steps: &'p [Step],
    /// The number of steps that are taken without the archive.
    end: usize,
    /// The change in the last place, if that is an item or an entry.
    change: Option<ListChange>,
    changed: Cell<bool>,
    at: Cell<usize>,
    /// The number of steps to a value that can only be loaded as a whole.
    whole: Cell<Option<usize>>,
    /// The [`key`] of the member that is the next step, or why no member is.
    key: Cell<usize>,
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

/// The [`Route::key`] if the next step is not a member, or before the members of the value that was
/// reached by a step.
const NO_MEMBER: usize = usize::MAX;
/// The [`Route::key`] off the path.
const BESIDE: usize = usize::MAX - 1;

impl<'p> Route<'p> {
    /// Creates a route along all steps, or with `last` along all but the last one, which the
    /// archive takes itself.
    #[must_use]
    #[inline]
    pub fn new(steps: &'p [Step], last: bool) -> Self {
        Route {
            steps,
            end: steps.len() - usize::from(last && !steps.is_empty()),
            change: None,
            changed: Cell::new(false),
            at: Cell::new(0),
            whole: Cell::new(None),
            key: Cell::new(key_of(steps.first())),
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

    /// Returns the number of steps taken so far.
    #[inline]
    #[must_use]
    pub fn at(&self) -> usize {
        self.at.get()
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
        if self.key.get() == BESIDE { None } else { self.steps.get(self.at()) }
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
        let at = self.at() + 1;
        self.at.set(at);
        self.key.set(key_of(self.steps.get(at)));
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
    #[inline]
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
        self.key.set(BESIDE);
    }

    /// Returns whether that member is the next step.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn leads_to(&self, info: &'static Member) -> bool {
        // Few other names have the same key.
        self.key.get() == key(info.name) && self.is_name(info.name)
    }

    /// Takes the next step, unless the archive takes it itself. No member matches until an object
    /// is [entered](Route::enter), so that nothing after a null is visited.
    #[inline]
    pub(crate) fn take_step(&self) -> bool {
        let takes = !self.is_last();
        if takes {
            self.at.set(self.at() + 1);
            self.key.set(NO_MEMBER);
        }
        takes
    }

    /// Begins the members of the value that was reached by the last step.
    #[inline]
    pub(crate) fn enter(&self) {
        if self.key.get() == NO_MEMBER {
            self.key.set(key_of(self.steps.get(self.at())));
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
        self.changed.set(true);
        Some(change)
    }

    /// Returns the number of steps to the value on the path that can only be loaded as a whole, if
    /// there is one.
    #[must_use]
    pub fn whole(&self) -> Option<usize> {
        self.whole.get()
    }

    /// Returns the error for a path into a value that can only be loaded as a whole.
    #[cold]
    pub fn refuse(&self, message: &str) -> Error {
        self.whole.set(Some(self.at()));
        Error::new(ErrorKind::ReadOnly, message)
    }

    /// Returns whether a list or a map has not been changed yet.
    #[must_use]
    pub fn still_changes(&self) -> bool {
        self.change.is_some() && !self.changed.get()
    }
}

#[inline]
fn key_of(step: Option<&Step>) -> usize {
    match step {
        Some(Step::Name(name)) => key(name),
        _ => NO_MEMBER,
    }
}

/// Returns a number for a name: its length and its last byte.
#[inline(always)]
fn key(name: &str) -> usize {
    match name.as_bytes() {
        [.., last] => name.len() << 8 | usize::from(*last),
        [] => 0,
    }
}

/// Returns the error for a null on the path before its end.
#[cold]
pub fn null() -> Error {
    Error::new(ErrorKind::NotFound, "the value here is null")
}
