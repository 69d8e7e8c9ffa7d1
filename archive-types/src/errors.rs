//! [`Errors`]: everything that is wrong with a schema, each with its path and its position in the file.

use std::cell::Cell;
use std::fmt;

use archive_core::{Error, ErrorKind, Options, Result};
use archive_format::Format;

use crate::file::SchemaFile;

/// The errors of a schema, at least one. Each has the path to the place, and its position if the
/// schema came from a file.
///
/// ```
/// use archive::types::Schema;
///
/// let errors = Schema::from_slice(br#"{"types":{
///     "Unit": { "members": [
///         { "name": "hp", "type": "u61" },
///         { "name": "$id", "type": "u8" }
///     ] }
/// }}"#)
/// .unwrap_err();
/// let lines: Vec<_> = errors.iter().map(|error| error.to_string()).collect();
/// assert_eq!(lines, [
///     "types.Unit.members[0].type: there is no type `u61`, did you mean `u16`? at line 3 column 33",
///     "types.Unit.members[1].name: a member name cannot begin with `$`: such names are reserved at line 4 column 19",
/// ]);
/// ```
pub struct Errors(Vec<Error>);

impl Errors {
    /// The most errors that are listed.
    pub(crate) const MAX: usize = 100;

    /// Returns the errors in the order of the file.
    pub fn iter(&self) -> std::slice::Iter<'_, Error> {
        self.0.iter()
    }

    /// Returns the first error.
    pub fn first(&self) -> &Error {
        &self.0[0]
    }
}

impl From<Error> for Errors {
    fn from(error: Error) -> Self {
        Errors(vec![error])
    }
}

/// The first error. If there are more, the message says how many.
impl From<Errors> for Error {
    fn from(errors: Errors) -> Self {
        let more = errors.0.len() - 1;
        let first = errors.0.into_iter().next();
        let error = first.unwrap_or_else(|| Error::custom("the schema has errors"));
        match more {
            0 => error,
            1 => error.with_note("there is 1 more error"),
            _ => error.with_note(format_args!("there are {more} more errors")),
        }
    }
}

impl<'e> IntoIterator for &'e Errors {
    type Item = &'e Error;
    type IntoIter = std::slice::Iter<'e, Error>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Errors {
    type Item = Error;
    type IntoIter = std::vec::IntoIter<Error>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// One line for each error.
impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let line = if index == 0 { "" } else { "\n" };
            write!(f, "{line}{error}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Errors {}

/// Collects errors, each with the mark of its place in the file.
#[derive(Default)]
pub(crate) struct Found(Vec<(u32, Error)>);

impl Found {
    pub(crate) fn add(&mut self, mark: u32, error: Error) {
        if self.0.len() < Errors::MAX {
            self.0.push((mark, error));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the errors, if there are any, in the order of the file.
    pub(crate) fn into_errors(mut self) -> Result<(), Errors> {
        self.0.sort_by_key(|(mark, _)| *mark);
        if self.0.is_empty() {
            return Ok(());
        }
        Err(Errors(self.0.into_iter().map(|(_, error)| error).collect()))
    }

    /// Adds the positions in the file that the schema was loaded from.
    pub(crate) fn locate(&mut self, input: &[u8], format: Format) {
        for (mark, error) in &mut self.0 {
            if let Some(position) = position(*mark, input, format) {
                let plain = std::mem::replace(error, Error::custom(""));
                *error = plain.at(position);
            }
        }
    }
}

/// Returns the position of a place: the file is loaded once more, up to there.
fn position(mark: u32, input: &[u8], format: Format) -> Option<archive_core::Position> {
    if mark == 0 {
        return None;
    }
    let options = Options::new().provide(Marks::up_to(mark));
    format.from_slice_with::<SchemaFile>(input, &options).err()?.position()
}

/// Counts the places of a file while it is loaded, and ends the load at one of them.
#[derive(Default)]
pub(crate) struct Marks {
    count: Cell<u32>,
    last: u32,
}

impl Marks {
    fn up_to(last: u32) -> Self {
        Marks { count: Cell::new(0), last }
    }

    /// Returns the number of the next place.
    pub(crate) fn next(&self) -> Result<u32> {
        let next = self.count.get().saturating_add(1);
        self.count.set(next);
        if next == self.last { Err(Error::new(ErrorKind::Custom, "the place")) } else { Ok(next) }
    }
}
