//! How deep the values of a session nest.

use super::Session;
use crate::archive::Archive;
use crate::error::{Error, Result};
use crate::key::has_name;
use crate::options::Options;
use crate::shape::Shape;

/// The current nesting of a session.
#[derive(Clone, Copy)]
pub(crate) struct Levels {
    depth: usize,
    version: u32,
    keyed: bool,
    notes: usize,
}

impl Session {
    /// Returns the current depth of nesting.
    #[doc(hidden)]
    #[inline]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the current nesting, to restore it after an error.
    pub(crate) fn levels(&self) -> Levels {
        let Session { depth, version, keyed, .. } = *self;
        Levels { depth, version, keyed, notes: self.notes_begun() }
    }

    pub(crate) fn set_levels(&mut self, levels: Levels) {
        (self.depth, self.version, self.keyed) = (levels.depth, levels.version, levels.keyed);
        self.set_notes_begun(levels.notes);
    }

    /// Enters one more level.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit) if that is too deep.
    #[inline]
    pub fn enter(&mut self, options: &Options<'_>) -> Result {
        self.depth += 1;
        let limit = options.get_limits().depth;
        if self.depth > limit { Err(Error::too_deep(limit).unread()) } else { Ok(()) }
    }

    /// Enters an entry of a map, whose key and value count as elements. The entry itself has been
    /// counted.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit),
    /// [`ErrorKind::SizeLimit`](crate::ErrorKind::SizeLimit).
    #[doc(hidden)]
    #[inline]
    pub fn enter_entry(&mut self, options: &Options<'_>) -> Result {
        self.enter(options)?;
        self.count_all(2, options)
    }

    /// Returns whether a map of that shape that begins here is saved as an object, if the format
    /// leaves the choice.
    #[doc(hidden)]
    #[inline]
    pub fn names_keys(&self, shape: &'static Shape, options: &Options<'_>) -> bool {
        self.depth < self.objects_to || options.maps_as_objects && have_names(shape)
    }

    /// Leaves one level.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// Returns whether all keys of a map of that shape have names.
#[cold]
fn have_names(shape: &'static Shape) -> bool {
    matches!(shape, Shape::Map(key, _) if has_name(key.get()))
}

/// Runs `visit` one level deeper, for values that nest without an object or a sequence around them.
///
/// # Errors
/// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit), and those of `visit`.
#[doc(hidden)]
#[inline]
pub fn nested<A: Archive, R>(ar: &mut A, visit: impl FnOnce(&mut A) -> Result<R>) -> Result<R> {
    let limit = ar.options().get_limits().depth;
    let session = ar.session_mut();
    session.depth += 1;
    if session.depth > limit {
        return Err(Error::too_deep(limit).unread());
    }
    let result = visit(ar)?;
    ar.session_mut().depth -= 1;
    Ok(result)
}
