//! [`Wanted`]: what a census looks for.

use rustc_hash::FxHashMap;

use crate::model::shape::Shape;
use crate::state::chains::may_chain;
use crate::state::registry::Registry;

/// The shapes of values that may contain chains of shared objects. A census leaves out everything
/// else: dropping it needs a limited amount of stack.
pub(crate) struct Wanted {
    registry: Option<Registry>,
    /// The results of [`may_chain`], by the address of the shape.
    known: FxHashMap<usize, bool>,
}

impl Wanted {
    /// Trait objects are of the types in the registry. Without one, they may be of any type.
    pub(crate) fn new(registry: Option<&Registry>) -> Self {
        Wanted { registry: registry.cloned(), known: FxHashMap::default() }
    }

    /// Returns whether a value of that shape may contain a chain.
    #[inline]
    pub(crate) fn has(&mut self, shape: &'static Shape) -> bool {
        if let Shape::Primitive(..) = shape {
            return false;
        }
        let registry = self.registry.as_ref();
        let key = std::ptr::from_ref(shape).addr();
        *self.known.entry(key).or_insert_with(|| may_chain(shape, registry))
    }
}
