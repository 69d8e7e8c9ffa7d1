//! [`Session`]: the state of one save or one load.

mod about;
mod addresses;
mod again;
mod block_limits;
mod budget;
mod counting;
pub(crate) mod depth;
mod elements;
mod errors;
mod in_place_attempt;
mod keys;
mod links;
mod loaded;
mod makers;
mod note;
mod noted;
mod notes;
mod once;
mod passes;
mod place;
mod pointers;
mod ranks;
mod renew;
mod report;
pub(crate) mod reporting;
mod room;
mod saved;
mod saved_trees;
mod sorting;
mod trees;
mod unknown;
mod unsaved;

use elements::Elements;
pub use elements::EmptyElements;
pub use links::Links;
pub(crate) use loaded::strong_cycle;
pub use loaded::{Entry, LoadTable, State};
use makers::Makers;
pub use note::{Note, NoteKind};
pub use noted::OuterClass;
pub(crate) use passes::Passes;
pub use passes::{BeforeRoot, OtherParts};
pub use place::Place;
pub(crate) use ranks::Rank;
pub use report::{Extent, Report};
pub use saved::{DeferredPointee, SaveTable};
pub use trees::Mention;

use crate::model::members::name::Key;
use crate::model::shape::Shape;
use budget::Budget;
use depth::Nesting;
use in_place_attempt::InPlaceAttempt;
use noted::{Begun, Notes};
use trees::LoadedTrees;
use unknown::LoadedUnknown;
pub(crate) use unknown::{LoadedLinks, References};
pub use unsaved::Unsaved;

/// The state of one save or one load: the objects visited so far, the depth of nesting, and the
/// report. Every [`Archive`](crate::Archive) has a session; a tool creates one
/// with [`Session::new`].
#[derive(Default)]
pub struct Session {
    #[doc(hidden)]
    pub saved: SaveTable,
    #[doc(hidden)]
    pub loaded: LoadTable,
    /// The live objects that pointers refer to with which none is stored.
    #[doc(hidden)]
    pub links: Links,
    /// The copies of fields that are not saved.
    #[doc(hidden)]
    pub unsaved: Unsaved,
    pub(crate) makers: Makers,
    pub(crate) passes: Passes,
    #[doc(hidden)]
    pub report: Report,
    pub(crate) reporting: bool,
    /// With [`Options::strict`](crate::Options::strict), the members of the open objects that were requested and are
    /// absent: an unknown member is probably one of them, misspelt.
    pub(crate) absent: Vec<String>,
    pub(crate) nesting: Nesting,
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
    /// Whether the ids in trees ([`Value`](crate::Value)) are saved and loaded as they are.
    #[doc(hidden)]
    pub same_ids: bool,
    pub(crate) unknown: LoadedUnknown,
    /// Whether a value is being loaded that may have to be loaded again.
    pub(crate) in_place_attempt: InPlaceAttempt,
    /// Whether the load ends with the current error, also under `keep_going`: a value stayed as
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
    /// The number of notes and errors when the innermost object began.
    report_begun: Begun,
    /// In a box, because few loads have notes, so that a session is small.
    notes: Option<Box<Notes>>,
    version: u32,
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
        Session { reporting: true, ..Session::default() }
    }

    /// Creates a session in which objects of trees get a first member without a name: the number
    /// of their layout, or whether they are pointers as text formats write them.
    #[doc(hidden)]
    pub fn marking() -> Self {
        let mut session = Session::default();
        session.trees.marks = true;
        session
    }

    /// Returns whether a [`Report`] is collected.
    #[inline]
    pub fn is_reporting(&self) -> bool {
        self.reporting
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

    /// Returns the announced shape of the value that is loaded next, if its function accepts any
    /// shape.
    #[doc(hidden)]
    pub fn take_expected(&mut self) -> Option<&'static Shape> {
        self.expected.take()
    }

    /// Sets whether functions of types are not called after values were loaded.
    #[doc(hidden)]
    pub fn explore(&mut self, explores: bool) {
        self.exploring = explores;
    }

    /// Begins a root.
    #[doc(hidden)]
    pub fn begin_root(&mut self) {
        self.root_depth = self.depth();
    }

    /// Returns whether the root or one of its members is being visited, and nothing inside of them.
    #[doc(hidden)]
    pub fn is_in_root(&self) -> bool {
        self.depth() <= self.root_depth + 1
    }
}
