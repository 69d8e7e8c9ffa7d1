//! How deep the values of a session nest.

use super::Session;
use super::nesting::{EXCEEDED, LEVEL, Levels, Nesting, VALUE};
use crate::model::error::{Error, Result};
use crate::model::shape::{Class, OBJECT, Payload, Shape};
use crate::state::options::Options;

impl Session {
    /// Returns the current depth of nesting.
    #[doc(hidden)]
    #[inline]
    pub fn depth(&self) -> usize {
        self.nesting.depth()
    }

    /// Returns the current nesting, to restore it after an error.
    #[doc(hidden)]
    pub fn levels(&self) -> Levels {
        let Session { nesting, current, reporting, .. } = self;
        Levels {
            nesting: nesting.count - nesting.base,
            version: current.version,
            keyed: current.keyed,
            report: reporting.begun,
        }
    }

    /// Restores that nesting.
    #[doc(hidden)]
    pub fn set_levels(&mut self, levels: Levels) {
        self.nesting.count = self.nesting.base + levels.nesting;
        (self.current.version, self.current.keyed) = (levels.version, levels.keyed);
        self.reporting.begun = levels.report;
    }

    /// Returns how many values may be open at the same time.
    #[inline]
    pub(crate) fn max_depth(&self, options: &Options<'_>) -> usize {
        self.nesting.max_depth(options)
    }

    /// Returns whether values that begin here and nest `levels` deep are within the limit.
    #[inline(always)]
    pub(super) fn has_levels(&mut self, levels: usize, options: &Options<'_>) -> bool {
        levels == 0 || !self.nesting.exceeds(levels) || self.has_levels_at_limit(levels, options)
    }

    #[cold]
    fn has_levels_at_limit(&mut self, levels: usize, options: &Options<'_>) -> bool {
        self.nesting.set_limits(options);
        !self.nesting.exceeds(levels)
    }

    /// Returns whether `more` values or levels that begin here would come near the limit.
    pub(super) fn is_near_limit(&self, more: usize, options: &Options<'_>) -> bool {
        self.depth() + more > self.max_depth(options)
            || self.nesting.levels() + more > options.settings().limits().depth
    }

    /// Counts every open value as a level, for formats whose own code needs much of the stack.
    #[doc(hidden)]
    pub fn set_one_each(&mut self) {
        // The limit may have been read before.
        let nesting = self.nesting.count - self.nesting.base;
        let base = Nesting::default().base;
        (self.nesting.count, self.nesting.base) = (base + nesting, base);
        self.nesting.one_each = true;
    }

    #[inline(always)]
    fn enter_by(&mut self, step: u64, options: &Options<'_>) -> Result {
        self.nesting.count += step;
        if self.nesting.count & EXCEEDED == 0 { Ok(()) } else { self.check_depth(options) }
    }

    /// Enters a value that contains others.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit) if that is too deep.
    #[inline]
    pub fn enter(&mut self, options: &Options<'_>) -> Result {
        self.enter_by(VALUE, options)
    }

    /// Checks both limits, if they were not read yet or one is exceeded.
    #[cold]
    fn check_depth(&mut self, options: &Options<'_>) -> Result {
        self.nesting.set_limits(options);
        if self.nesting.exceeds(0) {
            Err(self.too_deep(options))
        } else if self.nesting.count & EXCEEDED != 0 {
            Err(Error::too_deep(options.settings().limits().depth).unread())
        } else {
            Ok(())
        }
    }

    /// Enters an object.
    #[doc(hidden)]
    #[inline]
    pub fn enter_object(&mut self, class: &Class, options: &Options<'_>) -> Result {
        self.enter_by(step(is_level(class)), options)
    }

    /// Leaves an object.
    #[doc(hidden)]
    #[inline]
    pub fn leave_object(&mut self, class: &Class) {
        self.nesting.count -= step(is_level(class));
    }

    /// Enters the payload of a variant.
    #[doc(hidden)]
    #[inline]
    pub fn enter_payload(&mut self, payload: &Payload, options: &Options<'_>) -> Result {
        self.enter_by(step(is_own_level(payload)), options)
    }

    /// Leaves the payload of a variant.
    #[doc(hidden)]
    #[inline]
    pub fn leave_payload(&mut self, payload: &Payload) {
        self.nesting.count -= step(is_own_level(payload));
    }

    fn too_deep(&self, options: &Options<'_>) -> Error {
        let limits = options.settings().limits();
        let error = if self.nesting.one_each {
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
        (self.depth() < self.nesting.objects_to || options.maps_as_objects && have_names(shape))
            && !self.saved.is_sorting()
    }

    /// Leaves one level.
    #[inline]
    pub fn leave(&mut self) {
        self.nesting.count -= VALUE;
    }
}

#[inline(always)]
const fn step(is_level: bool) -> u64 {
    if is_level { LEVEL } else { VALUE }
}

/// Returns whether an object of that class is a level. Objects of numbers alone are not, since no
/// type nests through them. Objects in trees are not either, since maps are such objects too.
#[inline]
fn is_level(class: &Class) -> bool {
    class.size.is_none() && !std::ptr::eq(class, &OBJECT)
}

/// Returns whether a payload is a level. The object of a struct is a level itself.
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
