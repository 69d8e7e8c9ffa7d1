//! Types that are made at run time. In memory the objects of all of them are of one type, so each is known
//! by its id.
// Why: docs/decisions/pointers.md#made-types-are-one-type-in-memory

use std::any::{Any, TypeId};
use std::sync::Arc;

use super::{Functions, Registry, duplicate};
use crate::model::error::Result;
use crate::model::identity::Identity;
use crate::state::chains::Chains;

/// What the crate that makes types knows of one. The blank objects of a made type find it in the options.
#[derive(Clone)]
pub struct MadeType(pub Arc<dyn Any + Send + Sync>);

/// A type that is made at run time, under one of its ids.
#[derive(Clone)]
pub(super) struct Made {
    made: MadeType,
    interfaces: Vec<TypeId>,
}

impl Registry {
    /// Adds a type that is made at run time, or another trait object type to one that is known.
    pub(crate) fn add_made(
        &mut self,
        id: &str,
        identity: Identity,
        (interface, ops): (TypeId, Functions),
        made: MadeType,
    ) -> Result {
        let known = self.inner.made.get(id);
        let same = known.is_some_and(|known| Arc::ptr_eq(&known.made.0, &made.0));
        if !same && let Some(taken) = self.inner.belongs_to(id) {
            let message = format_args!("cannot register the id \"{id}\": it belongs to `{taken}`");
            return Err(duplicate(message));
        }
        if known.is_some_and(|known| known.interfaces.contains(&interface)) {
            let message = format_args!("the id \"{id}\" is registered for this trait already");
            return Err(duplicate(message));
        }
        let (inner, id): (_, Arc<str>) = (Arc::make_mut(&mut self.inner), id.into());
        inner.ops.insert((interface, identity.type_id), ops);
        inner.owners.push(identity.shape);
        inner.chains = Chains::new();
        inner.add(id.clone(), identity);
        let entry = inner.made.entry(id).or_insert(Made { made, interfaces: Vec::new() });
        entry.interfaces.push(interface);
        Ok(())
    }

    /// Returns what is known of the type with that id, if it is made at run time.
    #[doc(hidden)]
    #[inline]
    pub fn made(&self, id: &str) -> Option<&MadeType> {
        if self.inner.made.is_empty() { None } else { Some(&self.inner.made.get(id)?.made) }
    }

    /// Adds functions for a trait object type, under the name of its trait, unless another one has it.
    #[doc(hidden)]
    pub fn add_interface<F: Any + Send + Sync>(&mut self, name: &str, functions: &'static F) {
        if !self.inner.interfaces.contains_key(name) {
            Arc::make_mut(&mut self.inner).interfaces.insert(name.into(), functions);
        }
    }

    /// Returns the functions that were [added](Registry::add_interface) for a trait.
    #[doc(hidden)]
    pub fn interface<F: 'static>(&self, name: &str) -> Option<&'static F> {
        self.inner.interfaces.get(name)?.downcast_ref()
    }

    /// Returns an id as it is in the registry, if it is known.
    pub(crate) fn known_id(&self, id: &str) -> Option<&str> {
        self.inner.types.get_key_value(id).map(|(id, _)| &**id)
    }

    /// Returns whether objects with that id may be of the trait object type, as far as the id shows it.
    #[inline]
    pub(crate) fn may_be(&self, id: &str, interface: TypeId) -> bool {
        self.inner.made.is_empty()
            || self.inner.made.get(id).is_none_or(|made| made.interfaces.contains(&interface))
    }
}
