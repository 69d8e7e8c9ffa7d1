//! Changes in values that are only loaded as a whole: sets, keys, slot maps, and types that are
//! stored as another type. The value's tree is changed, and loaded.

use archive_core::path::{Path, Step};
use archive_core::{Error, ErrorKind, Number, Options, Polymorphic, Result, Value};

use super::apply::{Refused, make as make_change, make_in_place, snapshot};
use super::{Change, Content, references};
use crate::look::{self, Kind, at};

/// Makes a change in the value at the first `whole` steps of the path. `refused` is the error for a
/// change that cannot be made in its tree either.
///
/// # Errors
/// [`ErrorKind::DuplicateMember`] if a set or a map would have fewer parts than the tree, and
/// errors of a load.
pub(super) fn make(
    root: &mut dyn Polymorphic,
    change: &Change,
    (whole, refused): (usize, Error),
    options: &Options<'_>,
    undo: &mut Vec<Change>,
) -> Result {
    let (container, rest) = change.path().split_at(whole);
    let (container, rest) = (Path::from(container.to_vec()), Path::from(rest.to_vec()));
    if whole >= change.path().len() {
        return Err(refused);
    }
    if !matches!(change, Change::Insert(..)) {
        // Returns the error if the path does not exist.
        at(root, change.path(), options, &mut |_| Ok(()))?;
    }
    let mut content = Content { was_there: false, ..snapshot(root, &container, options)? };
    let inner = match change {
        Change::Set(path, given) => {
            let given = references::resolved(root, path, given, options)?;
            Change::Set(rest, joined(&mut content, &given, path)?)
        }
        Change::Insert(path, given) => Change::Insert(rest, joined(&mut content, given, path)?),
        Change::Remove(_) => Change::Remove(rest),
        Change::Move(_, to) => Change::Move(rest, *to),
        Change::Variant(..) | Change::Attach(..) | Change::Rename(..) => return Err(refused),
    };
    let before = content.tree.clone();
    // In a tree, changes are always made in place.
    let done = make_in_place(&mut content.tree, &inner, options, &mut Vec::new());
    if let Err(Refused { error, .. }) = done {
        return Err(match error.kind() {
            // The value at the path has another path in the tree.
            ErrorKind::NotFound if !matches!(change, Change::Insert(..)) => refused,
            _ => crate::within(error, &container),
        });
    }
    load(root, &container, content, options, undo)?;
    if matches!(change, Change::Move(..)) && snapshot(root, &container, options)?.tree == before {
        let error = Error::new(
            ErrorKind::ReadOnly,
            "these items cannot be moved: their container determines their order",
        );
        return Err(crate::within(error, &container));
    }
    Ok(())
}

/// Loads a value as a whole.
fn load(
    root: &mut dyn Polymorphic,
    place: &Path,
    content: Content,
    options: &Options<'_>,
    undo: &mut Vec<Change>,
) -> Result {
    let wanted = len(&content.tree);
    make_change(root, &Change::Set(place.clone(), content), options, undo)?;
    if len(&snapshot(root, place, options)?.tree) < wanted {
        return Err(crate::within(duplicate(), place));
    }
    Ok(())
}

#[cold]
fn duplicate() -> Error {
    Error::new(ErrorKind::DuplicateMember, "duplicate element or key")
}

/// Returns the content of a place in a tree that is loaded as a whole, and adds its objects to
/// those of the tree.
fn joined(whole: &mut Content, content: &Content, path: &Path) -> Result<Content> {
    let tree = references::joined(whole, content);
    let tree = tree.map_err(|error| crate::within(error, path))?;
    Ok(Content { tree, same_ids: true, ..Content::default() })
}

/// Gives an entry of a map another key.
///
/// # Errors
/// [`ErrorKind::NotFound`] if the path does not lead to an entry of a map;
/// [`ErrorKind::DuplicateMember`] if another entry has the key, and errors of a load.
pub(super) fn rename(
    root: &mut dyn Polymorphic,
    path: &Path,
    key: &str,
    options: &Options<'_>,
    undo: &mut Vec<Change>,
) -> Result {
    at(root, path, options, &mut |_| Ok(()))?;
    let refused = || {
        let error = Error::new(ErrorKind::NotFound, "only entries of maps can be renamed");
        crate::within(error, path)
    };
    let (map, last) = path.split_last().ok_or_else(refused)?;
    let (kind, steps) = look::steps(root, &map, options)?;
    let is_it = |step: &Step| match (step, last) {
        (Step::Name(name), Step::Name(last)) => {
            name == last || doubled(last) == Some(name.to_string())
        }
        _ => step == last,
    };
    let index = steps.iter().position(is_it);
    let index = index.filter(|_| kind == Kind::Map || kind == Kind::Tree).ok_or_else(refused)?;
    let mut content = Content { was_there: false, ..snapshot(root, &map, options)? };
    match &mut content.tree {
        Value::Object(members) => {
            // Escaped as in files, unless the keys are the names themselves.
            let doubled = doubled(key).filter(|_| kind == Kind::Map);
            let key = doubled.unwrap_or_else(|| key.to_owned());
            let mut others = members.iter().enumerate().filter(|(at, _)| *at != index);
            if others.any(|(_, (name, _))| *name == key) {
                return Err(crate::within(duplicate(), &map));
            }
            members[index].0 = key;
        }
        Value::Array(entries) => match entries.get_mut(index) {
            Some(Value::Array(pair)) if pair.len() == 2 => pair[0] = key_like(&pair[0], key),
            _ => return Err(refused()),
        },
        _ => return Err(refused()),
    }
    load(root, &map, content, options, undo)
}

/// Returns a key as a tree. If another key of the map is a number, the key is parsed as a number.
fn key_like(other: &Value, key: &str) -> Value {
    let int = || key.parse().map(Number::Int);
    match (other, int().or_else(|_| key.parse().map(Number::UInt))) {
        (Value::Number(_), Ok(number)) => Value::Number(number),
        _ => Value::from(key),
    }
}

/// Returns the name of a key that begins with `$`, with another `$` before it. Paths also find the
/// key without it.
fn doubled(key: &str) -> Option<String> {
    key.starts_with('$').then(|| format!("${key}"))
}

/// Returns the number of parts of a list.
fn len(tree: &Value) -> Option<usize> {
    tree.as_array().map(<[Value]>::len)
}
