//! [`Kept`]: a pointer that keeps a saved object alive.

use crate::state::options::Options;
use crate::visit::object::Handle;

/// A pointer that only keeps its object alive.
pub enum Kept {
    /// A pointer to an object whose type is known.
    Object(Handle),
    /// A pointer to an unsized value.
    Unsized(Box<dyn Counted>),
    /// No pointer: the object belongs to a tree, or was released.
    Nothing,
}

impl Kept {
    /// Returns the number of strong pointers to the object, including this one.
    pub(crate) fn count(&self) -> usize {
        match self {
            Kept::Object(handle) => handle.count(),
            Kept::Unsized(pointer) => pointer.count(),
            Kept::Nothing => 0,
        }
    }

    /// Drops the content of the object, if its type is known and the content is in a cell.
    pub(crate) fn clear(&self, options: &Options<'_>) {
        if let Kept::Object(handle) = self
            && let Some(object) = handle.object()
        {
            object.clear(options);
        }
    }

    /// Returns the handle of the object, if its type is known.
    pub(crate) fn into_handle(self) -> Option<Handle> {
        match self {
            Kept::Object(handle) => Some(handle),
            _ => None,
        }
    }
}

/// A pointer that knows how many pointers to its object exist.
pub trait Counted {
    /// Returns the number of strong pointers to the object.
    fn count(&self) -> usize;
}
