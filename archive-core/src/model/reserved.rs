//! The names of members that belong to the format itself. They begin with `$`; names of the members
//! of types must not.

use crate::model::error::{Error, ErrorKind, Known, Result};
use crate::model::number::Number;

/// The id of the object that a pointer points to.
pub const ID: &str = "$id";
/// The type id under which the type of a trait object is registered.
pub const TYPE: &str = "$type";
/// The object that a pointer points to.
pub const VALUE: &str = "$value";
/// The id of the object to which a weak pointer points.
pub const WEAK: &str = "$weak";
/// Whether the pointer's object is deferred to the end of the outermost pointer.
pub const LATER: &str = "$later";
/// The deferred objects, at the end of the outermost pointer.
pub const DEFERRED: &str = "$deferred";
/// The only member of the object that wraps the value of an option if that value is itself null:
/// `{"$some":null}`.
pub const SOME: &str = "$some";
/// The version of an object, if it is not 0.
pub const VERSION: &str = "$version";

/// The names of the members of pointers, in formats that store pointers as objects.
pub const POINTER: [&str; 6] = [ID, TYPE, VALUE, WEAK, LATER, DEFERRED];

/// The names that the first member of the library's own objects may have: [`SOME`] and [`POINTER`].
pub const OWN: [&str; 7] = [SOME, ID, TYPE, VALUE, WEAK, LATER, DEFERRED];

/// All reserved names: [`OWN`] and [`VERSION`].
const ALL: [&str; 8] = [ID, TYPE, VALUE, WEAK, LATER, DEFERRED, SOME, VERSION];

/// A reference to a JSON Schema, for editors. It is an unknown member like any other.
const SCHEMA: &str = "$schema";

/// Checks that a member name does not begin with `$`. Such names are reserved for the format
/// itself.
///
/// # Errors
/// [`ErrorKind::ReservedName`] if it does.
#[doc(hidden)]
#[inline]
pub fn check_name(name: &str) -> Result {
    if name.as_bytes().first() == Some(&b'$') { Err(reserved(name)) } else { Ok(()) }
}

#[cold]
fn reserved(name: &str) -> Error {
    let message = "a member name cannot begin with `$`: such names are reserved";
    Error::new(ErrorKind::ReservedName, message).in_member(name)
}

/// Checks the name of a member that a type or a pointer does not have. An unknown name that begins
/// with `$` is a misspelt name of the format. These are not: names with a second `$`, which are
/// data; `$schema`, which is for editors; and the names of pointers, which other programs use too.
///
/// # Errors
/// [`ErrorKind::ReservedName`] with the name that was probably meant;
/// [`ErrorKind::NewerVersion`] for [`VERSION`], which only types with a version have.
#[doc(hidden)]
#[inline]
pub fn check_unknown(name: &str) -> Result {
    if name.starts_with('$') { check_own(name) } else { Ok(()) }
}

#[cold]
fn check_own(name: &str) -> Result {
    if name == VERSION {
        let message = "the object has a version, and the type of the program has none";
        return Err(Error::new(ErrorKind::NewerVersion, message));
    }
    if name == SCHEMA || name.starts_with("$$") || ALL.contains(&name) {
        return Ok(());
    }
    let known = Known::new(name, &ALL, "it has");
    let message = format_args!("names that begin with `$` are reserved by the format{known}");
    Err(Error::new(ErrorKind::ReservedName, message))
}

/// Returns the error for a version that is not the first member, if the input is read only once.
#[doc(hidden)]
#[cold]
pub fn late_version() -> Error {
    let message = "the version must be the first member here, because the input is read only once";
    Error::new(ErrorKind::Syntax, message)
}

/// Returns the id of an object, read from the member `name` of a pointer.
///
/// # Errors
/// Returns an error if it is not a whole number of at least 1.
#[doc(hidden)]
pub fn object_id(name: &str, number: Result<Number>) -> Result<u64> {
    let id = number.and_then(|number| match number.to_integer() {
        Ok(0) | Err(_) => {
            let message = format_args!("{number} is not an object id: ids start at 1");
            Err(Error::new(ErrorKind::BadPointer, message))
        }
        Ok(id) => Ok(id),
    });
    id.map_err(|error| error.in_member(name))
}
