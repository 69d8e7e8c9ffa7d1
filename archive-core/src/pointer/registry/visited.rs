//! [`Visited`]: runs the functions of a registered type to find out which values they visit.

use std::any::TypeId;

use super::ops::Create;
use crate::model::error::Result;
use crate::model::identity::Identity;
use crate::state::registry::Registry;
use crate::visit::blank::Element;
use crate::visit::erased::Erased;
use crate::visit::walk::Walk;

/// How to run the functions of a type on an archive that makes up the data. For types that are registered
/// for a trait, this uses a function that the registry needs anyway.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum Visited {
    /// By filling the object that this function creates.
    Object(Create),
    /// By this function, which creates and loads a value.
    Type(LoadNew),
}

/// Creates and loads a value.
type LoadNew = fn(&mut Erased<'_>);

impl Visited {
    /// The functions of `T` and of all values in it.
    pub fn of<T: Element>() -> Self {
        Visited::Type(load_new::<T>)
    }

    /// Runs them. If no object can be created, nothing is visited; that is not an error.
    pub fn run(self, ar: &mut Erased<'_>) {
        match self {
            Visited::Type(load) => load(ar),
            Visited::Object(create) => {
                if let Ok(handle) = create(ar.options())
                    && let Some(object) = handle.object()
                {
                    let _ = object.fill(ar);
                }
            }
        }
    }
}

fn load_new<T: Element>(ar: &mut Erased<'_>) {
    // If a value cannot be created, less of its content is visited; that is not an error.
    let _ = T::load_element(ar);
}

impl Registry {
    /// Makes the type `T` known to tools under a name, as `register!` does for the types of trait
    /// objects. Files cannot use the name.
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
        self.add_tool(name, Identity::of::<T>(), const { &(load_new::<T> as LoadNew) })
    }

    /// Returns how the functions of a registered type are run.
    #[doc(hidden)]
    pub fn visited(&self, type_id: TypeId) -> Option<Visited> {
        let of_type = self.compiled::<LoadNew>(type_id).copied().map(Visited::Type);
        of_type.or_else(|| self.compiled::<Create>(type_id).copied().map(Visited::Object))
    }
}
