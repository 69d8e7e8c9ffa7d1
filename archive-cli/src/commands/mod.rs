//! The commands, one file each.

mod convert;
mod diff;
mod get;
mod inspect;
mod list;
mod pages;
mod schema;
mod stats;
mod verify;

pub use convert::convert;
pub use diff::diff;
pub use get::get;
pub use inspect::inspect;
pub use list::list;
pub use pages::{completions, man};
pub use schema::schema;
pub use stats::stats;
pub use verify::verify;
