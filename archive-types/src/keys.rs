//! Which types can be keys.

use std::collections::BTreeSet;

use archive_core::{Error, Primitive};

use crate::parse::{Definitions, custom};
use crate::spelling::Spelling;

/// Checks that values of a type can be keys: they have an order and equality in Rust.
pub(crate) fn check_key<'s>(
    types: &'s Definitions<'_>,
    ty: &'s Spelling,
    seen: &mut BTreeSet<&'s str>,
) -> Result<(), Error> {
    match ty {
        Spelling::Primitive(Primitive::F32 | Primitive::F64)
        | Spelling::Any
        | Spelling::Map(..)
        | Spelling::Set(..)
        | Spelling::Shared(..)
        | Spelling::Object(_) => Err(custom(format_args!("`{ty}` cannot be a key"))),
        Spelling::Primitive(_) => Ok(()),
        Spelling::List(item) | Spelling::Array(item, _) | Spelling::Option(item) => {
            check_key(types, item, seen)
        }
        Spelling::Tuple(items) => items.iter().try_for_each(|item| check_key(types, item, seen)),
        Spelling::Named(name) => {
            let Some(definition) = types.get(name.as_str()) else { return Ok(()) };
            if !seen.insert(name) {
                return Ok(());
            }
            let mut parts = Vec::new();
            definition.collect(&mut parts);
            let within =
                |error: Error| custom(format_args!("{}, and is in `{name}`", error.message()));
            parts.into_iter().try_for_each(|part| check_key(types, part, seen)).map_err(within)
        }
    }
}
