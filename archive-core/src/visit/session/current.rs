//! [`Current`]: the object, list or map being visited.

use crate::model::members::name::Key;

/// The object, list or map being visited.
#[derive(Default)]
pub struct Current {
    /// The version of the object.
    pub(super) version: u32,
    /// The names of the members that hand-written functions have saved in the open objects.
    pub(crate) names: Vec<Key>,
    /// Whether the map has the form of an object.
    pub(crate) keyed: bool,
    /// The length of the list or map, if it is known before its items.
    pub size_hint: usize,
}

impl Current {
    /// Prepares for another root. The memory of the names is kept.
    #[inline]
    pub(super) fn renew(&mut self) {
        let Current { version, names, keyed, size_hint } = self;
        names.clear();
        (*version, *keyed, *size_hint) = (0, false, 0);
    }
}
