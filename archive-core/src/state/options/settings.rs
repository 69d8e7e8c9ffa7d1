//! [`Settings`]: the options as formats read them.

use super::{Indent, Limits, Options, Targets};
use crate::state::registry::Registry;

/// The options of a save or a load, as a format reads them: [`Options::settings`].
///
/// ```
/// let options = archive::Options::new().pretty(true);
/// assert!(options.settings().pretty());
/// ```
#[derive(Clone, Copy)]
pub struct Settings<'s, 'o>(&'s Options<'o>);

impl<'o> Options<'o> {
    /// Returns the options as a format reads them.
    #[inline]
    pub fn settings(&self) -> Settings<'_, 'o> {
        Settings(self)
    }
}

impl<'s> Settings<'s, '_> {
    /// Returns the registry, if any.
    #[inline]
    pub fn registry(self) -> Option<&'s Registry> {
        self.0.registry.as_ref()
    }

    /// Returns the limits.
    #[inline]
    pub fn limits(self) -> &'s Limits {
        &self.0.limits
    }

    /// Returns whether unknown members are errors.
    #[inline]
    pub fn strict(self) -> bool {
        self.0.strict
    }

    /// Returns whether absent members are errors.
    #[inline]
    pub fn complete(self) -> bool {
        self.0.complete
    }

    /// Returns whether errors are collected: see [`keep_going`](Options::keep_going).
    #[inline]
    pub fn keep_going(self) -> bool {
        self.0.keep_going
    }

    /// Returns whether objects of unknown types are kept.
    #[inline]
    pub fn keep_unknown(self) -> bool {
        self.0.keep_unknown && !self.0.strict
    }

    /// Returns whether maps are saved as objects.
    #[inline]
    pub fn maps_as_objects(self) -> bool {
        self.0.maps_as_objects
    }

    /// Returns whether long lists are saved as columns.
    #[inline]
    pub fn columns(self) -> bool {
        self.0.columns
    }

    /// Returns the older versions that types are saved as: see
    /// [`target_version`](Options::target_version).
    #[inline]
    pub fn targets(self) -> &'s Targets {
        &self.0.targets
    }

    /// Returns whether text is written with line breaks and indentation.
    #[inline]
    pub fn pretty(self) -> bool {
        self.0.pretty
    }

    /// Returns the longest line, in bytes, on which a whole list may be put; 0 if each item gets
    /// its own line.
    #[inline]
    pub fn width(self) -> usize {
        self.0.width
    }

    /// Returns the indentation of each level.
    #[inline]
    pub fn indent(self) -> Indent {
        self.0.indent
    }

    /// Returns whether members are sorted by name.
    #[inline]
    pub fn canonical(self) -> bool {
        self.0.canonical
    }

    /// Returns whether comments and trailing commas are accepted.
    #[inline]
    pub fn relaxed(self) -> bool {
        self.0.relaxed
    }
}
