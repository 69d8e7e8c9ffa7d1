//! The types of a registry as tools see them: by id, by name, and by trait object type.

use std::any::TypeId;
use std::sync::Arc;

use super::{Inner, Registry, duplicate, unknown};
use crate::blank::Element;
use crate::describe::Survey;
use crate::error::Result;
use crate::opaque::Unknown;
use crate::options::Options;
use crate::pointer::{Handle, Identity};

/// Creates a blank object in a cell.
pub type Create = fn(&Options<'_>) -> Result<Handle>;

/// How the members that the function of a type visits are found. For types that are registered for
/// a trait, it is a function that the registry needs anyway.
#[derive(Clone, Copy)]
pub enum Visited {
    /// By filling the object that this function creates.
    Object(Create),
    /// By this function.
    Type(fn(&Options<'_>) -> Survey),
}

impl Visited {
    /// Runs the functions of the type, and records what they visit.
    pub fn survey(self, options: &Options<'_>) -> Survey {
        match self {
            Visited::Object(create) => Survey::of_object(create, options),
            Visited::Type(survey) => survey(options),
        }
    }
}

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
    pub fn register_type<T: Element + 'static>(&mut self, name: &str) -> Result {
        let identity = Identity::of::<T>();
        if let Some(taken) = self.inner.taken(name, identity.type_id) {
            return Err(duplicate(format_args!(
                "cannot register `{}`: the name \"{name}\" belongs to `{taken}`",
                identity.type_name
            )));
        }
        self.note(identity.type_id, Visited::Type(Survey::of::<T>));
        Arc::make_mut(&mut self.inner).tools.insert(name.into(), identity);
        Ok(())
    }

    pub(super) fn note(&mut self, type_id: TypeId, visited: Visited) {
        Arc::make_mut(&mut self.inner).visited.insert(type_id, visited);
    }

    /// Returns how the members that the function of a type visits are found.
    #[doc(hidden)]
    pub fn visited(&self, type_id: TypeId) -> Option<Visited> {
        self.inner.visited.get(&type_id).copied()
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

    /// Returns the types with their ids, aliases and names.
    #[doc(hidden)]
    pub fn identities(&self) -> impl Iterator<Item = (&str, &Identity)> {
        self.inner.types.iter().chain(&self.inner.tools).map(|(id, identity)| (&**id, identity))
    }

    /// Returns whether objects of unknown types can be kept as this trait object type.
    #[doc(hidden)]
    pub fn keeps_unknown(&self, interface: TypeId) -> bool {
        self.inner.ops.contains_key(&(interface, TypeId::of::<Unknown>()))
    }

    /// Returns whether a type of that full name is registered.
    pub(crate) fn knows(&self, type_name: &str) -> bool {
        self.inner.types.values().any(|known| known.type_name == type_name)
    }

    /// Returns the ids and aliases of the types registered for `D`.
    pub(super) fn known<D: ?Sized + 'static>(&self) -> Vec<&str> {
        self.known_as(TypeId::of::<D>()).map(|(id, _)| id).collect()
    }

    /// Returns the ids and aliases of the types registered for a trait object type, and the types.
    #[doc(hidden)]
    pub fn known_as(&self, interface: TypeId) -> impl Iterator<Item = (&str, &Identity)> {
        let types = self.inner.types.iter().map(|(id, identity)| (&**id, identity));
        types.filter(move |(_, it)| self.inner.ops.contains_key(&(interface, it.type_id)))
    }
}
