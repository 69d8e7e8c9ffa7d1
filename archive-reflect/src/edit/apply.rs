//! [`apply`]: all changes of an edit, or none.

use archive_core::path::{ListChange, Path, Step};
use archive_core::session::Unsaved;
use archive_core::{Error, ErrorKind, Options, Polymorphic, Result};

use super::content::Content;
use super::put::{Act, Progress, put};
use super::{Change, Edit, ranges, references, whole};
use crate::look::at;
use crate::tree;

/// Makes the changes of an edit, one after the other, and returns the edit that takes them back.
/// After an error, everything is as it was.
///
/// A change is checked like a load from a file: types, and the `after_load` functions of every object
/// around the place. So are the attributes `read_only` and `range` of members. What is taken back was
/// there before, so its ranges are not checked. Objects keep their identity. What is taken back has the objects
/// that were there before, not copies: a pointer that was set to null and comes back is equal to
/// the other pointers to its object, and weak pointers find it again. For that, the returned edit
/// holds these objects.
///
/// # Fields that are not saved
/// A field with `skip` stays as it is. Two kinds of fields start anew:
///
/// - Those of a value that an edit drops, such as an item that it removes, when the value comes back
///   by undo. Parts of values that are only loaded as a whole are among these: elements of sets,
///   parts of slot maps and linked lists, and the value whose key is [renamed](Change::Rename). So are
///   trait objects in boxes, where the `after_load` of an object around them had changed something
///   that undo has to put back.
/// - Those of a value that an edit dropped before it was refused, if they cannot be copied: their type has
///   no `Clone`, or names a parameter of the type that has the field. The same holds for what only a
///   function written by hand knows of, and for values that are stored as another type. All others
///   come back. For that, each change copies the skipped fields of what it may drop, of the value in
///   its place and of the objects around it that have an `after_load`.
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
/// before are not taken back. Cells on the way to a place are borrowed: a function of a type there that
/// borrows one of them, such as that of the object around its own, panics as well.
///
/// # Errors
/// [`ErrorKind::NotFound`] if a path leads nowhere; [`ErrorKind::ReadOnly`] if the value cannot be
/// changed there; [`ErrorKind::Borrowed`] if a cell on the way is borrowed; those of a load, if the
/// content does not fit.
pub fn apply(root: &mut dyn Polymorphic, edit: &Edit, options: &Options<'_>) -> Result<Edit> {
    let mut undo = Vec::new();
    for change in &edit.0 {
        if let Err(error) = make(root, change, options, &mut undo) {
            take_back(root, undo, options);
            return Err(error);
        }
    }
    undo.reverse();
    undo.iter_mut().for_each(forget_unsaved);
    Ok(Edit(undo))
}

/// Drops the copies of fields that are not saved. These fields may change until the edit is undone,
/// which is then no reason to set them back.
fn forget_unsaved(change: &mut Change) {
    if let Change::Set(_, content) | Change::Insert(_, content) = change {
        content.unsaved = Unsaved::default();
    }
}

/// Takes changes back, the last one first. A function that refuses what was there before has no
/// say.
#[cold]
fn take_back(root: &mut dyn Polymorphic, undo: Vec<Change>, options: &Options<'_>) {
    for change in undo.iter().rev() {
        if let Some((list, act)) = parts(change) {
            let _ = put(root, change.path(), list, act, options);
        }
    }
}

/// Returns what a change does in its place; `None` if that is the content of another place.
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

/// Makes one change, and adds what takes it back.
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
    /// The number of steps to a value that the path leads into, and that is only loaded as a whole.
    whole: Option<usize>,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused { error, whole: None }
    }
}

/// Makes a change of one place in that place, and adds what takes it back.
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
                // The object around a place that was undone, which its function had not changed.
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
        // The outermost object is put back last.
        undo.extend(around.into_iter().rev());
        undo.push(inverse);
    }
    match act {
        // The function may refuse what it had set. The object around it is put back next.
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

/// Returns the changes that put back the objects around the place whose functions may change them
/// when something in them changes, from the inside out.
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

/// Returns the content of a place, with the objects that are there.
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

/// Returns the change that puts back an item or an entry. A map is put back as a whole, because it
/// may have an order.
fn put_back(root: &dyn Polymorphic, path: &Path, options: &Options<'_>) -> Result<Change> {
    match path.split_last() {
        Some((map, Step::Name(_))) => {
            // Where there is no such entry, the error says so.
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
    // What can be read and not be found is not visited in place.
    match at(root, path, options, &mut |_| Ok(())) {
        Err(error) => error,
        Ok(()) => {
            let message = "this value cannot be changed where it is: change the value around it";
            let error = Error::new(ErrorKind::ReadOnly, message);
            crate::within(error, &path[..progress.steps.min(path.len())])
        }
    }
}
