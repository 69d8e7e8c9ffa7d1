//! The types of a registry as tools see them: by id, by name, and by trait object type.

use std::any::TypeId;
use std::sync::Arc;

use super::{Inner, Registry, duplicate, unknown};
use crate::Serialize;
use crate::error::Result;
use crate::pointer::Identity;

impl Inner {
    /// Returns the type that has the id or name, if it is another one than `key`.
    pub(super) fn taken(&self, id: &str, key: TypeId) -> Option<&'static str> {
        let mut known = self.types.get(id).into_iter().chain(self.tools.get(id));
        known.find(|known| known.type_id != key).map(|known| known.type_name)
    }
}

impl Registry {
    /// Makes the type `T` known to tools under a name, as `register!` does for the types of trait
    /// objects. Files cannot name it.
    ///
    /// ```
    /// #[derive(archive::Serialize, Default)]
    /// struct Settings { volume: f32 }
    ///
    /// let mut registry = archive::Registry::new();
    /// registry.register_type::<Settings>("Settings")?;
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateType`](crate::ErrorKind::DuplicateType) if the name or id denotes
    /// another type.
    pub fn register_type<T: Serialize + 'static>(&mut self, name: &str) -> Result {
        let identity = Identity::of::<T>();
        if let Some(taken) = self.inner.taken(name, identity.type_id) {
            return Err(duplicate(format_args!(
                "cannot register `{}`: the name \"{name}\" belongs to `{taken}`",
                identity.type_name
            )));
        }
        Arc::make_mut(&mut self.inner).tools.insert(name.into(), identity);
        Ok(())
    }

    /// Returns the type that has an id, an alias or a name.
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

    /// Returns the ids, aliases and names of all types, and the types.
    #[doc(hidden)]
    pub fn identities(&self) -> impl Iterator<Item = (&str, &Identity)> {
        self.inner.types.iter().chain(&self.inner.tools).map(|(id, identity)| (&**id, identity))
    }

    /// Returns whether a type of that full name is registered.
    pub(crate) fn knows(&self, type_name: &str) -> bool {
        self.inner.types.values().any(|known| known.type_name == type_name)
    }

    /// Returns whether a type is registered for a trait object type.
    #[doc(hidden)]
    pub fn is_registered_for(&self, interface: TypeId, concrete: TypeId) -> bool {
        self.inner.ops.contains_key(&(interface, concrete))
    }
}
