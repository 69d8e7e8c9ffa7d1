//! The types of a registry for tools: by id, by name, and by trait object type.

use std::any::TypeId;
use std::sync::Arc;

use super::{Functions, Inner, Registry, duplicate, unknown};
use crate::model::error::Result;
use crate::model::identity::Identity;

impl Inner {
    /// Returns the type with that id or name, if it is not `key`.
    pub(super) fn taken(&self, id: &str, key: TypeId) -> Option<&'static str> {
        let mut known = self.types.get(id).into_iter().chain(self.tools.get(id));
        known.find(|known| known.type_id != key).map(|known| known.type_name)
    }

    /// Returns the type with that id or name. A type that is made at run time is its id.
    pub(super) fn belongs_to<'a>(&'a self, id: &'a str) -> Option<&'a str> {
        let known = self.types.get(id).or_else(|| self.tools.get(id))?;
        Some(if self.made.contains_key(id) { id } else { known.type_name })
    }
}

impl Registry {
    /// Makes a type known to tools under a name, with functions for it.
    pub(crate) fn add_tool(
        &mut self,
        name: &str,
        identity: Identity,
        functions: Functions,
    ) -> Result {
        if let Some(taken) = self.inner.taken(name, identity.type_id) {
            return Err(duplicate(format_args!(
                "cannot register `{}`: the name \"{name}\" belongs to `{taken}`",
                identity.type_name
            )));
        }
        let inner = Arc::make_mut(&mut self.inner);
        inner.compiled.insert(((*functions).type_id(), identity.type_id), functions);
        inner.tools.insert(name.into(), identity);
        Ok(())
    }

    /// Returns the type with an id, an alias or a name.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownType`](crate::ErrorKind::UnknownType) if there is none; the message
    /// lists the nearest ones.
    #[doc(hidden)]
    pub fn identity(&self, id: &str) -> Result<&Identity> {
        let Inner { types, tools, .. } = &*self.inner;
        types.get(id).or_else(|| tools.get(id)).ok_or_else(|| {
            let known = types.keys().chain(tools.keys()).map(|id| &**id);
            unknown(id, &known.collect::<Vec<_>>(), "")
        })
    }

    /// Returns the types with their ids, aliases and names.
    #[doc(hidden)]
    pub fn identities(&self) -> impl Iterator<Item = (&str, &Identity)> {
        self.inner.types.iter().chain(&self.inner.tools).map(|(id, identity)| (&**id, identity))
    }

    /// Returns the type that represents objects of types that the program does not know, if it is
    /// registered.
    pub(crate) fn fallback_type(&self) -> Option<TypeId> {
        self.inner.fallback
    }

    /// Returns whether objects of unknown types can be kept as this trait object type.
    #[doc(hidden)]
    pub fn keeps_unknown(&self, interface: TypeId) -> bool {
        self.inner.fallback.is_some_and(|it| self.inner.ops.contains_key(&(interface, it)))
    }

    /// Returns whether a type of that full name is registered.
    pub(crate) fn knows(&self, type_name: &str) -> bool {
        self.inner.types.values().any(|known| known.type_name == type_name)
    }

    /// Returns the ids and aliases of the types registered for a trait object type, and the types.
    #[doc(hidden)]
    pub fn known_as(&self, interface: TypeId) -> impl Iterator<Item = (&str, &Identity)> {
        let types = self.inner.types.iter().map(|(id, identity)| (&**id, identity));
        types.filter(move |(id, it)| {
            self.inner.ops.contains_key(&(interface, it.type_id)) && self.may_be(id, interface)
        })
    }
}
