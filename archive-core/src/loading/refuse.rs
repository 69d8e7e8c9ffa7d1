//! What a load refuses, and how it says so.

use std::convert::Infallible;

use crate::error::{Error, ErrorKind, Known, Name, Position, Result, nearest};
use crate::options::Options;
use crate::reserved;
use crate::session::{NoteKind, Session};
use crate::shape::{Class, Enum, Member, each_member};

/// A member that the type does not have.
#[cold]
pub(crate) fn unknown_member(
    name: &str,
    class: &'static Class,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    if name == reserved::VERSION {
        return Err(Error::new(ErrorKind::Syntax, "`$version` must be the first member"));
    }
    if options.strict {
        return Err(no_member(name, class, session).in_member(name));
    }
    session.note_member(name, NoteKind::Unknown);
    Ok(())
}

/// The error for a member that the class does not have. What a hand-written function asks for is only
/// known as far as the file does not have it, which is where a misspelt member is missing.
#[cold]
pub(crate) fn no_member(name: &str, class: &'static Class, session: &Session) -> Error {
    let class_name = class.name();
    let message = match class.members {
        Some(members) => {
            let mut known = Vec::new();
            names(members, &mut known);
            format!("`{class_name}` has no such member{}", Known::new(name, &known, "it has"))
        }
        None => match nearest(name, session.absent.iter().map(|absent| &**absent)) {
            Some(near) => format!("`{class_name}` has no such member, did you mean `{near}`?"),
            None => format!("`{class_name}` has no such member"),
        },
    };
    Error::new(ErrorKind::UnknownMember, message)
}

/// The names of members, those in the place of flattened ones among them.
fn names(members: &'static [Member], known: &mut Vec<&'static str>) {
    let Ok(()) = each_member::<Infallible>(members, &mut |member, _| {
        known.push(member.name);
        Ok(())
    });
}

/// What a variant holds in the file, and not in the program.
#[cold]
pub fn unknown_payload(
    info: &Enum,
    variant: &str,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    if options.strict {
        let message = format_args!("the variant `{variant}` of `{}` holds nothing", info.name());
        return Err(Error::new(ErrorKind::UnknownMember, message).in_member(variant));
    }
    session.note_member(variant, NoteKind::Unknown);
    Ok(())
}

/// A sequence with more items than the type has, if that is what the error says.
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

/// A variant that the fallback variant stands for.
#[cold]
pub fn unknown_variant_taken(name: &str, session: &mut Session, options: &Options<'_>) -> Result {
    if options.strict {
        let message = format_args!("the variant {} is unknown", Name(name));
        return Err(Error::new(ErrorKind::UnknownVariant, message));
    }
    session.note_member(name, NoteKind::Unknown);
    Ok(())
}

#[cold]
pub(crate) fn newer(class: &Class, found: u32) -> Error {
    let (name, known) = (class.name(), class.version);
    Error::new(
        ErrorKind::NewerVersion,
        format_args!("version {found} of `{name}` is newer than the program, which knows {known}"),
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

/// The enum has no such variant.
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
