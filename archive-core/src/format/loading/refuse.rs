//! The errors and notes for data that a load does not accept.

use std::convert::Infallible;

use crate::model::error::{Error, ErrorKind, Known, Name, Position, Result, nearest};
use crate::model::reserved;
use crate::model::shape::{Class, Enum, Member, Payload, Variant, each_member};
use crate::state::options::Options;
use crate::visit::session::{NoteKind, Place, Session};

/// Handles a member that the type does not have: an error if the options are strict, otherwise a
/// note.
#[cold]
pub(crate) fn unknown_member(
    name: &str,
    class: &'static Class,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    reserved_member(name, class).map_err(|error| error.in_member(name))?;
    if options.strict {
        return Err(no_member(name, class, session).in_member(name));
    }
    session.note_at(Place::Member(name), NoteKind::Unknown);
    Ok(())
}

/// Checks that a member that the class does not have does not belong to the format itself.
pub(crate) fn reserved_member(name: &str, class: &'static Class) -> Result {
    if name == reserved::VERSION && class.version > 0 {
        return Err(reserved::late_version());
    }
    reserved::check_unknown(name)
}

/// Returns the error for a member that the class does not have. For a hand-written function, only
/// the requested members that were absent are known. If the member is misspelt, the correct name is
/// among them.
#[cold]
pub(crate) fn no_member(name: &str, class: &'static Class, session: &Session) -> Error {
    let class_name = class.name();
    let message = match class.members {
        Some(members) => {
            let mut known = Vec::new();
            names(members, &mut known);
            format!("`{class_name}` has no such member{}", Known::new(name, &known, "it has"))
        }
        None => match nearest(name, session.reporting.absent.iter().map(|absent| &**absent)) {
            Some(near) => format!("`{class_name}` has no such member, did you mean `{near}`?"),
            None => format!("`{class_name}` has no such member"),
        },
    };
    Error::new(ErrorKind::UnknownMember, message)
}

/// Collects the names of members, including those of flattened members.
fn names(members: &'static [Member], known: &mut Vec<&'static str>) {
    let Ok(()) = each_member::<Infallible>(members, &mut |member, _| {
        known.push(member.name);
        Ok(())
    });
}

/// Handles a payload in the file for a unit variant of the program.
#[cold]
pub fn unknown_payload(
    info: &Enum,
    variant: &str,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    if options.strict {
        let name = info.name();
        let message =
            format_args!("the file has a value for `{variant}`, which has none in `{name}`");
        return Err(Error::new(ErrorKind::UnknownMember, message).in_member(variant));
    }
    session.note_at(Place::Variant(variant), NoteKind::Unknown);
    Ok(())
}

/// Returns the error for a payload of a variant that was a unit variant when it was saved.
#[cold]
pub(crate) fn missing_payload(variant: &Variant) -> Error {
    let message = format_args!("the file has `{}`, but the type has `{variant}`", variant.name);
    Error::new(ErrorKind::MissingMember, message)
}

/// Adds the variant to an error, if the error is about the payload as a whole and not about one of
/// its values or members.
#[cold]
pub fn other_payload(error: Error, variant: &Variant) -> Error {
    let several = matches!(variant.payload, Payload::Tuple(_) | Payload::Struct(_));
    let differs = matches!(error.kind(), ErrorKind::WrongType | ErrorKind::WrongLength);
    if several && differs && error.path() == variant.name {
        return error.with_note(format_args!("the type has `{variant}`"));
    }
    error
}

/// Returns the error for a sequence with more items than the type has, if `error` is of that kind;
/// otherwise `error`.
#[cold]
pub(crate) fn too_many(error: Error, len: usize) -> Error {
    match (error.kind(), error.position()) {
        (ErrorKind::WrongLength, position) if len > 0 => {
            let message = format_args!("expected {len} items, found more");
            Error::new(ErrorKind::WrongLength, message).at(position.unwrap_or(Position::Unknown))
        }
        _ => error,
    }
}

/// Handles an unknown variant that the fallback variant represents.
#[cold]
pub fn unknown_variant_taken(name: &str, session: &mut Session, options: &Options<'_>) -> Result {
    if options.strict {
        let message = format_args!("the variant {} is unknown", Name(name));
        return Err(Error::new(ErrorKind::UnknownVariant, message));
    }
    session.note_at(Place::Variant(name), NoteKind::Unknown);
    Ok(())
}

#[cold]
pub(crate) fn newer(class: &Class, found: u32) -> Error {
    let (name, known) = (class.name(), class.version);
    Error::new(
        ErrorKind::NewerVersion,
        format_args!("version {found} of `{name}` is newer than version {known} of the program"),
    )
}

#[cold]
pub(crate) fn missing_member() -> Error {
    Error::new(ErrorKind::MissingMember, "the file does not have this member, which is required")
}

#[cold]
pub(crate) fn missing_object() -> Error {
    Error::new(
        ErrorKind::MissingMember,
        "the file has no such member, and a trait object has no default",
    )
}

/// Returns the error for a variant that the enum does not have.
#[cold]
pub fn unknown_variant(info: &Enum, name: &str) -> Error {
    let known: Vec<&str> = info.variants.iter().map(|variant| variant.name).collect();
    Error::new(
        ErrorKind::UnknownVariant,
        format_args!(
            "`{}` has no variant {}{}",
            info.name(),
            Name(name),
            Known::new(name, &known, "it has")
        ),
    )
}
