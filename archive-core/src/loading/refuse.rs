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
        return Err(match class.version {
            0 => newer(class, None),
            _ => Error::new(ErrorKind::Syntax, "`$version` must be the first member"),
        });
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

#[cold]
pub(super) fn newer(class: &Class, found: Option<u32>) -> Error {
    let (name, version) = (class.name(), class.version);
    let message = match found {
        Some(found) => format!("version {found} of `{name}`"),
        None => format!("a version of `{name}`"),
    };
    Error::new(
        ErrorKind::NewerVersion,
        format_args!("{message} is newer than the program, which knows version {version}"),
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
