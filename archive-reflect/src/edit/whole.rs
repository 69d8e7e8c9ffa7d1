//! Changes in values that are only loaded as a whole: sets, keys, slot maps, and types that are
//! stored as another one. The value's tree is changed, and loaded.

use archive_core::path::{Path, Step};
use archive_core::{Error, ErrorKind, Options, Polymorphic, Result, Value};

use super::apply::{make as make_change, snapshot};
use super::{Change, Content, Edit, apply};
use crate::look::{self, Kind, at};

/// Makes a change in the value that the first `whole` steps lead to. `refused` is the error for a
/// change that cannot be made in its tree either.
///
/// # Errors
/// [`ErrorKind::DuplicateMember`] if a set or a map would have fewer parts than the tree, and those
/// of a load.
pub(super) fn make(
    root: &mut dyn Polymorphic,
    change: &Change,
    (whole, refused): (usize, Error),
    options: &Options<'_>,
    undo: &mut Vec<Change>,
) -> Result {
    let (container, rest) = change.path().split_at(whole);
    let (container, rest) = (Path::from(container.to_vec()), Path::from(rest.to_vec()));
    if !matches!(change, Change::Insert(..)) {
        // The errors of a path that leads nowhere.
        at(root, change.path(), options, &mut |_| Ok(()))?;
    }
    let inner = match change {
        Change::Set(_, content) if !content.is_live() => Change::Set(rest, content.clone()),
        Change::Insert(_, content) if !content.is_live() => Change::Insert(rest, content.clone()),
        Change::Remove(_) => Change::Remove(rest),
        Change::Move(_, to) => Change::Move(rest, *to),
        _ => return Err(refused),
    };
    let mut content = Content { was_there: false, ..snapshot(root, &container, options)? };
    let before = content.tree.clone();
    if let Err(error) = apply(&mut content.tree, &Edit(vec![inner]), options) {
        return Err(match error.kind() {
            // What the path leads to is not where it is in the tree.
            ErrorKind::NotFound if !matches!(change, Change::Insert(..)) => refused,
            ErrorKind::BadPointer => refused,
            _ => crate::within(error, &container),
        });
    }
    let wanted = len(&content.tree);
    make_change(root, &Change::Set(container.clone(), content), options, undo)?;
    let after = snapshot(root, &container, options)?.tree;
    let error = if len(&after) < wanted {
        Error::new(ErrorKind::DuplicateMember, "there is such an element or key already")
    } else if matches!(change, Change::Move(..)) && after == before {
        Error::new(ErrorKind::ReadOnly, "these items have an order of their own")
    } else {
        return Ok(());
    };
    Err(crate::within(error, &container))
}

/// Gives an entry of a map another key.
///
/// # Errors
/// [`ErrorKind::NotFound`] if the path leads to no entry of a map, and those of [`make`].
pub(super) fn rename(
    root: &mut dyn Polymorphic,
    path: &Path,
    key: &str,
    options: &Options<'_>,
    undo: &mut Vec<Change>,
) -> Result {
    at(root, path, options, &mut |_| Ok(()))?;
    let refused = || {
        let error = Error::new(ErrorKind::NotFound, "only an entry of a map has a key");
        crate::within(error, path)
    };
    let (map, last) = path.split_last().ok_or_else(refused)?;
    let (kind, steps) = look::steps(root, &map, options)?;
    let is_it = |step: &Step| step == last || Some(step) == doubled(last).as_ref();
    let index = steps.iter().position(is_it).filter(|_| kind == Kind::Map);
    let place = map.join(&[Step::Index(index.ok_or_else(refused)?), Step::Index(0)]);
    let before = look::get(root, &place, options)?;
    // A key that is a number has its digits as its name.
    let key = match (before, key.parse()) {
        (Value::Number(_), Ok(number)) => Value::Number(archive_core::Number::Int(number)),
        _ => Value::from(key),
    };
    let change = Change::Set(place, key.into());
    make(root, &change, (map.len(), refused()), options, undo)
}

/// Returns the name of a key that begins with `$`, which has another `$` in front. Paths lead to
/// the key without it, too.
fn doubled(step: &Step) -> Option<Step> {
    match step {
        Step::Name(name) if name.starts_with('$') => Some(format!("${}", &**name).as_str().into()),
        _ => None,
    }
}

/// Returns the number of parts of a list.
fn len(tree: &Value) -> Option<usize> {
    tree.as_array().map(<[Value]>::len)
}
