//! How deep the values of a session nest.

use super::Session;
use super::noted::Begun;
use crate::model::error::{Error, Result};
use crate::model::shape::{Class, OBJECT, Payload, Shape};
use crate::state::options::Options;

/// The current nesting of a session.
#[derive(Clone, Copy)]
pub(crate) struct Levels {
    depth: usize,
    objects: usize,
    version: u32,
    keyed: bool,
    report: Begun,
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
        let Session { depth, objects, version, keyed, .. } = *self;
        Levels { depth, objects, version, keyed, report: self.report_begun }
    }

    pub(crate) fn set_levels(&mut self, levels: Levels) {
        (self.depth, self.objects) = (levels.depth, levels.objects);
        (self.version, self.keyed) = (levels.version, levels.keyed);
        self.report_begun = levels.report;
    }

    /// Returns how many values may be open at the same time.
    #[inline]
    pub(crate) fn most_open(&self, options: &Options<'_>) -> usize {
        let limits = options.get_limits();
        if self.one_each { limits.depth } else { limits.nesting() }
    }

    /// Lets only as many values be open as there are levels, for formats whose own code needs much
    /// of the stack.
    #[doc(hidden)]
    pub fn set_one_each(&mut self) {
        // The limit may have been read already.
        (self.one_each, self.known_open) = (true, 0);
    }

    /// Enters a value that contains others.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit) if that is too deep.
    #[inline]
    pub fn enter(&mut self, options: &Options<'_>) -> Result {
        self.depth += 1;
        if self.depth > self.known_open { self.check_depth(options) } else { Ok(()) }
    }

    /// Checks both limits, where they are not known yet, or one is exceeded.
    #[cold]
    fn check_depth(&mut self, options: &Options<'_>) -> Result {
        let limit = options.get_limits().depth;
        (self.known_open, self.known_levels) = (self.most_open(options), limit);
        if self.depth > self.known_open {
            Err(self.too_deep(options))
        } else if self.objects > limit {
            Err(Error::too_deep(limit).unread())
        } else {
            Ok(())
        }
    }

    /// Enters a value that is a level, or none.
    #[inline(always)]
    fn enter_level(&mut self, is_level: bool, options: &Options<'_>) -> Result {
        self.depth += 1;
        self.objects += usize::from(is_level);
        let exceeds = (self.depth > self.known_open) | (self.objects > self.known_levels);
        if exceeds { self.check_depth(options) } else { Ok(()) }
    }

    /// Enters an object.
    ///
    /// # Errors
    /// As [`enter`](Session::enter).
    #[doc(hidden)]
    #[inline]
    pub fn enter_object(&mut self, class: &Class, options: &Options<'_>) -> Result {
        self.enter_level(is_level(class), options)
    }

    /// Leaves an object.
    #[doc(hidden)]
    #[inline]
    pub fn leave_object(&mut self, class: &Class) {
        self.objects -= usize::from(is_level(class));
        self.leave();
    }

    /// Enters the payload of a variant.
    ///
    /// # Errors
    /// As [`enter`](Session::enter).
    #[doc(hidden)]
    #[inline]
    pub fn enter_payload(&mut self, payload: &Payload, options: &Options<'_>) -> Result {
        self.enter_level(is_own_level(payload), options)
    }

    /// Leaves the payload of a variant.
    #[doc(hidden)]
    #[inline]
    pub fn leave_payload(&mut self, payload: &Payload) {
        self.objects -= usize::from(is_own_level(payload));
        self.leave();
    }

    fn too_deep(&self, options: &Options<'_>) -> Error {
        let limits = options.get_limits();
        let error = if self.one_each {
            Error::too_deep(limits.depth)
        } else {
            Error::too_nested(limits.nesting())
        };
        error.unread()
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
        (self.depth < self.objects_to || options.maps_as_objects && have_names(shape))
            && !self.saved.is_sorting()
    }

    /// Leaves one level.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// Returns whether an object of that class is a level. Objects of numbers alone are none, since no
/// type nests through them; objects in trees are none, since maps are such objects, too.
#[inline]
fn is_level(class: &Class) -> bool {
    class.size.is_none() && !std::ptr::eq(class, &OBJECT)
}

/// Returns whether a payload is a level. The object of a struct is one itself.
#[inline]
fn is_own_level(payload: &Payload) -> bool {
    match payload {
        Payload::Struct(_) => false,
        Payload::Newtype(shape) => !matches!(shape.get(), Shape::Class(_)),
        Payload::Unit | Payload::Tuple(_) => true,
    }
}

/// Returns whether all keys of a map of that shape have names.
#[cold]
fn have_names(shape: &'static Shape) -> bool {
    matches!(shape, Shape::Map(key, _) if key.get().has_name())
}
