//! [`Place`]: one component of a path.

use crate::model::error::{Error, prefix_item, prefix_member, prefix_object};

/// One component of the path to a value that is being loaded.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'n> {
    /// A member of a class.
    Member(&'n str),
    /// The payload of a variant.
    Variant(&'n str),
    /// An entry of a map, or a member whose name is data.
    Key(&'n str),
    /// An item of a sequence.
    Item(usize),
    /// A shared object, in any place.
    Object(u64),
}

impl Place<'_> {
    /// Prepends the component to a path.
    pub(super) fn prefix(self, path: &mut String) {
        match self {
            Place::Member(name) | Place::Variant(name) | Place::Key(name) => {
                prefix_member(path, name);
            }
            Place::Item(index) => prefix_item(path, index),
            Place::Object(id) => prefix_object(path, id),
        }
    }

    /// Prepends the component to an error's path.
    #[must_use]
    pub fn of(self, error: Error) -> Error {
        match self {
            Place::Member(name) | Place::Variant(name) | Place::Key(name) => error.in_member(name),
            Place::Item(index) => error.in_item(index),
            Place::Object(id) => error.in_object(id),
        }
    }
}
