//! `Serialize` and its companions for the types of the standard library, by family.

mod array;
mod cell;
mod map;
mod number;
mod option;
mod order;
mod other;
mod seq;
mod set;
mod text;
mod tuple;

pub(crate) use order::sorted;
pub(crate) use seq::SavedItems;
pub(crate) use tuple::Pair;
pub use tuple::{SavedTupleItem, TupleItem, tuple_end, tuple_item};
