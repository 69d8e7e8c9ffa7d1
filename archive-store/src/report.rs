//! [`Loaded`] and [`Saved`]: what a load found, and what a save did.

use std::fmt;
use std::mem::discriminant;

use archive_core::{Error, ErrorKind, Note, NoteKind, Report};

use crate::class::Class;
use crate::row::RowId;

/// The results of a load. Printed as one line for each finding.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Loaded {
    /// How many rows were loaded.
    pub rows: u64,
    /// Rows from which no object was loaded, such as those of a class that the program no longer
    /// has. [`Store::save_all`](crate::Store::save_all) deletes them,
    /// [`Store::save`](crate::Store::save) does not.
    pub unclaimed: Vec<RowId>,
    /// References to objects that do not exist, and owners of objects without a row. Such an object
    /// keeps the value that the program gave it.
    pub dangling: Vec<Dangling>,
    /// Members that were absent, unknown or converted in rows of other types: one note for each
    /// member of a class.
    pub notes: Vec<Noted>,
    /// Members whose stored values do not fit, and objects that were refused as a whole, for
    /// example by their `after_load`. Such a member keeps its value. A refused object of a pool is
    /// not in the pool, and its row is never changed. A refused object elsewhere is blank. The row
    /// of an object with such a member, or of a blank object, is kept until the object is changed.
    pub unfit: Vec<Unfit>,
    /// The number of findings that did not fit into the lists. Each list has at most
    /// [`Loaded::MOST`].
    pub omitted: u64,
}

impl Loaded {
    /// The maximum length of each list.
    pub const MOST: usize = 1000;

    /// Returns whether the world has all that the store has. The only findings are then members
    /// that kept their values because older rows lack them, and converted numbers.
    pub fn is_complete(&self) -> bool {
        let is_known = |noted: &Noted| {
            matches!(
                noted.note.kind,
                NoteKind::Absent | NoteKind::Converted { .. } | NoteKind::OtherLayout
            )
        };
        self.unclaimed.is_empty()
            && self.dangling.is_empty()
            && self.notes.iter().all(is_known)
            && self.unfit.is_empty()
            && self.omitted == 0
    }

    /// Returns whether there are no findings: the world is what a program with the same types
    /// saved.
    pub fn is_clean(&self) -> bool {
        self.unclaimed.is_empty()
            && self.dangling.is_empty()
            && self.notes.is_empty()
            && self.unfit.is_empty()
            && self.omitted == 0
    }
}

impl fmt::Display for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} rows loaded", self.rows)?;
        self.unclaimed
            .iter()
            .try_for_each(|row| writeln!(f, "{row}: nothing was loaded from this row"))?;
        self.dangling.iter().try_for_each(|dangling| writeln!(f, "{dangling}"))?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))?;
        self.unfit.iter().try_for_each(|unfit| writeln!(f, "{unfit}"))?;
        if self.omitted > 0 {
            writeln!(f, "and {} more", self.omitted)?;
        }
        Ok(())
    }
}

/// A reference to an object that does not exist. Printed as `squad 1: members[2]: no unit 3`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Dangling {
    /// The object that has the reference.
    pub owner: RowId,
    /// The path of the reference in that object.
    pub member: String,
    /// The object that does not exist.
    pub target: RowId,
}

impl fmt::Display for Dangling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: no {}", self.owner, self.member, self.target)
    }
}

/// A note about a member, from one row or from many.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Noted {
    /// The first of the rows.
    pub row: RowId,
    /// The note about that row.
    pub note: Note,
    /// The number of rows.
    pub rows: u64,
}

impl fmt::Display for Noted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.row, self.note)?;
        if self.rows > 1 { write!(f, ", and in {} more rows", self.rows - 1) } else { Ok(()) }
    }
}

/// A stored value that does not fit its member.
#[derive(Debug)]
#[non_exhaustive]
pub struct Unfit {
    /// The row.
    pub row: RowId,
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The message of the error, with the path.
    pub error: String,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.row, self.error)
    }
}

/// Notes and errors of rows.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) notes: Vec<Noted>,
    pub(crate) unfit: Vec<Unfit>,
    pub(crate) omitted: u64,
}

impl Findings {
    pub(crate) fn add(&mut self, class: &Class, key: u64, report: &Report) {
        let row = || RowId { class: class.name.to_string(), key };
        self.omitted += report.omitted();
        for note in report.notes() {
            let full = self.notes.len() >= Loaded::MOST;
            let same = self.notes.iter_mut().find(|noted| {
                *noted.row.class == *class.name
                    && noted.note.class() == note.class()
                    && noted.note.member() == note.member()
                    && discriminant(&noted.note.kind) == discriminant(&note.kind)
            });
            match same {
                Some(noted) => noted.rows += 1,
                None if full => self.omitted += 1,
                None => self.notes.push(Noted { row: row(), note: note.clone(), rows: 1 }),
            }
        }
        for (error, count) in report.counted_errors() {
            match count {
                1 => self.unfit(class, key, error.kind(), error),
                count => {
                    let first = format_args!("{error}, the first of {count} such errors");
                    self.unfit(class, key, error.kind(), first);
                }
            }
        }
    }

    pub(crate) fn refused(&mut self, class: &Class, key: u64, error: &Error) {
        self.unfit(class, key, error.kind(), error);
    }

    fn unfit(&mut self, class: &Class, key: u64, kind: ErrorKind, error: impl fmt::Display) {
        if self.unfit.len() < Loaded::MOST {
            let row = RowId { class: class.name.to_string(), key };
            self.unfit.push(Unfit { row, kind, error: error.to_string() });
        } else {
            self.omitted += 1;
        }
    }
}

/// The results of a save.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Saved {
    /// The number of rows that were written.
    pub written: u64,
    /// The number of rows that were deleted.
    pub deleted: u64,
    /// The number of rows that did not change.
    pub unchanged: u64,
    /// The number of bytes in the written rows.
    pub bytes: u64,
}
