//! Implements `Serialize` and its companions for the types of the standard library, by family.

mod array;
mod atomic;
mod cell;
mod choice;
mod cow;
mod cursor;
mod escape;
pub(crate) mod late;
mod list;
pub(crate) mod map;
mod net;
mod newtype;
mod nonzero;
mod number;
mod once;
mod option;
mod os;
mod path;
mod pin;
mod range;
pub(crate) mod saved_order;
mod separators;
pub(crate) mod seq;
pub(crate) mod set;
mod text;
mod time;
mod tuple;
mod unsized_;

pub use cell::InPlainCell;
pub use map::duplicate_key;
pub(crate) use option::wraps;
pub use saved_order::ranks_of;
pub(crate) use seq::Items;
