//! [`Route`]: what leads an erased archive through a value that stays, so that what is beside a path
//! is not visited, and what is on it is changed in place.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::Relaxed};

use super::{Name, Step};
use crate::archive::Archive;
use crate::error::{Error, ErrorKind, Result};
use crate::shape::Member;

/// What leads an archive through a value that stays.
#[doc(hidden)]
pub type Guide<'p> = Option<&'p Route<'p>>;

/// A path, and how far it was followed; or the end of a path.
///
/// On a path, only what it leads to is visited. The archive that is led takes the last step itself,
/// if it asks for that. At the end of a path, shared objects are those of the program, and what is
/// loaded is loaded over the value in place.
///
/// Routes are not shared by threads. Their parts are atomic because [`Route::LIVE`] is a constant.
#[doc(hidden)]
#[derive(Debug)]
pub struct Route<'p> {
    steps: &'p [Step],
    /// The number of steps that are followed without the archive.
    end: usize,
    /// Whether this is the end of a path.
    is_live: bool,
    /// Whether members are found by their names, and not where they were found before.
    by_name: bool,
    /// What is done in the last place, if it is an item or an entry.
    change: Option<ListChange>,
    changed: AtomicBool,
    at: AtomicUsize,
    /// The only member of the open object that is visited, by the address of its description.
    only: AtomicPtr<Member>,
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

/// The [`Route::only`] of an object whose members are found by their names, and of the end of a path,
/// which leads past no member.
const BY_NAME: *mut Member = ptr::null_mut();
/// The [`Route::only`] of an object none of whose members are visited.
const NONE: *mut Member = ptr::dangling_mut();

static LIVE: Route<'static> = Route {
    steps: &[],
    end: 0,
    is_live: true,
    by_name: false,
    change: None,
    changed: AtomicBool::new(false),
    at: AtomicUsize::new(0),
    only: AtomicPtr::new(BY_NAME),
};

impl<'p> Route<'p> {
    /// The end of any path.
    pub const LIVE: &'static Route<'static> = &LIVE;

    /// Follows all steps, or with `last` all but the last one, which the archive takes itself.
    #[must_use]
    #[inline]
    pub fn new(steps: &'p [Step], last: bool) -> Self {
        Route {
            steps,
            end: steps.len() - usize::from(last && !steps.is_empty()),
            is_live: false,
            by_name: false,
            change: None,
            changed: AtomicBool::new(false),
            at: AtomicUsize::new(0),
            only: AtomicPtr::new(NONE),
        }
    }

    /// Lets the archive take all steps itself.
    #[must_use]
    pub fn asking(self) -> Self {
        Route { end: 0, ..self }
    }

    /// Finds members by their names. The other way is faster, and misses members if the compiler has
    /// made several copies of their descriptions.
    #[must_use]
    pub fn by_name(self) -> Self {
        Route { by_name: true, ..self }
    }

    /// Returns whether members are found by their names.
    #[must_use]
    pub fn finds_by_name(&self) -> bool {
        self.by_name
    }

    /// Changes the list or the map that the last step leads into.
    #[must_use]
    pub fn changing(self, change: Option<ListChange>) -> Self {
        Route { change, ..self }
    }

    /// Returns whether this is a path, and not the end of one.
    #[inline]
    #[must_use]
    pub fn leads(&self) -> bool {
        !self.is_live
    }

    /// Returns the number of steps that were taken.
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

    /// Returns the next step.
    #[inline]
    #[must_use]
    pub fn next(&self) -> Option<&'p Step> {
        self.steps.get(self.at())
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
        self.at.store(self.at() + 1, Relaxed);
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

    /// Begins the members of an object.
    #[inline]
    pub fn begin(&self) {
        let only = match self.name() {
            Some(name) if !self.by_name => name.found().cast_mut(),
            Some(_) => BY_NAME,
            None => NONE,
        };
        self.only.store(only, Relaxed);
    }

    /// Ends the members of an object. The path leads to no other member of the outer one.
    #[inline]
    pub fn end(&self) {
        self.only.store(NONE, Relaxed);
    }

    /// Returns whether the path leads past that member, as far as its address says that.
    #[inline(always)]
    pub(crate) fn passes(&self, info: &'static Member) -> bool {
        let only = self.only.load(Relaxed);
        !ptr::eq(only, info) && only != BY_NAME
    }

    /// Returns whether the path leads past that member, by its address or its name.
    #[inline]
    pub(crate) fn skips(&self, info: &'static Member) -> bool {
        let by_name = self.only.load(Relaxed) == BY_NAME;
        if by_name { self.leads() && self.differs(info) } else { self.passes(info) }
    }

    #[cold]
    #[inline(never)]
    fn differs(&self, info: &'static Member) -> bool {
        match self.name() {
            Some(name) if *info.name == **name => {
                name.find(info);
                false
            }
            _ => true,
        }
    }

    /// Takes the next step, unless the archive takes it itself.
    #[inline(always)]
    pub(crate) fn goes_on(&self) -> bool {
        let goes_on = !self.is_last();
        if goes_on {
            self.advance();
        }
        goes_on
    }

    /// Returns how the list or the map is changed that is visited now, which has to change.
    pub(crate) fn list_change(&self) -> Option<ListChange> {
        let change = self.change.filter(|_| self.is_at_end())?;
        self.changed.store(true, Relaxed);
        Some(change)
    }

    /// Returns whether a list or a map has yet to change.
    #[must_use]
    pub fn still_changes(&self) -> bool {
        self.change.is_some() && !self.changed.load(Relaxed)
    }
}

/// Returns the error for a value on the way that is null.
#[cold]
pub(crate) fn null() -> Error {
    Error::new(ErrorKind::NotFound, "there is no value here: it is null")
}

/// Returns whether a value stays and is changed in place.
#[inline(always)]
pub(crate) fn stays<A: Archive>(ar: &A) -> bool {
    ar.guide().is_some()
}

/// Returns the path that the archive is on.
#[inline(always)]
pub(crate) fn route<A: Archive>(ar: &A) -> Option<&Route<'_>> {
    ar.guide().filter(|route| route.leads())
}

/// Checks that no path leads into a value that is only loaded as a whole.
#[inline]
pub(crate) fn check_whole<A: Archive>(ar: &A) -> Result {
    match ar.guide() {
        Some(route) if route.leads() && ar.is_loading() => Err(whole()),
        _ => Ok(()),
    }
}

#[cold]
fn whole() -> Error {
    let message = "a part of this value cannot be changed: change the value as a whole";
    Error::new(ErrorKind::ReadOnly, message)
}
