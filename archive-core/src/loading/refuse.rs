//! What a load refuses, and how it says so.

use crate::error::{Error, ErrorKind, List, Result};
use crate::options::Options;
use crate::session::{NoteKind, Session};
use crate::shape::{Class, Enum};

/// A member that the type does not have.
#[cold]
pub(super) fn unknown_member(
    name: &str,
    class: &'static Class,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    if name == "$version" {
        return Err(Error::new(ErrorKind::Syntax, "`$version` must be the first member"));
    }
    if options.strict {
        let message = format_args!("`{}` has no such member", class.name());
        return Err(Error::new(ErrorKind::UnknownMember, message).in_member(name));
    }
    if session.reporting {
        session.report.add(name, NoteKind::Unknown);
    }
    Ok(())
}

/// A variant that the fallback variant stands for.
#[cold]
pub(super) fn unknown_variant_taken(
    name: &str,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    if options.strict {
        let message = format_args!("the variant `{name}` is unknown");
        return Err(Error::new(ErrorKind::UnknownVariant, message));
    }
    if session.reporting {
        session.report.add(name, NoteKind::Unknown);
    }
    Ok(())
}

/// What a variant carries in the file and not in the type.
#[cold]
pub(super) fn unknown_payload(
    info: &Enum,
    name: &str,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    if options.strict {
        let message = format_args!("this variant of `{}` carries nothing", info.name());
        return Err(Error::new(ErrorKind::UnknownMember, message).in_member(name));
    }
    if session.reporting {
        session.report.add(name, NoteKind::Unknown);
    }
    Ok(())
}

#[cold]
pub(super) fn newer(class: &Class, found: u32) -> Error {
    let (name, known) = (class.name(), class.version);
    Error::new(
        ErrorKind::NewerVersion,
        format_args!("version {found} of `{name}` is newer than the program, which knows {known}"),
    )
}

#[cold]
pub(super) fn missing() -> Error {
    Error::new(
        ErrorKind::MissingMember,
        "the file has no such member, and a trait object has no default",
    )
}

#[cold]
pub(super) fn read_only() -> Error {
    Error::custom("text behind a shared reference cannot be loaded")
}

#[cold]
pub(super) fn unknown_variant(info: &Enum, name: &str) -> Error {
    let known: Vec<&str> = info.variants.iter().map(|variant| variant.name).collect();
    Error::new(
        ErrorKind::UnknownVariant,
        format_args!("`{}` has no variant `{name}`; it has {}", info.name(), List(&known)),
    )
}
