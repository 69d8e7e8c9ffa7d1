//! The members that hand-written functions visit.

use std::sync::{Arc, OnceLock};

use archive_core::__private::Visited;
use archive_core::shape::{Class, Shape};
use archive_core::{Element, Registry};
use archive_describe::Survey;

/// The members that functions visit. The functions are run on first use.
#[derive(Clone)]
pub(crate) struct Visits(Option<Arc<Run>>);

struct Run {
    how: Visited,
    registry: Registry,
    found: OnceLock<Survey>,
}

impl Visits {
    /// Returns the visits of all functions of types in `T`.
    pub(crate) fn of<T: Element>() -> Visits {
        let registry = Registry::installed().unwrap_or_default();
        Visits::by(Some(Visited::of::<T>()), &registry)
    }

    pub(super) fn by(how: Option<Visited>, registry: &Registry) -> Visits {
        let run = |how| Arc::new(Run { how, registry: registry.clone(), found: OnceLock::new() });
        Visits(how.map(run))
    }

    /// Returns the members of a class that only its function knows.
    pub(crate) fn members(&self, class: &'static Class) -> &[(String, &'static Shape)] {
        let found = self.0.as_ref().and_then(|run| {
            let survey = || Survey::by(run.how, &super::options(&run.registry));
            run.found.get_or_init(survey).members(class)
        });
        found.unwrap_or_default()
    }
}
