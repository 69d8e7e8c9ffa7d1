//! [`Reporting`]: the report of a session, with the tables that join notes and errors.
// Why: docs/decisions/reports-and-errors.md#strict-keeps-the-names-that-were-absent

use rustc_hash::FxHashMap;

use super::note::Note;
use super::report::{Extent, Report};

/// The findings of a session.
#[derive(Default)]
pub struct Reporting {
    /// Whether a [`Report`] is collected.
    pub(super) is_on: bool,
    /// Whether the load looks for what a report has, even if none is collected.
    pub(super) looks: bool,
    /// Whether it was found while no report was collected.
    pub(crate) missed: bool,
    #[doc(hidden)]
    pub report: Report,
    /// The number of notes and errors when the innermost object began.
    pub(super) begun: Begun,
    /// In a box, because few loads have notes, so that a session is small.
    pub(super) known: Option<Box<Known>>,
    /// With [`Options::strict`](crate::Options::strict), the members of the open objects that were
    /// requested and are absent. An unknown member is probably one of them, misspelt.
    pub(crate) absent: Vec<String>,
    /// Whether the load ends with the current error, even with `keep_going`. The reason is a value
    /// that its own function refused and that nothing could replace, or a report without room for
    /// another error.
    pub(crate) broken: bool,
}

/// The tables that find notes and errors in the report.
#[derive(Default)]
pub(super) struct Known {
    /// The first note about each member of a class, by [`Note::hash`].
    pub(super) firsts: FxHashMap<u64, usize>,
    /// The number of bytes that those notes took when they were added.
    pub(super) firsts_size: usize,
    /// The first error about each member of a class, by a hash of the member.
    pub(super) first_errors: FxHashMap<u64, usize>,
    /// Whether some notes are about weak pointers to objects that no strong pointer refers to so
    /// far.
    pub(super) pending: bool,
    /// The number of such notes for which the report has no room, by the id of the object.
    pub(super) weak: FxHashMap<u64, u64>,
    /// Whether a note was left out. A new note is then left out too, because it may not be the
    /// first of its kind.
    pub(super) full: bool,
}

/// The number of notes and errors before an object.
#[derive(Clone, Copy, Default)]
pub(super) struct Begun {
    pub(super) notes: usize,
    pub(super) errors: usize,
}

/// The state before an object, if there is a report or the options are strict.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct OuterClass {
    pub(super) since: Extent,
    pub(super) absent: usize,
    pub(super) begun: Begun,
}

impl Reporting {
    /// Collects a report.
    pub(super) fn on() -> Self {
        Reporting { is_on: true, looks: true, ..Reporting::default() }
    }

    /// Collects no report, and finds out whether it would be empty.
    pub(super) fn watching() -> Self {
        Reporting { looks: true, ..Reporting::default() }
    }

    /// Returns whether there are no findings, and there could not have been any.
    #[inline]
    pub(super) fn is_unused(&self) -> bool {
        !self.is_on && !self.broken && self.report.is_empty()
    }
}

impl Known {
    /// Leaves out a note and only counts it. It remains in the list with the count 0.
    pub(super) fn omit(&mut self, note: &mut Note, omitted: &mut u64) {
        let count = std::mem::take(&mut note.count);
        match note.weak {
            0 => {
                *omitted += count;
                self.full = true;
            }
            id => *self.weak.entry(id).or_default() += count,
        }
    }
}
