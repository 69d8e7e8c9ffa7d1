//! The commands, one file each.

mod convert;
mod diff;
mod edit;
mod get;
mod inspect;
mod list;
mod new;
mod pages;
mod repair;
mod schema;
mod set;
mod stats;
mod verify;

pub use convert::convert;
pub use diff::diff;
#[cfg(feature = "view")]
pub use diff::{between, difference};
pub use edit::edit;
pub use get::get;
#[cfg(feature = "view")]
pub use get::json as get_json;
pub use inspect::inspect;
#[cfg(feature = "view")]
pub use list::as_value as slot_as_value;
pub use list::list;
pub use new::new;
pub use pages::{completions, man};
pub use repair::{can_repair, repair};
pub use schema::schema;
pub use set::set;
pub use stats::stats;
pub use verify::verify;
