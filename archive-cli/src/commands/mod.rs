//! The commands, one file each.

mod convert;
mod get;
mod inspect;

pub use convert::convert;
pub use get::get;
pub use inspect::inspect;
