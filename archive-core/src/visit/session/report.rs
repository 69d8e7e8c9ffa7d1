//! [`Report`]: the findings of a load.

use std::fmt;

use super::about::Group;
use super::note::{Grouped, Note, NoteKind};
use crate::model::error::Error;

/// The findings of a load, each in the order of the first occurrence: notes, which are not
/// failures, and with [`Options::keep_going`](crate::Options::keep_going) errors.
///
/// A report never makes a load fail. Its length depends on the number of changes, not of objects: [notes](Note) about
/// the same member of a class are joined, and so are errors. Notes for which the report has no room are
/// [counted](Report::omitted).
#[derive(Debug, Default)]
pub struct Report {
    pub(super) notes: Vec<Note>,
    #[doc(hidden)]
    pub errors: Vec<Error>,
    /// The state of each error.
    pub(super) groups: Vec<Group>,
    pub(super) omitted: u64,
}

/// The length of a report at some time, to find out later whether something was added.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub(super) notes: usize,
    pub(crate) errors: usize,
    pub(super) omitted: u64,
}

impl Report {
    /// Returns all notes.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the number of findings that the counts of the [`notes`](Report::notes) do not
    /// include, because the report has no room for more: see
    /// [`Limits::expansion`](crate::Limits::expansion).
    pub fn omitted(&self) -> u64 {
        self.omitted
    }

    /// Returns the paths of members that the file does not have. There is one path for each member
    /// of a class: the first.
    pub fn absent(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Absent))
    }

    /// Returns the paths of members that the type does not have. There is one path for each member
    /// of a class: the first.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Unknown))
    }

    /// Returns the paths and the type ids of the objects of unknown types that were kept: see
    /// [`Options::keep_unknown`](crate::Options::keep_unknown).
    pub fn unknown_types(&self) -> impl Iterator<Item = (&str, &str)> {
        self.notes.iter().filter_map(|note| match &note.kind {
            NoteKind::UnknownType { id } => Some((&*note.path, &**id)),
            _ => None,
        })
    }

    /// Returns the paths of [numbers that were converted](NoteKind::Converted).
    pub fn converted(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Converted { .. }))
    }

    /// Returns the paths of [elements that a set already had](NoteKind::Repeated).
    pub fn repeated(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Repeated))
    }

    /// Returns the paths of weak pointers that were loaded without an object.
    pub fn dangling(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Dangling))
    }

    /// Returns the paths of values that were replaced by the nearest possible ones.
    pub fn clamped(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Clamped))
    }

    /// Returns the paths of [values that are paths](NoteKind::RootedPath) of one machine.
    pub fn rooted_paths(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::RootedPath))
    }

    /// Returns the errors that [`Options::keep_going`](crate::Options::keep_going) collected. There
    /// is one for all errors of one kind about the same member of a class: the first.
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }

    /// Returns the [`errors`](Report::errors), each with the number of errors of its kind about the
    /// same member of a class.
    ///
    /// ```
    /// use archive::{Options, Serialize, json};
    ///
    /// #[derive(Serialize)]
    /// struct Unit { hp: u8 }
    ///
    /// let text = r#"[{"hp":300},{"hp":7},{"hp":-1}]"#;
    /// let options = Options::new().keep_going(true);
    /// let (units, report) = json::from_str_report::<Vec<Unit>>(text, &options)?;
    /// assert_eq!(units.len(), 3);
    /// let (error, count) = report.counted_errors().next().unwrap();
    /// assert_eq!((error.path(), count), ("[0].hp", 2));
    /// # Ok::<(), archive::Error>(())
    /// ```
    pub fn counted_errors(&self) -> impl Iterator<Item = (&Error, u64)> {
        self.errors.iter().zip(self.groups.iter().map(|group| group.count))
    }

    /// Returns whether there are no notes and no errors: the file has exactly the members of the
    /// type.
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.errors.is_empty() && self.omitted == 0
    }

    /// Adds a note. For data that formats load in addition to the program's types.
    #[doc(hidden)]
    pub fn note(&mut self, path: String, kind: NoteKind) {
        self.notes.push(Note { path, ..Note::new(kind) });
    }

    fn of(&self, wanted: impl Fn(&NoteKind) -> bool) -> impl Iterator<Item = &str> {
        self.notes.iter().filter(move |note| wanted(&note.kind)).map(|note| &*note.path)
    }

    /// Returns the current length of the report.
    #[doc(hidden)]
    #[inline]
    pub fn extent(&self) -> Extent {
        let Report { notes, errors, omitted, .. } = self;
        Extent { notes: notes.len(), errors: errors.len(), omitted: *omitted }
    }
}

/// One line for each note and each error.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))?;
        if self.omitted > 0 {
            writeln!(f, "and {} more notes", Grouped(self.omitted))?;
        }
        self.counted_errors().try_for_each(|(error, count)| match count {
            1 => writeln!(f, "{error}"),
            count => writeln!(f, "{error}, the first of {} such errors", Grouped(count)),
        })
    }
}
