//! [`Note`]: one finding of a load, and how often it occurred.
// Why: docs/decisions/reports-and-errors.md#notes-of-conversions-are-only-about-floats

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::about::{About, Names, Owner};
use super::place::Place;
use crate::model::shape::Class;

/// One finding of a load, which occurred once or many times.
///
/// Notes of one kind about one member of one class are joined into one note. It has the path of the
/// first occurrence and the number of all: 200,000 objects without a new member make one note.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Note {
    /// The path to the first value: `world.units[3].target`.
    pub path: String,
    /// The finding.
    pub kind: NoteKind,
    /// The number of values to which the note applies.
    pub count: u64,
    /// The variant and the member of a class that the note is about.
    pub(super) about: About,
    /// The id of an object that only a weak pointer refers to so far, or 0.
    pub(super) weak: u64,
}

/// The finding of a [`Note`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoteKind {
    /// The file does not have the member, so it kept its value.
    Absent,
    /// The type does not have the member, or the variant has no payload. The data was skipped.
    Unknown,
    /// A number was converted: a float to an integer, or a number that was rounded to a float.
    /// There is no note if nothing is lost, as between integers of different widths. A number in
    /// text has no width; it counts as rounded if the float does not [spell](crate::Number::spells)
    /// it.
    Converted {
        /// The type in the file; `decimal` for a number in text that no float type represents
        /// exactly.
        from: &'static str,
        /// The type of the member.
        to: &'static str,
    },
    /// A member of an object without a type occurs twice. The last one was loaded; in the types of
    /// the original ObjectBlob program the first one, as in that program.
    Duplicate,
    /// The file was saved by a type with a different layout than the loaded type. If the difference
    /// affected a value, other notes describe how.
    OtherLayout,
    /// An element that the set already has. The first of equal elements is kept. (A key that a map
    /// already has is an error, because its value would be lost:
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
    /// A value that the type cannot represent. It was replaced by the nearest possible one. An
    /// example is a [`Time`](crate::Time) before the first one of its type.
    Clamped,
    /// A path that begins at a root or with a prefix, such as `C:`. It is kept unchanged, and names
    /// nothing on a machine whose folders are elsewhere. Relative paths are the same on all platforms.
    RootedPath,
}

impl Note {
    pub(super) fn new(kind: NoteKind) -> Self {
        Note { path: String::new(), kind, count: 1, about: About::new(), weak: 0 }
    }

    /// Returns the name of the class whose member the note is about.
    pub fn class(&self) -> Option<&'static str> {
        match self.about.owner {
            Owner::Class(_, class) => Some(class.name()),
            _ => None,
        }
    }

    /// Returns the name of the member that the note is about, as in a path.
    pub fn member(&self) -> Option<&str> {
        match self.about.owner {
            Owner::Class(name, _) => Some(name.of(&self.path)),
            _ => None,
        }
    }

    /// Returns the path to the object whose member the note is about.
    fn object(&self) -> &str {
        match self.about.owner {
            Owner::Class(name, _) => name.before(&self.path),
            _ => &self.path,
        }
    }

    /// Prepends a component to the path.
    pub(super) fn enter(&mut self, place: Place<'_>) {
        self.about.enter(&mut self.path, place, |path| place.prefix(path));
    }

    /// Called when the class of the member is known. Returns whether it was not known before.
    pub(super) fn set_class(&mut self, class: &'static Class) -> bool {
        self.about.set_class(class)
    }

    /// Returns whether both notes are of the same kind and about the same member of the same class.
    pub(super) fn is_like(&self, other: &Note) -> bool {
        self.kind == other.kind && self.about() == other.about()
    }

    /// Returns whether other notes may be about the same member.
    pub(super) fn is_about_something(&self) -> bool {
        !matches!(self.about.owner, Owner::None)
    }

    /// Returns whether both notes are of the same kind and have not reached a member yet.
    pub(super) fn is_like_inside(&self, other: &Note) -> bool {
        let is_inside = |note: &Note| matches!(note.about.owner, Owner::Inside) && note.weak == 0;
        is_inside(self) && is_inside(other) && self.is_like(other)
    }

    /// Returns a hash that is the same for notes that are [alike](Note::is_like).
    pub(super) fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        (&self.kind, self.about()).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the names of the class and the member that the note is about.
    fn about(&self) -> Names<'_> {
        self.about.names(&self.path)
    }
}

impl PartialEq for Note {
    fn eq(&self, other: &Note) -> bool {
        let Note { path, kind, count, .. } = self;
        (path, kind, *count, self.about()) == (&other.path, &other.kind, other.count, other.about())
    }
}

impl Eq for Note {}

/// `path: finding` for one value, `Class.member: finding in 3 objects, first at path` for several.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Note { path, kind, count, .. } = self;
        if *count == 1 {
            return match kind {
                NoteKind::OtherLayout => write!(f, "{kind}"),
                NoteKind::Absent => write!(f, "{path}: {kind} in the file"),
                _ => write!(f, "{path}: {kind}"),
            };
        }
        let count = Grouped(*count);
        match (kind, self.class(), self.member()) {
            (NoteKind::Absent | NoteKind::Unknown, Some(class), Some(member))
                if self.about.variant.is_none() =>
            {
                write!(f, "{class}.{member}: {kind} in {count} objects, first at ")?;
                f.write_str(match self.object() {
                    "" => "the root",
                    object => object,
                })
            }
            (_, Some(class), Some(member)) => {
                write!(f, "{class}.{member}: {kind}, {count} times, first at {path}")
            }
            _ => write!(f, "{path}: {kind}, the first of {count} times"),
        }
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoteKind::Absent => "absent",
            NoteKind::Unknown => "unknown to the program",
            NoteKind::Converted { from, to } => return write!(f, "converted from {from} to {to}"),
            NoteKind::Duplicate => "duplicate member",
            NoteKind::OtherLayout => "the file has the layout of another type",
            NoteKind::Repeated => "duplicate set element",
            NoteKind::Dangling => "points to nothing",
            NoteKind::UnknownType { id } => return write!(f, "kept, of the unknown type \"{id}\""),
            NoteKind::Clamped => "clamped to the range of its type",
            NoteKind::RootedPath => "a path that is not relative",
        })
    }
}

/// A number with a comma after every three digits.
pub(super) struct Grouped(pub(super) u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}
