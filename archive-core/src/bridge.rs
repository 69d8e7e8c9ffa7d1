//! What archives outside this crate need to keep the rules of [`Saving`](crate::Saving) and
//! [`Loading`](crate::Loading): those that run inside another library's visitors, where there is no
//! encoder or decoder to call.

pub use crate::dismantle::over;

use crate::archive::{Archive, Body};
use crate::decoder::Mark;
use crate::encoder::POINTER;
use crate::erased::Erased;
use crate::error::{Error, ErrorKind, Position, Result};
use crate::key::{self, KeyDecoder};
use crate::loading::{Absent, Loading, refuse};
use crate::number::Number;
use crate::options::Options;
use crate::pointer::Handle;
use crate::session::{NoteKind, Session, State};
use crate::shape::{Class, Enum, Member, Primitive, Shape, Variant};

pub use crate::saving::check_name;

/// Writes the pointer of an object whose body had to wait.
pub type DeferredBody = Box<dyn FnOnce(&mut Erased<'_>) -> Result>;

/// How many notes and errors a report had.
pub type Since = (usize, usize);

// ---- saving ----

/// A pointer begins; `tracked` if it has a body that others refer to. Whether it is the outermost one.
pub fn open_pointer(session: &mut Session, tracked: bool) -> bool {
    session.open_pointer(tracked)
}

/// A pointer ends.
pub fn close_pointer(session: &mut Session, tracked: bool) {
    session.close_pointer(tracked);
}

/// Whether the body of a pointer that begins here should wait, where bodies do past so many levels.
pub fn defers(session: &Session, options: &Options<'_>, levels: usize) -> bool {
    session.defers(options, levels)
}

/// Whether bodies wait.
pub fn has_deferred(session: &Session) -> bool {
    session.saved.has_deferred()
}

/// The body that has waited longest.
pub fn next_deferred(session: &mut Session) -> Option<DeferredBody> {
    session.saved.next_deferred()
}

/// What is saved is read once and forwards, so that the bodies of some objects must stand where they are
/// first referred to. `early` are those of which an earlier save has [told](late) so.
pub fn read_once(session: &mut Session, early: &[usize]) {
    session.saved.read_once(early.iter().copied());
}

/// The objects whose bodies were saved too late, by address: the save must begin again, with these
/// [early](read_once).
pub fn late(session: &Session) -> &[usize] {
    session.saved.late()
}

/// Checks that every object that trees refer to was saved.
///
/// # Errors
/// If one was not.
pub fn finish_trees(session: &Session) -> Result {
    session.saved.finish_trees()
}

/// The number of members of an object whose names are data, which is about to be saved.
#[inline]
pub fn data_members(class: &'static Class, session: &mut Session) -> Option<usize> {
    let is_data = std::ptr::eq(class, &crate::value::CLASS);
    is_data.then(|| std::mem::take(&mut session.size_hint))
}

/// The name of a key of a map that is saved as an object.
///
/// # Errors
/// Those of the key; [`ErrorKind::Unsupported`] if it has no name.
pub fn name_of_key<B: Body>(
    key: &mut B,
    session: &mut Session,
    options: &Options<'_>,
) -> Result<String> {
    key::name(key, session, options)
}

/// The error with the variant that it was met in.
pub fn in_variant(error: Error, info: &'static Enum, variant: &'static Variant) -> Error {
    error.in_variant(info, variant)
}

pub use crate::tagged::save as save_tagged;

// ---- loading ----

/// A root begins.
pub fn begin_root(session: &mut Session, shape: &'static Shape) {
    session.trees.whole = shape.is_any();
    session.begin_root();
}

/// Whether the root is being visited, or its members are: nothing inside of them.
pub fn is_in_root(session: &Session) -> bool {
    session.is_in_root()
}

/// Whether objects were referred to whose bodies were not met.
pub fn has_pending(session: &mut Session) -> bool {
    !session.loaded.take_pending().is_empty()
}

/// The root has been loaded, and all objects with it.
///
/// # Errors
/// [`ErrorKind::SizeLimit`] if the report does not have all that there was to report.
pub fn end_root(session: &mut Session) -> Result {
    session.settle_weak();
    session.report_fits()
}

/// The load failed: empties all objects made so far.
pub fn abandon(session: &mut Session, options: &Options<'_>) {
    session.loaded.abandon(options);
}

/// A state that collects a report if the other does.
pub fn fresh(session: &Session) -> Session {
    if session.reporting { Session::reporting() } else { Session::new() }
}

/// How many items a sequence still has, for [`Archive::size_hint`].
#[inline]
pub fn set_size_hint(session: &mut Session, hint: usize) {
    session.size_hint = hint;
}

/// What [`set_size_hint`] said.
#[inline]
pub fn size_hint(session: &Session) -> usize {
    session.size_hint
}

/// Whether objects of unknown types are kept.
pub fn keeps_unknown(options: &Options<'_>) -> bool {
    options.keeps_unknown()
}

/// Counts an element.
///
/// # Errors
/// [`ErrorKind::SizeLimit`].
#[inline]
pub fn count(session: &mut Session, options: &Options<'_>) -> Result {
    session.count(options)
}

/// What the report has.
#[inline]
pub fn since(session: &Session) -> Since {
    session.report.len()
}

/// Puts a member's name before the paths of what was noted since.
#[inline]
pub fn in_member(session: &mut Session, since: Since, name: &str) {
    if session.reporting && session.report.len() != since {
        session.in_member(since, name);
    }
}

/// Puts an item's index before the paths of what was noted since.
#[inline]
pub fn in_item(session: &mut Session, since: Since, index: usize) {
    if session.reporting && session.report.len() != since {
        session.in_item(since, index);
    }
}

/// Puts an object before the paths of what was noted since.
pub fn in_object(session: &mut Session, since: Since, id: u64) {
    if session.reporting && session.report.len() != since {
        session.in_object(since, id);
    }
}

/// The error with the object that it was met in.
pub fn error_in_object(error: Error, id: u64) -> Error {
    error.in_object(id)
}

/// How many more levels a value may have inside of what is open.
pub fn levels_left(session: &Session, options: &Options<'_>) -> usize {
    options.get_limits().depth.saturating_sub(session.depth)
}

/// Notes the conversion of a number, which may have been text.
pub fn converted(session: &mut Session, number: Number, to: Primitive, is_text: bool) {
    let conversion = || if is_text { number.conversion_in_text(to) } else { number.conversion(to) };
    if session.reporting
        && let Some((from, to)) = conversion()
    {
        session.note(NoteKind::Converted { from: from.name(), to: to.name() });
    }
}

/// What a load does about absent members. Their errors have no place yet.
fn missing<'s, 'o>(
    session: &'s mut Session,
    options: &'s Options<'o>,
) -> Absent<'s, 'o, impl Fn() -> Position> {
    Absent { session, options, at: || Position::Unknown }
}

/// A member that is not there keeps its value.
///
/// # Errors
/// If the file must have it: [`Options::complete`].
pub fn absent(session: &mut Session, options: &Options<'_>, name: &str) -> Result {
    missing(session, options).named(name)
}

/// As [`absent`], for a member that is known at compile time.
///
/// # Errors
/// If the file must have it.
pub fn absent_member(
    session: &mut Session,
    options: &Options<'_>,
    info: &'static Member,
) -> Result {
    missing(session, options).member(info)
}

/// The errors of the report.
pub fn kept_errors(session: &mut Session) -> &mut [Error] {
    &mut session.report.errors
}

/// The payload of a variant that is not there.
///
/// # Errors
/// As [`absent_member`].
pub fn absent_payload(
    session: &mut Session,
    options: &Options<'_>,
    variant: &'static Variant,
) -> Result {
    missing(session, options).payload(variant)
}

/// A member that the type does not have; without a type, one of a pointer.
///
/// # Errors
/// Under [`Options::strict`].
pub fn unknown_member(
    name: &str,
    class: Option<&'static Class>,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    refuse::unknown_member(name, class.unwrap_or(&POINTER), session, options)
}

/// The variant holds nothing in the program.
///
/// # Errors
/// Under [`Options::strict`].
pub fn unknown_payload(
    info: &Enum,
    variant: &str,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    refuse::unknown_payload(info, variant, session, options)
}

/// The fallback variant stands for a variant of that name.
///
/// # Errors
/// Under [`Options::strict`].
pub fn unknown_variant_taken(name: &str, session: &mut Session, options: &Options<'_>) -> Result {
    refuse::unknown_variant_taken(name, session, options)
}

/// The enum has no such variant.
pub fn unknown_variant(info: &Enum, name: &str) -> Error {
    refuse::unknown_variant(info, name)
}

/// A sequence with more items than the `len` that the type has, if that is not 0.
pub fn too_many(len: usize) -> Error {
    let message = "the sequence has more items than were asked for";
    refuse::too_many(Error::new(ErrorKind::WrongLength, message), len)
}

/// The version of an object is one that the program knows.
///
/// # Errors
/// [`ErrorKind::NewerVersion`].
#[inline]
pub fn check_version(class: &'static Class, version: u32) -> Result {
    if version > class.version { Err(refuse::newer(class, version)) } else { Ok(()) }
}

/// How many errors were kept and how many members were absent.
#[inline]
pub fn noticed(session: &Session) -> Since {
    session.noticed()
}

/// Forgets which members of an object were absent.
#[inline]
pub fn leave_class(session: &mut Session, noticed: Since) {
    session.absent.truncate(noticed.1);
}

/// Loads a key of a map from its name.
///
/// # Errors
/// Those of the key.
pub fn key<B: Body>(
    name: &str,
    body: &mut B,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    body.run(&mut Loading::new(&mut KeyDecoder::new(name), session, options))
}

/// The object whose body comes now, if it was made when it was referred to and waits for it.
///
/// # Errors
/// If it had a body before.
pub fn waiting(session: &mut Session, id: u64, at: Mark) -> Result<Option<Handle>> {
    match session.loaded.get(id) {
        Some(entry) if entry.state == State::Pending => {
            entry.advance(State::Loading, at);
            Ok(Some(entry.handle.clone()))
        }
        Some(_) => {
            let message = format_args!("object {id} has two bodies");
            Err(Error::new(ErrorKind::BadPointer, message))
        }
        None => Ok(None),
    }
}

/// Loads the content of an object that waited.
///
/// # Errors
/// Those of the content.
pub fn fill<A: Archive>(handle: &Handle, ar: &mut A) -> Result {
    match handle.object() {
        Some(object) => object.fill(&mut ar.erased()),
        None => Err(crate::pointer::not_here()),
    }
}

/// A weak pointer refers to an object that stands nowhere.
///
/// # Errors
/// If it is one object too many.
pub fn missed(session: &mut Session, id: u64, options: &Options<'_>) -> Result {
    session.loaded.mention(id, options)
}

/// The body of an object has been loaded; with `false` it was refused.
pub fn loaded(session: &mut Session, id: u64, at: Mark, done: bool) {
    if id == 0 {
        return;
    }
    if let Some(entry) = session.loaded.get(id) {
        if done {
            entry.advance(State::Done, at);
        } else {
            entry.strong = false;
        }
    }
}
