//! Changing rows of an object store, in one transaction.

use std::path::Path as FilePath;

use archive::path::Step;
use archive::store::Store;
use archive::{Error, ErrorKind, Result};

use super::{Change, put};
use crate::args::Write;
use crate::input::{Input, options};
use crate::output;

/// Changes rows of an object store, or of a copy of it.
///
/// # Errors
/// Those of the store, of the system, and of a value that the types of its row refuse.
pub fn change(input: &Input, changes: &[Change], args: &Write) -> Result {
    let Some(store) = &input.path else {
        let message = "an object store cannot be changed on standard input";
        return Err(Error::new(ErrorKind::Unsupported, message));
    };
    let Some(target) = args.output.as_deref().filter(|target| *target != store) else {
        return apply(store, changes).map_err(|error| error.in_file(store.display()));
    };
    if target == FilePath::new("-") {
        let message = "an object store cannot be written to standard output";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    // The copy appears once it is changed.
    let copy = output::temporary(target)?;
    std::fs::copy(store, copy.path()).map_err(|error| output::failed("write", target, error))?;
    apply(copy.path(), changes).map_err(|error| error.in_file(store.display()))?;
    copy.persist(target).map_err(|error| output::failed("replace", target, error.error))?;
    Ok(())
}

fn apply(path: &FilePath, changes: &[Change]) -> Result {
    let mut rows: Vec<((&str, u64), Vec<Change>)> = Vec::new();
    for change in changes {
        let [Step::Name(class), key, rest @ ..] = change.path.steps() else {
            return Err(fixed());
        };
        let key = match key {
            Step::Name(name) => name.parse().ok(),
            Step::Index(index) => Some(*index as u64),
            Step::Object(_) => None,
        };
        let row = (class.as_str(), key.ok_or_else(fixed)?);
        let inside = change.inside(rest);
        match rows.iter_mut().find(|(known, _)| *known == row) {
            Some((_, changes)) => changes.push(inside),
            None => rows.push((row, vec![inside])),
        }
    }
    let places: Vec<(&str, u64)> = rows.iter().map(|(row, _)| *row).collect();
    let store = Store::open_with(path, &options())?;
    store.edit_values(&places, |index, value| put(value, &rows[index].1).map(drop))
}

#[cold]
fn fixed() -> Error {
    let message = "objects cannot be added to an object store, removed or renamed; only their values can be changed";
    Error::new(ErrorKind::Unsupported, message)
}
