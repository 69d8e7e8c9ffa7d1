//! [`Metas`]: the types of a registry.

use archive_core::__private::{HasSupertrait, Identity};
use archive_core::{Polymorphic, Registry, Result};

use super::{Meta, Visits};

/// Finds the descriptions of the types of a [`Registry`].
///
/// ```
/// use archive::Serialize;
/// use archive::reflect::{Meta, Metas};
///
/// trait Object: archive::Polymorphic {}
/// archive::polymorphic!(dyn Object);
/// #[derive(Default, Serialize)]
/// struct Orc { hp: u16 }
/// impl Object for Orc {}
/// #[derive(Default, Serialize)]
/// struct Settings { volume: f32 }
///
/// let mut registry = archive::Registry::new();
/// archive::register!(registry, dyn Object { Orc })?;
/// registry.register_type::<Settings>("Settings")?; // no type of trait objects
///
/// assert_eq!(registry.meta("Orc")?, Meta::of::<Orc>());
/// assert_eq!(registry.meta("Settings")?.size(), Some(4));
/// let error = registry.meta("Ork").unwrap_err();
/// assert!(error.to_string().contains("did you mean `Orc`"), "{error}");
/// # Ok::<(), archive::Error>(())
/// ```
pub trait Metas {
    /// Describes the type with that id, alias or [name](Registry::register_type).
    ///
    /// # Errors
    /// [`ErrorKind::UnknownType`](archive_core::ErrorKind::UnknownType) if there is none; the
    /// message names the nearest ones.
    fn meta(&self, id: &str) -> Result<Meta>;

    /// Describes all types, each under every id, alias and name that it has, in alphabetical order.
    fn metas(&self) -> Vec<(&str, Meta)>;

    /// Describes the type of an object, as [`Meta::of_value`] does. If the type is in this
    /// registry, the members that a hand-written function visits are known.
    fn meta_of<D: Polymorphic + ?Sized>(&self, object: &D) -> Meta;
}

impl Metas for Registry {
    fn meta(&self, id: &str) -> Result<Meta> {
        Ok(Meta::of_identity(self.identity(id)?, self))
    }

    fn metas(&self) -> Vec<(&str, Meta)> {
        let mut all: Vec<_> = self.identities().collect();
        all.sort_by_key(|(id, _)| *id);
        all.into_iter().map(|(id, identity)| (id, Meta::of_identity(identity, self))).collect()
    }

    fn meta_of<D: Polymorphic + ?Sized>(&self, object: &D) -> Meta {
        Meta::of_identity(&HasSupertrait::identity(object), self)
    }
}

impl Meta {
    pub(crate) fn of_identity(identity: &Identity, registry: &Registry) -> Meta {
        let visits = Visits::by(registry.visited(identity.type_id), registry);
        Meta { shape: identity.shape, info: identity.info, visits }
    }
}
