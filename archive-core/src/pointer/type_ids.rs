//! The type ids of trait objects.

use std::sync::Arc;

use crate::model::error::{Error, ErrorKind, Result};
use crate::model::identity::Identity;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::walk::route;

/// Returns the registered id of a type. A trait object must have one if it is saved. `interface` is
/// its trait object type.
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
    let registered = || options.settings().registry()?.id_of(identity.type_id);
    if let (Some(id), false, Some(interface)) = (&identity.own_id, identity.is_fallback, interface)
    {
        // The same id may be that of another type in this registry.
        let known = options.settings().registry().and_then(|registry| registry.identity(id).ok());
        if !known.is_some_and(|known| std::ptr::eq(known.shape, identity.shape)) {
            let message = format_args!("the type \"{id}\" is not registered for `{interface}`");
            return Err(Error::new(ErrorKind::Unregistered, message));
        }
    }
    match (identity.own_id.clone().or_else(registered), interface) {
        (None, Some(interface)) => Err(unregistered(identity, interface, options)),
        (name, _) => Ok(name),
    }
}

#[cold]
fn unregistered(identity: &Identity, interface: &str, options: &Options<'_>) -> Error {
    if identity.is_fallback {
        let message = "an `Unknown` without a type id cannot be saved";
        return Error::new(ErrorKind::Unregistered, message);
    }
    let name = identity.type_name;
    let missing = match options.settings().registry() {
        None => ": pass a registry by `Options::registry`, with",
        Some(_) => ": add",
    };
    let message = format_args!(
        "`{name}` is not registered for `{interface}`{missing} \
         `archive::register!(registry, {interface} {{ {name} }})?`"
    );
    Error::new(ErrorKind::Unregistered, message)
}
