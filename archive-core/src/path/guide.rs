//! [`Guide`]: what leads an erased archive through a value that stays, so that what is beside the
//! path is not visited, and what is on it is changed in place.

use std::cell::Cell;
use std::ptr;

use super::Step;
use crate::archive::Archive;
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{Enum, Member};

/// What leads an archive.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub enum Guide<'p> {
    /// Nothing: the archive visits the whole value.
    #[default]
    Nothing,
    /// A path: only what it leads to is visited.
    Path(&'p Route<'p>),
    /// The archive is at the end of a path. Shared objects are those of the program. What is loaded
    /// is loaded over the value in place.
    Live,
}

impl<'p> Guide<'p> {
    /// Returns the path, if the archive is on one.
    #[inline]
    #[must_use]
    pub fn route(self) -> Option<&'p Route<'p>> {
        match self {
            Guide::Path(route) => Some(route),
            _ => None,
        }
    }

    /// Returns whether the value stays and is changed in place.
    #[inline]
    #[must_use]
    pub fn is_some(self) -> bool {
        !matches!(self, Guide::Nothing)
    }
}

/// A path, and how far it was followed. The archive that is led takes the last step itself, if it
/// asks for that.
#[doc(hidden)]
#[derive(Debug)]
pub struct Route<'p> {
    steps: &'p [Step],
    /// The number of steps that are followed without the archive.
    end: usize,
    /// What is done in the last place, if it is an item or an entry.
    change: Cell<Option<ListChange>>,
    at: Cell<usize>,
    /// The only member of the open object that is visited, by the address of its description.
    only: Cell<*const Member>,
}

/// A change of a list or a map that the last step of a [`Route`] leads into.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListChange {
    /// A new item, in front of the one that is there, or a new entry.
    Insert,
    /// The item or the entry is removed.
    Remove,
    /// The item is moved to that index.
    Move(usize),
}

/// The [`Route::only`] of an object whose members are found by their names.
const BY_NAME: *const Member = ptr::null();

impl<'p> Route<'p> {
    /// Follows all steps, or with `last` all but the last one, which the archive takes itself.
    #[must_use]
    pub fn new(steps: &'p [Step], last: bool) -> Self {
        let end = steps.len() - usize::from(last && !steps.is_empty());
        Route { steps, end, change: Cell::new(None), at: Cell::new(0), only: Cell::new(BY_NAME) }
    }

    /// Changes the list or the map that the last step leads into.
    #[must_use]
    pub fn changing(self, change: Option<ListChange>) -> Self {
        Route { change: Cell::new(change), ..self }
    }

    /// Returns how the list or the map is changed that is visited now, which has to change.
    pub(crate) fn list_change(&self) -> Option<ListChange> {
        if self.is_last() { self.change.take() } else { None }
    }

    /// Returns whether no list and no map has changed.
    #[must_use]
    pub fn still_changes(&self) -> bool {
        self.change.get().is_some()
    }

    /// Returns the error for a value on the way that is null.
    #[cold]
    pub(crate) fn null(&self) -> Error {
        Error::new(ErrorKind::NotFound, "there is no value here: it is null")
    }

    /// Returns the number of steps that were taken.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at.get()
    }

    /// Returns the steps.
    #[must_use]
    pub fn steps(&self) -> &'p [Step] {
        self.steps
    }

    /// Returns the next step.
    #[inline]
    #[must_use]
    pub fn next(&self) -> Option<&'p Step> {
        self.steps.get(self.at.get())
    }

    /// Returns whether the archive itself takes the next step.
    #[inline]
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.at.get() >= self.end
    }

    /// Takes the next step.
    #[inline]
    pub fn advance(&self) {
        self.at.set(self.at.get() + 1);
    }

    /// Returns whether the next step has that name.
    #[must_use]
    pub fn is_name(&self, name: &str) -> bool {
        self.name() == Some(name)
    }

    /// Returns the name of the next step.
    #[must_use]
    pub fn name(&self) -> Option<&'p str> {
        match self.next() {
            Some(Step::Name(name)) => Some(name.as_str()),
            _ => None,
        }
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

    /// Takes the name of the current variant, which a path may leave out. Returns whether the name
    /// was there.
    pub fn variant(&self, info: &'static Enum, current: usize) -> bool {
        let named = info.variants.get(current).is_some_and(|variant| self.is_name(variant.name));
        if named {
            self.advance();
        }
        named
    }

    /// Begins an object. Returns the state of the outer one.
    #[inline]
    pub(crate) fn begin(&self) -> (*const Member, usize) {
        let found = match self.next() {
            Some(Step::Name(name)) => name.found(),
            _ => BY_NAME,
        };
        (self.only.replace(found), self.at.get())
    }

    /// Returns whether the members have to be visited again and found by their names, because they
    /// were not those of the object in which the path was followed before.
    #[inline]
    pub(crate) fn missed(&self, began: (*const Member, usize)) -> bool {
        self.only.get() != BY_NAME && self.at.get() == began.1 && {
            self.only.set(BY_NAME);
            true
        }
    }

    /// Ends an object.
    #[inline]
    pub(crate) fn end(&self, began: (*const Member, usize)) {
        self.only.set(began.0);
    }

    /// Returns whether the path leads past that member.
    #[inline(always)]
    pub(crate) fn skips(&self, info: &'static Member) -> bool {
        !ptr::eq(self.only.get(), info) && (self.only.get() != BY_NAME || self.differs(info))
    }

    #[cold]
    fn differs(&self, info: &'static Member) -> bool {
        match self.next() {
            Some(Step::Name(name)) if *info.name == **name => {
                name.find(info);
                false
            }
            _ => true,
        }
    }
}

/// Checks that no path leads into a value that is only loaded as a whole.
#[inline]
pub(crate) fn check_whole<A: Archive>(ar: &A) -> Result {
    match ar.guide() {
        Guide::Path(_) if ar.is_loading() => Err(whole()),
        _ => Ok(()),
    }
}

#[cold]
fn whole() -> Error {
    let message = "a part of this value cannot be changed: change the value as a whole";
    Error::new(ErrorKind::ReadOnly, message)
}
