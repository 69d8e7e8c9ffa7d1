//! [`Report`]: what a load noticed.

use std::fmt;
use std::sync::Arc;

use crate::error::Error;

/// What a load noticed: notes, which are not failures, and with
/// [`Options::keep_going`](crate::Options::keep_going) errors, each in the order in which they
/// occurred.
#[derive(Debug, Default)]
pub struct Report {
    pub(crate) notes: Vec<Note>,
    #[doc(hidden)]
    pub errors: Vec<Error>,
}

/// One thing that a load noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The path to the value: `world.units[3].target`.
    pub path: String,
    /// What was noticed.
    pub kind: NoteKind,
}

/// What a [`Note`] is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// The file does not have the member, which kept its value.
    Absent,
    /// The type does not have the member, or the variant has no payload: the data was skipped.
    Unknown,
    /// A number was converted: a float to an integer, or a number that was rounded to a float.
    /// Nothing is noted if nothing is lost, as between integers of different widths. A number in
    /// text has no width; it counts as rounded if the float does not [spell](crate::Number::spells)
    /// it.
    Converted {
        /// The type in the file; `decimal` for a number in text that no float type represents
        /// exactly.
        from: &'static str,
        /// The type of the member.
        to: &'static str,
    },
    /// A member of an object without a type occurs twice. The last one was taken; in the types of
    /// the original ObjectBlob program the first one, as in that program.
    Duplicate,
    /// The file says that it was saved by a type of another layout than the one that was loaded. If
    /// the difference affected a value, other notes say how.
    OtherLayout,
    /// An element that the set already has. The first of equal elements is kept. (A key that a map
    /// already has is an error, because it comes with a value:
    /// [`ErrorKind::DuplicateMember`](crate::ErrorKind::DuplicateMember).)
    Repeated,
    /// A weak pointer to an object that no strong pointer refers to.
    Dangling,
    /// An object whose type the program does not know. It was kept as an
    /// [`Unknown`](crate::Unknown).
    UnknownType {
        /// The type id in the file.
        id: Arc<str>,
    },
    /// A value that the type cannot represent and that was replaced by the nearest possible one,
    /// such as a [`Time`](crate::Time) before the first one of its type.
    Clamped,
}

impl Report {
    /// Returns all notes.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the paths of members that the file does not have.
    pub fn absent(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Absent))
    }

    /// Returns the paths of members that the type does not have.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        self.of(|kind| matches!(kind, NoteKind::Unknown))
    }

    /// Returns the paths and the type ids of objects whose types the program does not know, and
    /// that were kept: see [`Options::keep_unknown`](crate::Options::keep_unknown).
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

    /// Returns the errors that [`Options::keep_going`](crate::Options::keep_going) collected.
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }

    /// Returns whether nothing was noticed: the file has exactly the members of the type.
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.errors.is_empty()
    }

    /// Adds a note. For data that formats load beside the program's types.
    #[doc(hidden)]
    pub fn note(&mut self, path: String, kind: NoteKind) {
        self.notes.push(Note { path, kind });
    }

    fn of(&self, wanted: impl Fn(&NoteKind) -> bool) -> impl Iterator<Item = &str> {
        self.notes.iter().filter(move |note| wanted(&note.kind)).map(|note| &*note.path)
    }

    /// Returns the number of notes and of errors.
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
                NoteKind::Duplicate => writeln!(f, "{}: duplicate member", note.path)?,
                NoteKind::OtherLayout => writeln!(f, "the file has the layout of another type")?,
                NoteKind::Repeated => writeln!(f, "{}: duplicate set element", note.path)?,
                NoteKind::Dangling => writeln!(f, "{}: points to nothing", note.path)?,
                NoteKind::UnknownType { id } => {
                    writeln!(f, "{}: kept, of the unknown type \"{id}\"", note.path)?;
                }
                NoteKind::Clamped => {
                    writeln!(f, "{}: clamped to the range of its type", note.path)?
                }
            }
        }
        self.errors.iter().try_for_each(|error| writeln!(f, "{error}"))
    }
}
