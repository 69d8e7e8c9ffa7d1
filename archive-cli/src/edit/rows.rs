//! Changing rows of an object store, in one transaction.

use std::collections::HashMap;
use std::path::Path as FilePath;

use archive::path::Step;
use archive::store::Store;
use archive::{Error, ErrorKind, Result};

use super::{Change, put};
use crate::args::Write;
use crate::input::{Input, has_rows, options};
use crate::output;
use crate::write_back::{Written, is_in_place};

/// Changes rows of an object store, in place or in a copy.
pub fn change(input: &Input, changes: &[Change], args: &Write) -> Result<Written> {
    let Some(store) = &input.path else {
        let message = "an object store cannot be changed on standard input";
        return Err(Error::new(ErrorKind::Unsupported, message));
    };
    let named = |error: Error| error.in_file(store.display());
    let target = args.output.as_deref().filter(|_| !is_in_place(store, args));
    let Some(target) = target else {
        return apply(store, input, changes).map_err(named);
    };
    if target == FilePath::new("-") {
        let message = "an object store cannot be written to standard output";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    // The copy gets its name after the change.
    let target = output::resolve(target)?;
    let (copy, _guard) = output::temporary(&target)?;
    std::fs::copy(store, copy.path()).map_err(|error| output::failed("write", &target, error))?;
    let written = apply(copy.path(), input, changes).map_err(named)?;
    if written != Written::Outdated {
        if let Ok(old) = std::fs::metadata(&target) {
            let kept = output::keep_attributes(copy.as_file(), &old);
            kept.map_err(|error| output::failed("write", &target, error))?;
        }
        output::persist(copy, &target)
            .map_err(|error| output::failed("replace", &target, error))?;
    }
    Ok(written)
}

/// Checks changes of an object store in a copy of it.
///
/// # Errors
/// As [`change`].
#[cfg(feature = "view")]
pub fn check(input: &Input, changes: &[Change]) -> Result {
    let Some(store) = &input.path else { return Ok(()) };
    let (mut copy, _guard) =
        crate::interrupt::guarded(tempfile::NamedTempFile::new).map_err(Error::io)?;
    // Without its permissions: only this user can read the copy.
    let mut file = std::fs::File::open(store).map_err(Error::io)?;
    std::io::copy(&mut file, &mut copy).map_err(Error::io)?;
    let named = |error: Error| error.in_file(store.display());
    apply(copy.path(), input, changes).map_err(named).map(drop)
}

fn apply(path: &FilePath, input: &Input, changes: &[Change]) -> Result<Written> {
    let mut rows: Vec<((&str, u64), Vec<Change>)> = Vec::new();
    let mut known: HashMap<(&str, u64), usize> = HashMap::new();
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
        let index = *known.entry(row).or_insert(rows.len());
        if index == rows.len() {
            rows.push((row, Vec::new()));
        }
        rows[index].1.push(change.inside(rest));
    }
    let places: Vec<(&str, u64)> = rows.iter().map(|(row, _)| *row).collect();
    // From here on no other process can open the store.
    let store = Store::open_with(path, &options())?;
    if !has_rows(&store, &input.bytes)? {
        return Ok(Written::Outdated);
    }
    let mut is_changed = false;
    store.edit_values(&places, |index, value| {
        is_changed |= put(value, &rows[index].1)?;
        Ok(())
    })?;
    Ok(if is_changed { Written::Changed } else { Written::Same })
}

#[cold]
fn fixed() -> Error {
    let message = "objects cannot be added to an object store, removed or renamed; only their values can be changed";
    Error::new(ErrorKind::Unsupported, message)
}
