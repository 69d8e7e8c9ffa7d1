//! Finds the functions of a registered type, and returns an error if there are none.
// Why: docs/decisions/pointers.md#an-unregistered-id-does-not-refuse-a-typed-pointer

use std::any::TypeId;

use crate::model::error::{Error, ErrorKind, Found, Result};
use crate::pointer::registry::ops::Ops;
use crate::state::options::Options;
use crate::state::registry::{MadeType, unknown};

/// Returns the functions for the type with that id in a file, as the trait object type `D`.
pub(crate) fn find<D: ?Sized + 'static>(
    id: &str,
    options: &Options<'_>,
) -> Result<&'static Ops<D>> {
    let Some(registry) = options.settings().registry() else {
        return Err(no_registry(format_args!("the type id {}", Found::Text(id))));
    };
    if let Some(ops) = registry.find(id) {
        return Ok(ops);
    }
    let fallback = registry.fallback::<D>();
    let advice = match fallback {
        // The type is known, but not registered for this trait.
        _ if registry.type_of(id).is_some() => "",
        Some(ops) if options.settings().keep_unknown() => return Ok(ops),
        _ if options.keep_unknown && options.strict => {
            "; `Options::strict` does not keep such objects"
        }
        Some(_) => "; `Options::keep_unknown(true)` keeps such objects",
        None if !options.keep_unknown => "",
        None => {
            "; `Options::keep_unknown(true)` keeps such objects, if `archive::Unknown` is \
             registered for the trait"
        }
    };
    Err(unknown(id, &registry.known::<D>(), advice))
}

/// Returns the functions for a concrete type as `D`, if it is registered.
pub(crate) fn ops<D: ?Sized + 'static>(
    type_id: TypeId,
    options: &Options<'_>,
) -> Option<&'static Ops<D>> {
    options.settings().registry()?.ops(type_id)
}

/// The functions of a type, and the type if it is made at run time.
pub(crate) type AnyOps<D> = (&'static Ops<D>, Option<MadeType>);

/// Returns the functions for any type registered for `D`.
pub(crate) fn any_ops<D: ?Sized + 'static>(options: &Options<'_>) -> Result<AnyOps<D>> {
    let name = std::any::type_name::<D>();
    let Some(registry) = options.settings().registry() else {
        return Err(no_registry(format_args!("`{name}`")).unread());
    };
    let compiled = registry.first().or_else(|| registry.fallback()).map(|ops| (ops, None));
    compiled.or_else(|| nth_ops(0, options)).ok_or_else(|| {
        let message = format_args!("no type is registered for `{name}`");
        Error::new(ErrorKind::UnknownType, message).unread()
    })
}

/// Returns the functions for the type at `index` among those registered for `D`, in the order of
/// their ids and aliases.
pub(crate) fn nth_ops<D: ?Sized + 'static>(
    index: usize,
    options: &Options<'_>,
) -> Option<AnyOps<D>> {
    let registry = options.settings().registry()?;
    let types = registry.known_as(TypeId::of::<D>());
    let types =
        types.filter_map(|(id, it)| Some((registry.ops(it.type_id)?, registry.made(id).cloned())));
    types.chain(registry.fallback().map(|ops| (ops, None))).nth(index)
}

#[cold]
fn no_registry(what: std::fmt::Arguments<'_>) -> Error {
    Error::new(
        ErrorKind::UnknownType,
        format_args!("{what} needs a registry: `Options::registry` or `Registry::install`"),
    )
}
