//! `Serialize` and its companions for the types of the standard library, by family.

mod array;
mod cell;
pub(crate) mod map;
mod number;
mod option;
pub(crate) mod order;
mod other;
pub(crate) mod seq;
pub(crate) mod set;
mod text;
mod tuple;

pub(crate) use tuple::Pair;
pub use tuple::{SavedTupleItem, TupleItem, tuple_end, tuple_item};
