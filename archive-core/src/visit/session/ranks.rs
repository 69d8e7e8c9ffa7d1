//! The ranks of shared objects in the keys of hash maps and sets. Such keys are sorted by their
//! encoding before they are saved.
// Why: docs/decisions/pointers.md#keys-with-pointers-are-sorted-by-identity

use super::addresses::Addresses;

/// The encoding of an object in a key.
pub(crate) enum Rank {
    /// A number, which is the same in all saves of equal values.
    Number(u64),
    /// Its content.
    Content,
    /// Nothing: the object is inside the content of another object.
    Nothing,
}

/// The ranks of the objects in keys.
#[derive(Default)]
pub(super) struct Ranks {
    /// The numbers of the objects that can be reached without a hash map or set, in the order in
    /// which they are reached, and the count of these objects.
    pub(super) numbered: Addresses,
    pub(super) count: u64,
    /// Whether keys are being encoded, and whether the content of an object is.
    pub(super) sorting: bool,
    pub(super) inside: bool,
    /// Whether the object of a weak pointer must not be borrowed either.
    pub(super) strict: bool,
}
