//! [`Visited`]: how the members that the function of a type visits are found.

use std::any::TypeId;

use super::Survey;
use crate::model::error::Result;
use crate::model::identity::Identity;
use crate::pointer::registry::ops::Create;
use crate::state::options::Options;
use crate::state::registry::Registry;
use crate::visit::blank::Element;

/// How the members that the function of a type visits are found. For types that are registered for
/// a trait, it is a function that the registry needs anyway.
#[derive(Clone, Copy)]
pub enum Visited {
    /// By filling the object that this function creates.
    Object(Create),
    /// By this function.
    Type(SurveyOf),
}

type SurveyOf = fn(&Options<'_>) -> Survey;

impl Visited {
    /// Runs the functions of the type, and records what they visit.
    pub fn survey(self, options: &Options<'_>) -> Survey {
        match self {
            Visited::Object(create) => Survey::of_object(create, options),
            Visited::Type(survey) => survey(options),
        }
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
        self.add_tool(name, Identity::of::<T>(), const { &(Survey::of::<T> as SurveyOf) })
    }

    /// Returns how the members that the function of a type visits are found.
    #[doc(hidden)]
    pub fn visited(&self, type_id: TypeId) -> Option<Visited> {
        let of_type = self.compiled::<SurveyOf>(type_id).copied().map(Visited::Type);
        of_type.or_else(|| self.compiled::<Create>(type_id).copied().map(Visited::Object))
    }
}
