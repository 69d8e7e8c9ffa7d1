//! What archives outside this crate need to keep the rules of [`Saving`](crate::Saving) and
//! [`Loading`](crate::Loading): those that run inside another library's visitors, where there is no
//! encoder or decoder to call.

pub use crate::body::New;
pub use crate::dismantle::over;
pub use crate::key::name as name_of_key;
pub use crate::loading::refuse::{unknown_payload, unknown_variant, unknown_variant_taken};
pub use crate::saving::check_name;
pub use crate::session::DeferredBody;
pub use crate::tagged::save as save_tagged;

use crate::archive::{Archive, Body};
use crate::decoder::Mark;
use crate::encoder::POINTER;
use crate::error::{Error, ErrorKind, Position, Result};
use crate::key::KeyDecoder;
use crate::loading::{Absent, Loading, refuse};
use crate::number::Number;
use crate::options::Options;
use crate::pointer::Handle;
use crate::session::{NoteKind, Session, State};
use crate::shape::{Class, Member, Primitive, Shape, Variant};

/// The number of members of an object whose names are data, which is about to be saved.
#[inline]
pub fn data_members(class: &'static Class, session: &mut Session) -> Option<usize> {
    let is_data = std::ptr::eq(class, &crate::value::CLASS);
    is_data.then(|| std::mem::take(&mut session.size_hint))
}

// ---- loading ----

/// A root begins.
pub fn begin_root(session: &mut Session, shape: &'static Shape) {
    session.trees.whole = shape.is_any();
    session.begin_root();
}

/// The root has been loaded, and all objects with it.
///
/// # Errors
/// [`ErrorKind::SizeLimit`] if the report does not have all that there was to report.
pub fn end_root(session: &mut Session) -> Result {
    session.resolve_weak();
    session.report_fits()
}

/// A state that collects a report if the other does.
pub fn fresh(session: &Session) -> Session {
    if session.reporting { Session::reporting() } else { Session::new() }
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

/// Forgets which members of an object were absent.
#[inline]
pub fn leave_class(session: &mut Session, noticed: (usize, usize)) {
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
