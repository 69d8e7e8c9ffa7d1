//! [`Report`]: what a load noticed without failing.

use std::fmt;
use std::sync::Arc;

use crate::error::Error;

/// What a load noticed without failing: notes, and under
/// [`Options::keep_going`](crate::Options::keep_going) errors, each in the order in which they were
/// met.
#[derive(Debug, Default)]
pub struct Report {
    pub(crate) notes: Vec<Note>,
    #[doc(hidden)]
    pub errors: Vec<Error>,
}

/// One thing that a load noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where in the value: `world.units[3].target`.
    pub path: String,
    /// What it is.
    pub kind: NoteKind,
}

/// What a [`Note`] is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// The file does not have the member: it kept the value it had.
    Absent,
    /// The type does not have the member, or the variant does not hold anything: it was skipped.
    Unknown,
    /// A number was converted: a float became an integer, or a number was rounded to a float. Nothing is
    /// noted where nothing is lost, as of integers of another width. A number in text has no width: it was
    /// rounded if the float does not [spell](crate::Number::spells) it.
    Converted {
        /// The type in the file; `decimal` for text that no type of float holds.
        from: &'static str,
        /// The type of the member.
        to: &'static str,
    },
    /// The member of an object without a type stands there twice, and the last one counts; in the types
    /// of the original ObjectBlob program the first one, as it does there.
    Duplicate,
    /// The file says that it was saved by a type of another layout than the one that was loaded. What
    /// became of the difference is told by the other notes, if it met a value.
    OtherLayout,
    /// An element that the set has already. The first of equal ones stays. (A key that a map has
    /// already is an error, since it comes with a value:
    /// [`ErrorKind::DuplicateMember`](crate::ErrorKind::DuplicateMember).)
    Repeated,
    /// A weak pointer whose object no strong pointer refers to.
    Dangling,
    /// An object whose type the program does not know: it was kept as it is, as an
    /// [`Unknown`](crate::Unknown).
    UnknownType {
        /// The type id in the file.
        id: Arc<str>,
    },
    /// The value cannot be what it should be after loading, and is the nearest there is: a
    /// [`Time`](crate::Time) that would lie before the first one of its type.
    Clamped,
}

impl Report {
    /// Everything noticed.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The paths of members that the file does not have.
    pub fn absent(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Absent))
    }

    /// The paths of members that the type does not have.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Unknown))
    }

    /// The paths and the type ids of objects whose types the program does not know, and that were
    /// kept: see [`Options::keep_unknown`](crate::Options::keep_unknown).
    pub fn unknown_types(&self) -> impl Iterator<Item = (&str, &str)> {
        self.notes.iter().filter_map(|note| match &note.kind {
            NoteKind::UnknownType { id } => Some((&*note.path, &**id)),
            _ => None,
        })
    }

    /// The paths of [floats that were converted](NoteKind::Converted).
    pub fn converted(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Converted { .. }))
    }

    /// The paths of [elements that a set had already](NoteKind::Repeated).
    pub fn repeated(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Repeated))
    }

    /// The paths of weak pointers that came back empty.
    pub fn dangling(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Dangling))
    }

    /// The paths of values that came back as the nearest ones there are.
    pub fn clamped(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Clamped))
    }

    /// The errors that [`Options::keep_going`](crate::Options::keep_going) collected.
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }

    /// Whether nothing was noticed: the file has just the members of the type.
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.errors.is_empty()
    }

    /// Adds a note, for what formats load beside the program's types.
    #[doc(hidden)]
    pub fn note(&mut self, path: String, kind: NoteKind) {
        self.notes.push(Note { path, kind });
    }

    fn of(&self, wanted: impl Fn(&NoteKind) -> bool) -> impl Iterator<Item = &str> {
        self.notes.iter().filter(move |note| wanted(&note.kind)).map(|note| &*note.path)
    }

    /// How many notes and errors there are.
    #[doc(hidden)]
    pub fn len(&self) -> (usize, usize) {
        (self.notes.len(), self.errors.len())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for note in &self.notes {
            match &note.kind {
                NoteKind::Absent => writeln!(f, "{}: absent in the file", note.path)?,
                NoteKind::Unknown => writeln!(f, "{}: unknown to the program", note.path)?,
                NoteKind::Converted { from, to } => {
                    writeln!(f, "{}: converted from {from} to {to}", note.path)?;
                }
                NoteKind::Duplicate => writeln!(f, "{}: stands there twice", note.path)?,
                NoteKind::OtherLayout => writeln!(f, "the file has the layout of another type")?,
                NoteKind::Repeated => writeln!(f, "{}: stands in the set already", note.path)?,
                NoteKind::Dangling => writeln!(f, "{}: points to nothing", note.path)?,
                NoteKind::UnknownType { id } => {
                    writeln!(f, "{}: kept, of the unknown type \"{id}\"", note.path)?;
                }
                NoteKind::Clamped => writeln!(f, "{}: clamped to what its type holds", note.path)?,
            }
        }
        self.errors.iter().try_for_each(|error| writeln!(f, "{error}"))
    }
}
