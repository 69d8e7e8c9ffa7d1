//! The open values of a survey.

use archive_core::Error;
use archive_document::Place;

use crate::read_tables::Tables;
use crate::types::{Type, TypeId};

/// A value whose parts were not all read.
pub(super) struct Open<'a> {
    pub(super) rest: Rest<'a>,
    pub(super) place: Place,
    pub(super) owner: u32,
}

pub(super) enum Rest<'a> {
    /// The value of an option, which does not count as a level of nesting.
    Held(Option<TypeId>),
    /// The value of an option that is itself null, or the value of a variant, which has a name.
    One(Option<TypeId>, Option<&'a str>),
    /// Items of a type: the number that is left, and the number of all.
    Items(TypeId, u64, u64),
    Parts(TypeId, usize),
    /// The object of a pointer, and whether other pointers may share it.
    Pointee(Option<TypeId>, bool),
    /// The number of items that were read.
    TaggedItems(usize),
    /// The name of the member that was read last.
    TaggedMembers(&'a str),
}

/// Adds the path of the value being read.
#[cold]
pub(super) fn in_path(error: Error, open: &[Open<'_>], tables: &Tables<'_>) -> Error {
    open.iter().rev().fold(error, |error, open| match &open.rest {
        Rest::Items(_, left, count) => error.in_item((count - left - 1) as usize),
        Rest::Parts(kind, next) => match tables.get(*kind) {
            Some(Type::Class { members, .. }) => error.in_member(members[next - 1].0),
            _ => error.in_item(next - 1),
        },
        Rest::One(_, Some(name)) | Rest::TaggedMembers(name) => error.in_member(name),
        Rest::TaggedItems(count) => error.in_item(count - 1),
        Rest::One(..) | Rest::Held(_) | Rest::Pointee(..) => error,
    })
}
