//! [`Visited`] and [`Root`]: values whose types are erased, as bodies.

use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::visit::archive::Archive;
use crate::visit::body::Body;
use crate::visit::erased::Erased;
use crate::visit::facts::BodyFacts;
use crate::visit::serialize::Source;

/// Visits a root whose type is erased.
pub type Visit<'v> = &'v mut dyn FnMut(&mut Erased<'_>) -> Result;

/// A root to be saved, whose type is erased.
#[doc(hidden)]
pub struct Root<'v>(pub &'static Shape, pub Visit<'v>);

impl Source for Root<'_> {
    fn shape(&self) -> &'static Shape {
        self.0
    }
}

impl Body for Root<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        (self.1)(&mut ar.erased())
    }
}

/// A value whose type is erased; with `FRESH`, each run creates a new one.
#[doc(hidden)]
pub struct Visited<'v, const FRESH: bool>(pub Visit<'v>);

impl<const FRESH: bool> Body for Visited<'_, FRESH> {
    const FACTS: BodyFacts = BodyFacts { fresh: FRESH, ..BodyFacts::NONE };

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        (self.0)(&mut ar.erased())
    }
}
