//! [`change`]: replaces or adds values in a file, and leaves everything else unchanged.
// Why: docs/decisions/edits-and-conversions.md#a-file-is-changed-without-rewriting-the-rest

#[cfg(feature = "view")]
mod check;
#[cfg(test)]
mod growth;
mod insert;
mod locate;
mod patch;
mod references;
mod rows;
mod setting;
mod splice;

use std::collections::HashMap;

use archive::bins::Collection;
use archive::path::{Path, Step};
use archive::{Error, ErrorKind, Format, Result, Value, binary, bins, blob};

use crate::args::Write;
use crate::complaint::warn;
use crate::input::{Input, Joined, bins_format, explain_limit, options, tree_options};
use crate::select::{in_path, select};
use crate::tree::{adapted, identical};
use crate::write_back::{Written, write_back};
#[cfg(feature = "view")]
pub use check::check;
use locate::{Finder, add_member, inner_mut};
use patch::Patched;
pub use references::check as check_references;
use references::refers;
pub use setting::{Setting, set};
use splice::Found;
pub use splice::find_all;

/// A change to one value of a file.
pub struct Change {
    pub path: Path,
    pub value: Value,
    /// The JSON text of the value, as the user spelled it.
    pub text: Option<String>,
    /// If set, the value becomes a new member with this name of the object at the path. Otherwise it
    /// replaces the value at the path.
    pub new_member: Option<String>,
    /// The bytes to replace, if they were found together with the path.
    pub found: Option<Found>,
}

impl Change {
    /// Replaces the value at a path.
    pub fn of(path: Path, value: Value) -> Self {
        Change { path, value, text: None, new_member: None, found: None }
    }

    /// Returns this change with a path that is relative to a part of the file.
    fn inside(&self, path: &[Step]) -> Change {
        let (value, new_member) = (self.value.clone(), self.new_member.clone());
        Change { path: Path::from(path.to_vec()), value, text: None, new_member, found: None }
    }
}

/// Returns the changes that set all values that match a pattern.
///
/// # Errors
/// [`ErrorKind::NotFound`] if nothing matches, and errors of the file.
pub fn at_all(input: &Input, setting: &Setting) -> Result<Vec<Change>> {
    let Setting { pattern, value, text, adds } = setting;
    let mut changes = Vec::new();
    let text = Some(text.clone());
    let found = input.read(|from| {
        select(from, pattern, &mut |from, path| {
            let (path, value) = (path.clone(), value.clone());
            let mut change =
                Change { path, value, text: text.clone(), new_member: None, found: None };
            if is_spliced(input) {
                change.found = Some(splice::find_here(input, from, &change)?);
            } else {
                from.skip()?;
            }
            changes.push(change);
            Ok(())
        })
    });
    match (found, pattern.as_path()) {
        (Err(error), Some(path)) if error.kind() == ErrorKind::NotFound => {
            let Some((path, name)) = insert::parent_of(input, &path)? else { return Err(error) };
            let value = value.clone();
            let added = vec![Change { path, value, text, new_member: Some(name), found: None }];
            if *adds {
                return Ok(added);
            }
            if is_allowed(input, &added) {
                let message = format_args!("{} (--add adds it)", error.message());
                let words = Error::new(ErrorKind::NotFound, message);
                return Err(error.in_words_of(words));
            }
            Err(error)
        }
        (found, _) => found.map(|()| changes),
    }
}

/// Returns whether the bytes of values are replaced.
fn is_spliced(input: &Input) -> bool {
    input.joined.is_none() && matches!(input.format, Format::Json | Format::MessagePack)
}

/// Changes a file, or writes the changed file to the output. If a change is refused, nothing is written.
///
/// # Errors
/// As [`apply`], and errors of the system.
pub fn change(input: &Input, changes: &[Change], args: &Write) -> Result<Written> {
    if let Some(Joined::Rows) = input.joined {
        return rows::change(input, changes, args);
    }
    warn_of_types(input);
    write_back(input, apply(input, changes)?, args)
}

/// Warns if a file does not state types, so that a program may not load the values.
fn warn_of_types(input: &Input) {
    if input.format == Format::Binary && input.joined.is_none() && !states_types(&input.bytes) {
        let message = "does not state types, so the program may fail to load the new value";
        warn(&format!("{} {message}", input.name));
    }
}

/// Returns whether a binary file states the type of its root.
fn states_types(bytes: &[u8]) -> bool {
    binary::inspect_types_with(bytes, &options()).is_ok_and(|types| types.root != "any")
}

/// Returns whether a file allows changes, without changing it. Always `false` for an object store.
pub fn is_allowed(input: &Input, changes: &[Change]) -> bool {
    !matches!(input.joined, Some(Joined::Rows)) && apply(input, changes).is_ok()
}

/// Returns the changed bytes of a file, or `None` if nothing changes. For a save file these are the bytes of
/// the value in it.
///
/// # Errors
/// An error with the path of a value that the types of the file do not allow, and errors of the
/// file.
fn apply(input: &Input, changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let bytes = &input.bytes;
    let applied = match (&input.joined, input.format) {
        (Some(Joined::Rows), _) => return Ok(None),
        (Some(Joined::Objects(bytes)), _) => objects(bytes, changes),
        (None, Format::Json | Format::MessagePack) => splice::apply(input, changes),
        (None, Format::Binary) => binary(bytes, changes),
        (None, Format::Blob) => blob(bytes, changes),
        (None, _) => bins_file(bytes, changes),
    };
    applied.map_err(|error| match error.file() {
        Some(_) => error,
        None => explain_limit(error).in_file(&input.name),
    })
}

/// Changes a binary file. Its types determine which values are allowed.
fn binary(bytes: &[u8], changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let mut document = binary::Document::from_slice_with(bytes, &tree_options(bytes.len()))?;
    if !put(&mut document.value, changes)? {
        return Ok(None);
    }
    document.to_vec_with(&options()).map(Some)
}

/// Changes an ObjectBlob file. Each of its data has a type.
fn blob(bytes: &[u8], changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let mut document = blob::Document::from_slice_with(bytes, &tree_options(bytes.len()))?;
    if !put(&mut document.value, changes)? {
        return Ok(None);
    }
    let new = document.to_vec_with(&options())?;
    references::check(Format::Blob, bytes, &new)?;
    Ok(Some(new))
}

/// Changes a Bins file. Its variables have types.
fn bins_file(bytes: &[u8], changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let mut document = bins::Document::from_slice_with(bytes, &tree_options(bytes.len()))?;
    if !put(&mut document.value, changes)? {
        return Ok(None);
    }
    let new = document.to_vec_with(&options())?;
    references::check(bins_format(), bytes, &new)?;
    Ok(Some(new))
}

/// Changes a collection of packed objects, object by object.
fn objects(bytes: &[u8], changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let mut objects = Collection::read_with(bytes, &options());
    let mut by_index: HashMap<usize, Vec<Change>> = HashMap::new();
    for change in changes {
        if let Some((Step::Index(at), rest)) = change.path.split_first() {
            by_index.entry(*at).or_default().push(change.inside(rest));
        }
    }
    let (mut out, mut is_changed, mut index) = (Vec::with_capacity(bytes.len()), false, 0);
    loop {
        let start = objects.offset();
        let Some(object) = objects.next() else { break };
        drop(object?);
        let object = &bytes[start..objects.offset()];
        let own = by_index.remove(&index).unwrap_or_default();
        let new = if own.is_empty() { None } else { bins_file(object, &own)? };
        is_changed |= new.is_some();
        out.extend_from_slice(new.as_deref().unwrap_or(object));
        index += 1;
    }
    if changes.iter().any(|change| change.path.is_empty()) {
        let message = "a file of several packed objects cannot be replaced as a whole: set its objects one by one, by index";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    Ok(is_changed.then_some(out))
}

/// Applies changes to a tree. Returns whether it has changed.
fn put(tree: &mut Value, changes: &[Change]) -> Result<bool> {
    let (mut is_changed, mut finder) = (false, Finder::default());
    for Change { path, value, new_member, .. } in changes {
        let place = finder.find_mut(tree, path)?;
        if let Some(name) = new_member {
            let added = add_member(inner_mut(place), name, value.clone());
            added.map_err(|error| in_path(path, error))?;
            is_changed = true;
            continue;
        }
        if !identical(place, value) {
            if refers(place) || refers(value) {
                finder.forget();
            }
            *place = adapted(place, value);
            is_changed = true;
        }
    }
    Ok(is_changed)
}
