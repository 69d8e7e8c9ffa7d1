//! Functions that let archives outside this crate follow the rules of [`Saving`](crate::Saving) and
//! [`Loading`](crate::Loading). For archives that save trees, and for those that run inside another
//! library's visitors, where there is no encoder or decoder to call.

pub use crate::format::key::name as name_of_key;
pub use crate::format::loading::refuse::{
    other_payload, unknown_payload, unknown_variant, unknown_variant_taken,
};

pub use crate::format::tagged::save as save_tagged;
pub use crate::model::reserved::check_name;
pub use crate::pointer::dismantle::over;
pub use crate::tree::value::{is_pointer_name, mention};
pub use crate::visit::body::{New, Nothing};
pub use crate::visit::session::{
    BeforeRoot, DeferredPointee, Mention, OtherParts, OuterClass, Place,
};
pub use crate::visit::walk::misuse;

use crate::format::key::KeyDecoder;
use crate::format::loading::{Absent, Loading, refuse};
use crate::model::error::{Error, ErrorKind, Position, Result};
use crate::model::mark::Mark;
use crate::model::number::Number;
use crate::model::shape::{Class, Member, OBJECT, POINTER, Primitive, Shape, Variant};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::body::Body;
use crate::visit::object::Handle;
use crate::visit::session::{NoteKind, Session, State};

/// Returns the id in the file of the object that a tree [mentions](mention) as `id`.
///
/// # Errors
/// Returns an error if there are too many objects.
pub fn tree_id<A: Archive>(ar: &mut A, id: u64, mention: Mention) -> Result<u64> {
    let limit = ar.options().settings().limits().pointers;
    ar.session_mut().saved.tree_id(id, mention, limit)
}

/// Keeps the ids of the objects of a tree from a file that is saved again. Other objects get ids
/// above `last`.
pub fn keep_tree_ids(session: &mut Session, ids: impl IntoIterator<Item = u64>, last: u64) {
    session.saved.keep_tree_ids(ids, last);
}

/// Returns the number of members of an object whose names are data, before it is saved; `None` for
/// other objects.
#[inline]
pub fn data_members(class: &'static Class, session: &mut Session) -> Option<usize> {
    let is_data = std::ptr::eq(class, &OBJECT);
    is_data.then(|| std::mem::take(&mut session.current.size_hint))
}

// ---- loading ----

/// Begins a root. Returns the state that [`begins_again`] needs.
pub fn begin_root(session: &mut Session, shape: &'static Shape) -> BeforeRoot {
    session.trees.whole = shape.is_any();
    session.begin_root();
    session.before_root()
}

/// Returns whether the root must be loaded again, because keys of sets and maps refer to objects that
/// come later. Prepares the session for that. All objects are loaded again.
///
/// # Errors
/// [`ErrorKind::BadPointer`] if keys compare differently each time.
pub fn begins_again(
    session: &mut Session,
    before: &BeforeRoot,
    options: &Options<'_>,
) -> Result<bool> {
    session.begins_again(before, false, options)
}

/// Records a pointer to an object that is not in the table of the session.
pub fn note_pointer(session: &mut Session) {
    session.count_pointer();
}

/// Ends a root, after the root and all its objects were loaded.
///
/// # Errors
/// [`ErrorKind::SizeLimit`] if the report had no room for all findings, [`ErrorKind::BadPointer`]
/// if the root must be loaded [again](begins_again).
pub fn end_root(session: &mut Session) -> Result {
    session.check_keys()?;
    session.resolve_weak();
    session.report_fits()
}

/// Creates a session that collects a report if `session` does, with the same nesting.
pub fn fresh(session: &Session) -> Session {
    let mut fresh = match session.looks() {
        true if session.is_reporting() => Session::reporting(),
        true => Session::watching(),
        false => Session::new(),
    };
    fresh.reporting.missed = session.reporting.missed;
    fresh.nesting.one_each = session.nesting.one_each;
    fresh
}

/// Returns how many more levels a value may have at the current depth.
pub fn levels_left(session: &Session, options: &Options<'_>) -> usize {
    options.settings().limits().depth.saturating_sub(session.depth())
}

/// Adds a note about the conversion of a number, which may have been text.
pub fn converted(session: &mut Session, number: Number, to: Primitive, is_text: bool) {
    let conversion = || if is_text { number.conversion_in_text(to) } else { number.conversion(to) };
    if session.looks()
        && let Some((from, to)) = conversion()
    {
        session.note(NoteKind::Converted { from: from.name(), to: to.name() });
    }
}

/// Handles absent members. The errors have no position.
fn missing<'s, 'o>(
    session: &'s mut Session,
    options: &'s Options<'o>,
) -> Absent<'s, 'o, impl Fn() -> Position> {
    Absent { session, options, at: || Position::Unknown }
}

/// Handles an absent member, which keeps its value.
///
/// # Errors
/// Returns an error if the file must have the member: [`Options::complete`].
pub fn absent(session: &mut Session, options: &Options<'_>, name: &str) -> Result {
    missing(session, options).named(name)
}

/// Like [`absent`], for a member that is known at compile time.
///
/// # Errors
/// Returns an error if the file must have the member.
pub fn absent_member(
    session: &mut Session,
    options: &Options<'_>,
    info: &'static Member,
) -> Result {
    missing(session, options).member(info)
}

/// Handles the absent payload of a variant.
pub fn absent_payload(
    session: &mut Session,
    options: &Options<'_>,
    variant: &'static Variant,
) -> Result {
    missing(session, options).payload(variant)
}

/// Handles a member that the type does not have. Without a class, it is a member of a pointer.
///
/// # Errors
/// Returns an error with [`Options::strict`].
pub fn unknown_member(
    name: &str,
    class: Option<&'static Class>,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    refuse::unknown_member(name, class.unwrap_or(&POINTER), session, options)
}

/// Returns the error for a sequence with more items than the type has. The message names `len`
/// unless it is 0.
pub fn too_many(len: usize) -> Error {
    let message = "the sequence has more items than were loaded";
    refuse::too_many(Error::new(ErrorKind::WrongLength, message), len)
}

/// Checks that the program knows the version of an object.
///
/// # Errors
/// [`ErrorKind::NewerVersion`] if it is a newer version.
#[inline]
pub fn check_version(class: &'static Class, version: u32) -> Result {
    if version > class.version { Err(refuse::newer(class, version)) } else { Ok(()) }
}

/// Loads a map key from the name of a member.
pub fn key<B: Body>(
    name: &str,
    body: &mut B,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    body.run(&mut Loading::new(&mut KeyDecoder::new(name), session, options))
}

/// Returns the object that comes next, if it was created by a reference and is not filled yet.
///
/// # Errors
/// Returns an error if the object has been loaded already.
pub fn waiting(session: &mut Session, id: u64, at: Mark) -> Result<Option<Handle>> {
    match session.loaded.get(id) {
        Some(entry) if entry.state == State::Pending => {
            entry.advance(State::Loading, at);
            Ok(Some(entry.handle.clone()))
        }
        Some(_) => {
            let message = format_args!("object {id} is stored twice");
            Err(Error::new(ErrorKind::BadPointer, message))
        }
        None => Ok(None),
    }
}

/// Loads the content of an object that was created by a reference.
pub fn fill<A: Archive>(handle: &Handle, ar: &mut A) -> Result {
    match handle.object() {
        Some(object) => object.fill(&mut ar.erased()),
        None => Err(crate::model::head::wrong_pointee()),
    }
}
