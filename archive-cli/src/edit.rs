//! [`apply`]: values of a file are replaced, and everything else stays as it is.

mod locate;
mod splice;

use archive::blob::store::Collection;
use archive::path::{Path, Pattern, Step};
use archive::store::Store;
use archive::{Error, ErrorKind, Format, Result, Value, binary, blob};

use crate::input::{Input, Joined, options};
use crate::select::select;
use crate::tree::{adapted, identical};
use locate::find_mut;

/// A value to be put into a file.
pub struct Change {
    pub path: Path,
    pub value: Value,
    /// The value as JSON, as a person wrote it.
    pub text: Option<String>,
}

/// Returns the changes that put a value at all places that a pattern leads to.
///
/// # Errors
/// Those of the file; and if there is no such place.
pub fn at_all(input: &Input, pattern: &Pattern, value: &Value, text: &str) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    input.read(|from| {
        select(from, pattern, &mut |from, path| {
            from.skip()?;
            let (path, value) = (path.clone(), value.clone());
            changes.push(Change { path, value, text: Some(text.to_owned()) });
            Ok(())
        })
    })?;
    Ok(changes)
}

/// Returns the bytes of a file with values changed, or `None` if they are what the file has. For a save
/// file these are the bytes of its value. Rows are changed by [`apply_to_rows`].
///
/// # Errors
/// Those of the file; and those of a value that the file's types refuse, with its path.
pub fn apply(input: &Input, changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let bytes = &input.bytes;
    let applied = match (&input.joined, input.format) {
        (Some(Joined::Rows), _) => return Ok(None),
        (Some(Joined::Objects(bytes)), _) => objects(bytes, changes),
        (None, Format::Json | Format::MessagePack) => splice::apply(input, changes),
        (None, Format::Binary) => binary(bytes, changes),
        (None, Format::Blob) => blob(bytes, changes),
        (None, _) => store_object(bytes, changes),
    };
    applied.map_err(|error| if error.file().is_some() { error } else { error.in_file(&input.name) })
}

/// Changes the rows of an object store, in one transaction.
///
/// # Errors
/// Those of the store, and of a value that the types of its row refuse.
pub fn apply_to_rows(path: &std::path::Path, changes: &[Change]) -> Result {
    let mut rows: Vec<((&str, u64), Vec<Change>)> = Vec::new();
    for change in changes {
        let steps = change.path.steps();
        let (Some(Step::Name(class)), Some(Step::Name(key))) = (steps.first(), steps.get(1)) else {
            let message = format_args!("{}: a class of an object store is no value", change.path);
            return Err(Error::new(ErrorKind::Unsupported, message));
        };
        let key = key.parse().map_err(|_| Error::custom(format_args!("`{key:?}` is no key")))?;
        let row = (class.as_str(), key);
        let (path, value) = (Path::from(steps[2..].to_vec()), change.value.clone());
        let inside = Change { path, value, text: None };
        match rows.iter_mut().find(|(known, _)| *known == row) {
            Some((_, changes)) => changes.push(inside),
            None => rows.push((row, vec![inside])),
        }
    }
    let places: Vec<(&str, u64)> = rows.iter().map(|(row, _)| *row).collect();
    let store = Store::open_with(path, &options())?;
    store.edit_values(&places, |index, value| put(value, &rows[index].1).map(drop))
}

/// Changes a binary file, whose types say what each value may be.
fn binary(bytes: &[u8], changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let mut document = binary::Document::from_slice_with(bytes, &options())?;
    if !put(&mut document.value, changes)? {
        return Ok(None);
    }
    document.to_vec_with(&options()).map(Some)
}

/// Changes an ObjectBlob file, each of whose data has a type.
fn blob(bytes: &[u8], changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let mut document = blob::Document::from_slice_with(bytes, &options())?;
    if !put(&mut document.value, changes)? {
        return Ok(None);
    }
    document.to_vec().map(Some)
}

/// Changes a store object, whose variables have types.
fn store_object(bytes: &[u8], changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let mut document = blob::store::Document::from_slice_with(bytes, &options())?;
    if !put(&mut document.value, changes)? {
        return Ok(None);
    }
    document.to_vec_with(&options()).map(Some)
}

/// Changes a collection of store objects, object by object.
fn objects(bytes: &[u8], changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let mut objects = Collection::read_with(bytes, &options());
    let (mut out, mut is_changed, mut index) = (Vec::with_capacity(bytes.len()), false, 0);
    loop {
        let start = objects.offset();
        let Some(object) = objects.next() else { break };
        drop(object?);
        let object = &bytes[start..objects.offset()];
        let inside = |change: &Change| match change.path.split_first() {
            Some((Step::Index(at), rest)) if *at == index => {
                let (path, value) = (Path::from(rest.to_vec()), change.value.clone());
                Some(Change { path, value, text: None })
            }
            _ => None,
        };
        let own: Vec<Change> = changes.iter().filter_map(inside).collect();
        let new = if own.is_empty() { None } else { store_object(object, &own)? };
        is_changed |= new.is_some();
        out.extend_from_slice(new.as_deref().unwrap_or(object));
        index += 1;
    }
    if changes.iter().any(|change| change.path.is_empty()) {
        let message = "the objects of a collection are changed one by one, by their indexes";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    Ok(is_changed.then_some(out))
}

/// Puts values into a tree. Returns whether any is another one than before.
fn put(tree: &mut Value, changes: &[Change]) -> Result<bool> {
    let mut is_changed = false;
    for Change { path, value, .. } in changes {
        let place = find_mut(tree, path)?;
        if !identical(place, value) {
            *place = adapted(place, value);
            is_changed = true;
        }
    }
    Ok(is_changed)
}
