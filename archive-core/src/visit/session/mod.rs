//! [`Session`]: the state of one save or one load.

mod about;
mod addresses;
mod again;
mod attempt;
mod attempting;
mod block_limits;
mod budget;
mod counting;
mod current;
pub(crate) mod depth;
mod elements;
mod errors;
mod keys;
mod links;
mod loaded;
mod makers;
mod nesting;
mod note;
mod noted;
mod notes;
mod once;
mod passes;
mod place;
mod pointees;
mod ranks;
mod renew;
mod report;
pub(crate) mod reporting;
mod room;
mod saved;
mod saved_trees;
mod sort_state;
mod spare;
mod trees;
mod unknown;
mod unsaved;

#[doc(hidden)]
pub use attempt::BeforeAttempt;
pub use elements::EmptyElements;
pub use links::Links;
pub(crate) use loaded::strong_cycle;
pub use loaded::{Entry, LoadTable, State};
#[doc(hidden)]
pub use nesting::Levels;
pub use note::{Note, NoteKind};
pub use noted::OuterClass;
pub use passes::{BeforeRoot, OtherParts};
pub use place::Place;
pub(crate) use ranks::Rank;
pub use report::{Extent, Report};
pub use saved::{DeferredPointee, SaveTable};
pub(crate) use spare::Visited;
pub use trees::Mention;

use crate::model::shape::Shape;
use attempt::Attempt;
use budget::Budget;
use current::Current;
use nesting::Nesting;
use noted::Reporting;
use spare::Spare;
use trees::Trees;
use unknown::LoadedUnknown;
pub(crate) use unknown::{LoadedLinks, References};
pub use unsaved::Unsaved;

/// The state of one save or one load: the objects visited so far, the depth of nesting, and the
/// report. Every [`Archive`](crate::Archive) has a session; a tool creates one
/// with [`Session::new`].
#[derive(Default)]
pub struct Session {
    /// The objects that were saved.
    #[doc(hidden)]
    pub saved: SaveTable,
    /// The objects that were loaded.
    #[doc(hidden)]
    pub loaded: LoadTable,
    /// The objects of types that the program does not know.
    pub(crate) unknown: LoadedUnknown,
    /// How deep the value being visited is.
    pub(crate) nesting: Nesting,
    /// The number of elements that may still be visited, and the memory that the load may still
    /// take.
    pub(crate) budget: Budget,
    /// The notes and errors so far.
    #[doc(hidden)]
    pub reporting: Reporting,
    /// The trees ([`Value`](crate::Value)), with their objects and live pointers.
    #[doc(hidden)]
    pub trees: Trees,
    /// The object, list or map being visited.
    #[doc(hidden)]
    pub current: Current,
    /// Whether the program keeps what is being loaded.
    pub(crate) attempt: Attempt,
    /// Memory that is used again.
    pub(crate) spare: Spare,
}

impl Session {
    /// Creates a session.
    #[inline]
    pub fn new() -> Self {
        Session::default()
    }

    /// Creates a session that collects a [`Report`].
    #[doc(hidden)]
    pub fn reporting() -> Self {
        Session { reporting: Reporting::on(), ..Session::default() }
    }

    /// Creates a session that finds out whether a [`Report`] would be empty: [`Options::watch`].
    #[doc(hidden)]
    pub fn watching() -> Self {
        Session { reporting: Reporting::watching(), ..Session::default() }
    }

    /// Creates a session in which the objects of trees get a first member without a name, a mark:
    /// the number of their layout, or whether they are pointers as text formats write them.
    #[doc(hidden)]
    pub fn marking() -> Self {
        let mut session = Session::default();
        session.trees.marks = true;
        session
    }

    /// Returns whether a [`Report`] is collected.
    #[inline]
    pub fn is_reporting(&self) -> bool {
        self.reporting.is_on
    }

    /// Returns whether the load looks for what a [`Report`] has, even if none is collected.
    #[doc(hidden)]
    #[inline]
    pub fn looks(&self) -> bool {
        self.reporting.looks
    }

    /// Returns the report so far.
    pub fn report(&self) -> &Report {
        &self.reporting.report
    }

    /// Returns the version of the object being visited.
    #[inline]
    pub fn version(&self) -> u32 {
        self.current.version
    }

    /// Sets the version of the object being visited, and returns the previous one.
    #[inline]
    pub fn set_version(&mut self, version: u32) -> u32 {
        std::mem::replace(&mut self.current.version, version)
    }

    /// Returns the announced shape of the value that is loaded next, if its function accepts any
    /// shape.
    #[doc(hidden)]
    pub fn take_expected(&mut self) -> Option<&'static Shape> {
        self.trees.expected.take()
    }

    /// Sets whether the functions of types are not called after values were loaded.
    #[doc(hidden)]
    pub fn explore(&mut self, explores: bool) {
        self.attempt.exploring = explores;
    }

    /// Begins a root.
    #[doc(hidden)]
    pub fn begin_root(&mut self) {
        self.nesting.root = self.depth();
    }

    /// Returns whether the current value is the root or one of its members, and not inside one of
    /// these.
    #[doc(hidden)]
    pub fn is_in_root(&self) -> bool {
        self.depth() <= self.nesting.root + 1
    }
}
