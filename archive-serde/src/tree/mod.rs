//! Trees ([`Value`](archive_core::Value)) in serde formats: those that describe themselves, and those
//! that do not.

#[macro_use]
mod scalars;

use crate::shared::Tree;

mod described;
mod read;
mod shaped;
mod skip;
mod untagged;
mod write;

pub(crate) use described::{Described, DescribedSeed};
pub(crate) use read::{
    TreeSeed, gather_map, gather_seq, is_own_name, is_pointer_name, nests_within, object_or_pairs,
};
pub(crate) use scalars::visit_scalars;
pub(crate) use shaped::{flat, takes_nothing};
pub(crate) use skip::Skip;
pub(crate) use untagged::read_untagged;
pub(crate) use write::{Written, write_f32, write_f64, write_int};

/// The maximum number of levels of a tree that is read where no options are known.
pub(crate) const MAX_LEVELS: usize = 128 + MORE_LEVELS;

/// How many levels a tree may have in addition to those of a value: options and lists of deferred
/// objects add some.
pub(crate) const MORE_LEVELS: usize = 32;
