//! [`Wanted`]: the values in which a census looks for objects.

use rustc_hash::FxHashMap;

use crate::model::shape::{Shape, may_point};
use crate::state::chains::may_chain;
use crate::state::registry::Registry;

/// The shapes of values in which a census looks for shared objects. It skips everything else.
pub(crate) struct Wanted {
    /// Computes whether values of a shape are wanted.
    is_wanted: fn(&'static Shape, Option<&Registry>) -> bool,
    registry: Option<Registry>,
    /// The results, by the address of the shape.
    known: FxHashMap<usize, bool>,
    /// Whether containers are skipped whose order may differ between equal values.
    pub(crate) in_order: bool,
}

impl Wanted {
    /// Looks for chains of shared objects, since dropping everything else needs a limited amount of
    /// stack. Trait objects are of the types in the registry. Without a registry, they may be of
    /// any type.
    pub(crate) fn chains(registry: Option<&Registry>) -> Self {
        let (registry, known) = (registry.cloned(), FxHashMap::default());
        Wanted { is_wanted: may_chain, registry, known, in_order: false }
    }

    /// Looks for all shared objects that are reached in the same order in equal values.
    pub(crate) fn in_order() -> Self {
        let is_wanted = |shape: &'static Shape, _: Option<&Registry>| may_point(shape);
        Wanted { is_wanted, registry: None, known: FxHashMap::default(), in_order: true }
    }

    /// Returns whether values of that shape are wanted.
    #[inline]
    pub(crate) fn has(&mut self, shape: &'static Shape) -> bool {
        if let Shape::Primitive(..) = shape {
            return false;
        }
        let registry = self.registry.as_ref();
        let key = std::ptr::from_ref(shape).addr();
        *self.known.entry(key).or_insert_with(|| (self.is_wanted)(shape, registry))
    }
}
