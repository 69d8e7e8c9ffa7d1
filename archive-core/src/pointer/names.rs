//! The type ids of trait objects, and the errors that name the type of an object.

use std::any::TypeId;
use std::sync::Arc;

use super::pointee::Identity;
use crate::archive::Archive;
use crate::error::{Error, ErrorKind, Result};
use crate::opaque::Unknown;
use crate::options::Options;
use crate::path::route;

/// Returns the error for a cycle through an object without a cell: it is built together with its
/// content, so nothing inside of it can hold it.
#[cold]
pub(crate) fn strong_cycle(id: u64, type_name: &str) -> Error {
    Error::new(
        ErrorKind::StrongCycle,
        format_args!(
            "object {id} (`{type_name}`) strongly contains itself: use `Weak`, put it in a `RefCell`, or \
             save its owner first"
        ),
    )
}

/// Returns the registered id of a type. A trait object, whose trait is `interface`, must have one
/// if its body is written.
pub(super) fn type_name<A: Archive>(
    identity: &Identity,
    interface: Option<&str>,
    ar: &A,
) -> Result<Option<Arc<str>>> {
    let on_route = route(ar).is_some();
    let (session, options) = ar.parts();
    if on_route || session.saved.is_census() {
        return Ok(None);
    }
    find_name(identity, interface, options)
}

fn find_name(
    identity: &Identity,
    interface: Option<&str>,
    options: &Options<'_>,
) -> Result<Option<Arc<str>>> {
    let registered = || options.get_registry()?.id_of(identity.type_id);
    match (identity.own_id.clone().or_else(registered), interface) {
        (None, Some(interface)) => Err(unregistered(identity, interface, options)),
        (name, _) => Ok(name),
    }
}

#[cold]
fn unregistered(identity: &Identity, interface: &str, options: &Options<'_>) -> Error {
    if identity.type_id == TypeId::of::<Unknown>() {
        let message = "an `Unknown` without a type id cannot be saved";
        return Error::new(ErrorKind::Unregistered, message);
    }
    let name = identity.type_name;
    let missing = match options.get_registry() {
        None => ": pass a registry by `Options::registry`, with",
        Some(_) => ": add",
    };
    let message = format_args!(
        "`{name}` is not registered for `{interface}`{missing} \
         `archive::register!(registry, {interface} {{ {name} }})?`"
    );
    Error::new(ErrorKind::Unregistered, message)
}
