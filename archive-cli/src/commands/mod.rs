//! The commands, one file each.

mod convert;
mod diff;
mod edit;
mod export;
mod get;
mod inspect;
mod list;
mod new;
mod pages;
mod query;
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
pub use export::export;
pub use get::get;
#[cfg(feature = "view")]
pub use get::json as get_json;
pub use inspect::inspect;
#[cfg(feature = "view")]
pub use list::as_value as slot_as_value;
pub use list::list;
pub use new::new;
pub use pages::{completions, man};
pub use query::query;
pub use repair::{can_repair, repair};
pub use schema::schema;
pub use set::set;
pub use stats::stats;
pub use verify::verify;

/// Returns the error for a command that this build does not have.
#[cfg(not(all(feature = "sqlite", feature = "parquet")))]
#[cold]
fn without(feature: &str) -> archive::Error {
    let message = format_args!(
        "this command was built without `{feature}`: install it with `cargo install archive-cli --features {feature}`"
    );
    archive::Error::new(archive::ErrorKind::Unsupported, message)
}
