//! [`apply`]: all changes of an edit, or none.

use archive_core::path::{ListChange, Path, Step};
use archive_core::session::Unsaved;
use archive_core::{Error, ErrorKind, Options, Polymorphic, Result};

use super::content::Content;
use super::put::{Act, Progress, put};
use super::{Change, Edit, ranges, references, whole};
use crate::look::at;
use crate::tree;

/// Makes the changes of an edit, one after another, and returns the edit that undoes them. After an
/// error, the value is unchanged.
///
/// A change is checked like a load from a file: by types, and by the `after_load` functions of
/// every object around the place. The attributes `read_only` and `range` of members are checked,
/// too. An undo does not check ranges, because it restores old content. Objects keep their
/// identity. An undo restores the old objects, not copies: a pointer that was set to null is again
/// equal to the other pointers to its object, and weak pointers find the object again. For that,
/// the returned edit holds these objects.
///
/// # Fields that are not saved
/// A field with `skip` does not change. Two kinds of fields are reset to blank:
///
/// - Those of a value that an edit drops, such as an item that it removes, when undo restores the
///   value. This includes parts of values that are only loaded as a whole: elements of sets, parts
///   of slot maps and linked lists, and the value whose key is [renamed](Change::Rename). It also
///   includes trait objects in boxes if the `after_load` of an object around them made changes that
///   undo has to restore.
/// - Those of a value that an edit dropped before it was refused, if they cannot be copied: their
///   type has no `Clone`, or names a parameter of the type that has the field. The same applies to
///   fields that only a hand-written function visits, and to values that are stored as another
///   type. All others are restored. For that, each change copies the skipped fields of the values
///   it may drop, of the value in its place and of the objects around it that have an `after_load`.
///
/// ```
/// use archive::path::Path;
/// use archive::{Error, Options, Result, Serialize, reflect};
///
/// #[derive(Default, Serialize)]
/// #[archive(after_load = fits)]
/// struct Tank { fuel: f32, most: f32 }
///
/// fn fits(tank: &Tank) -> Result {
///     if tank.fuel <= tank.most { Ok(()) } else { Err(Error::custom("more fuel than fits")) }
/// }
///
/// let mut tank = Tank { fuel: 1.0, most: 2.0 };
/// let edit = reflect::Edit::new().set(Path::parse("fuel")?, 3);
/// let error = reflect::apply(&mut tank, &edit, &Options::new()).unwrap_err();
/// assert_eq!(error.to_string(), "more fuel than fits");
/// assert_eq!(tank.fuel, 1.0);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Panics
/// If a function of a type panics, such as an `after_load` or a setter, the changes that were made
/// before are not undone. Cells on the path are borrowed during a change. A function of a type that
/// borrows one of them, for example of an object around its own, panics as well.
///
/// # Errors
/// [`ErrorKind::NotFound`] if a path does not exist; [`ErrorKind::ReadOnly`] if the value cannot be
/// changed there; [`ErrorKind::Borrowed`] if a cell on the path is borrowed; and errors of a load,
/// if the content does not fit.
pub fn apply(root: &mut dyn Polymorphic, edit: &Edit, options: &Options<'_>) -> Result<Edit> {
    let mut undo = Vec::new();
    for change in &edit.0 {
        if let Err(error) = make(root, change, options, &mut undo) {
            undo_changes(root, undo, options);
            return Err(error);
        }
    }
    undo.reverse();
    undo.iter_mut().for_each(forget_unsaved);
    Ok(Edit(undo))
}

/// Drops the copies of fields that are not saved. These fields may change until the edit is undone,
/// and undo must not reset them.
fn forget_unsaved(change: &mut Change) {
    if let Change::Set(_, content) | Change::Insert(_, content) = change {
        content.unsaved = Unsaved::default();
    }
}

/// Undoes changes, the last one first. Errors of `after_load` are ignored here: the old content was
/// accepted before.
#[cold]
fn undo_changes(root: &mut dyn Polymorphic, undo: Vec<Change>, options: &Options<'_>) {
    for change in undo.iter().rev() {
        if let Some((list, act)) = parts(change) {
            let _ = put(root, change.path(), list, act, options);
        }
    }
}

/// Returns the parts of a change; `None` if its content comes from another place.
fn parts(change: &Change) -> Option<(Option<ListChange>, Act<'_>)> {
    Some(match change {
        Change::Set(_, content) => (None, Act::Load(content)),
        Change::Insert(_, content) => (Some(ListChange::Insert), Act::Load(content)),
        Change::Remove(_) => (Some(ListChange::Remove), Act::Nothing),
        Change::Move(_, to) => (Some(ListChange::Move(*to)), Act::Nothing),
        Change::Variant(_, name) => (None, Act::Variant(name)),
        Change::Attach(..) | Change::Rename(..) => return None,
    })
}

/// Makes one change, and adds its undo.
pub(super) fn make(
    root: &mut dyn Polymorphic,
    change: &Change,
    options: &Options<'_>,
    undo: &mut Vec<Change>,
) -> Result {
    let path = change.path();
    if let Change::Attach(_, from) = change {
        let mut content = snapshot(root, from, options)?;
        // A tree cannot refer to objects of the program.
        content.same_ids = !content.is_live();
        return make(root, &Change::Set(path.clone(), content), options, undo);
    }
    if let Change::Rename(_, key) = change {
        return whole::rename(root, path, key, options, undo);
    }
    match make_in_place(root, change, options, undo) {
        Err(Refused { error, whole: Some(whole) }) => {
            whole::make(root, change, (whole, error), options, undo)
        }
        Err(Refused { error, whole: None }) => Err(error),
        Ok(()) => Ok(()),
    }
}

/// Why a change cannot be made in its place.
pub(super) struct Refused {
    pub(super) error: Error,
    /// The number of steps to a value on the path that is only loaded as a whole.
    whole: Option<usize>,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused { error, whole: None }
    }
}

/// Makes a change of one place in that place, and adds its undo.
pub(super) fn make_in_place(
    root: &mut dyn Polymorphic,
    change: &Change,
    options: &Options<'_>,
    undo: &mut Vec<Change>,
) -> Result<(), Refused> {
    let path = change.path();
    let Some((list, mut act)) = parts(change) else { return Ok(()) };
    if list.is_some() && path.is_empty() {
        return Err(Error::new(ErrorKind::NotFound, "the root is not an item of a list").into());
    }
    let (found, done) = put(root, path, None, Act::Find, options);
    if let Err(error) = done {
        return Err(Refused { error, whole: found.whole });
    }
    let around = around(root, path, &found, options)?;
    let inverse = match change {
        Change::Insert(..) => Change::Remove(path.clone()),
        Change::Remove(_) => put_back(root, path, options)?,
        Change::Move(_, to) => moved_back(path, *to)?,
        Change::Set(_, content) => {
            let before = before(root, path, options)?;
            if content.was_there && content.is_same_as(&before) {
                // The function of the object around an undone place had changed nothing.
                return Ok(());
            }
            Change::Set(path.clone(), before)
        }
        _ => Change::Set(path.clone(), before(root, path, options)?),
    };
    let content;
    match change {
        Change::Set(_, given) => {
            content = references::resolved(root, path, given, options)?;
            act = Act::Load(&content);
        }
        Change::Insert(_, given) => {
            references::check_complete(given).map_err(|error| crate::within(error, path))?;
        }
        _ => {}
    }
    let (progress, done) = put(root, path, list, act, options);
    let changed = if list.is_some() { progress.finished } else { progress.reached };
    if changed {
        // The outermost object is restored last.
        undo.extend(around.into_iter().rev());
        undo.push(inverse);
    }
    match act {
        // The setter may refuse its own old value. The object around it is restored next.
        Act::Load(content) if content.was_there && progress.is_property => {}
        _ => done?,
    }
    if !progress.reached {
        return Err(nowhere(root, change, &progress, options).into());
    }
    match act {
        Act::Load(content) if !content.was_there => {
            at(root, path, options, &mut |value| ranges::check(value, progress.facts, options))?;
        }
        _ => {}
    }
    Ok(())
}

/// Returns the changes that restore the objects around the place, from the inside out, if their
/// functions may change them when a part of them changes.
fn around(
    root: &dyn Polymorphic,
    path: &Path,
    found: &Progress,
    options: &Options<'_>,
) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for steps in &found.checked {
        let place: Path = path[..*steps].iter().cloned().collect();
        let content = before(root, &place, options)?;
        changes.push(Change::Set(place, content));
    }
    Ok(changes)
}

/// Returns the content of a place, with its live objects.
pub(super) fn snapshot(
    root: &dyn Polymorphic,
    path: &Path,
    options: &Options<'_>,
) -> Result<Content> {
    content(root, path, Unsaved::default, options)
}

/// As [`snapshot`], with copies of the fields that are not saved.
fn before(root: &dyn Polymorphic, path: &Path, options: &Options<'_>) -> Result<Content> {
    content(root, path, Unsaved::empty, options)
}

fn content(
    root: &dyn Polymorphic,
    path: &Path,
    unsaved: fn() -> Unsaved,
    options: &Options<'_>,
) -> Result<Content> {
    let mut content = Content { was_there: true, same_ids: true, ..Content::default() };
    at(root, path, options, &mut |visit| {
        content.unsaved = unsaved();
        (content.tree, content.links) = tree::save_live(visit, &content.unsaved, options)?;
        Ok(())
    })?;
    Ok(content)
}

/// Returns the change that restores an item or an entry. A map is restored as a whole, because its
/// entries may be ordered.
fn put_back(root: &dyn Polymorphic, path: &Path, options: &Options<'_>) -> Result<Change> {
    match path.split_last() {
        Some((map, Step::Name(_))) => {
            // If there is no such entry, the error says so.
            at(root, path, options, &mut |_| Ok(()))?;
            let content = before(root, &map, options)?;
            Ok(Change::Set(map, content))
        }
        _ => Ok(Change::Insert(path.clone(), before(root, path, options)?)),
    }
}

/// Returns the change that moves an item back.
fn moved_back(path: &Path, to: usize) -> Result<Change> {
    let item = path.split_last().and_then(|(list, last)| match last {
        Step::Index(from) => Some((list, *from)),
        _ => None,
    });
    let Some((list, from)) = item else {
        let error = Error::new(ErrorKind::NotFound, "only an item of a list can be moved");
        return Err(crate::within(error, path));
    };
    Ok(Change::Move(list.join(&[to.into()]), from))
}

#[cold]
fn nowhere(
    root: &dyn Polymorphic,
    change: &Change,
    progress: &Progress,
    options: &Options<'_>,
) -> Error {
    let path = change.path();
    if let (Change::Move(_, to), Some((list, _))) = (change, path.split_last())
        && let Err(error) = at(root, &list.join(&[(*to).into()]), options, &mut |_| Ok(()))
    {
        return error;
    }
    // A value that can be read, but was not found, is not visited in place.
    match at(root, path, options, &mut |_| Ok(())) {
        Err(error) => error,
        Ok(()) => {
            let message = "this value cannot be changed where it is: change the value around it";
            let error = Error::new(ErrorKind::ReadOnly, message);
            crate::within(error, &path[..progress.steps.min(path.len())])
        }
    }
}
