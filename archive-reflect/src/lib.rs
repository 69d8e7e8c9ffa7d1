//! What engines build reflection systems for, out of the one `serialize` function of a type.

mod edit;
mod look;
mod tree;

pub use edit::{Change, Content, Edit, apply, merge};
pub use look::{Leaf, Row, complete, get, get_as, list, visit};

use archive_core::path::{Path, Step};
use archive_core::{Error, Options, Result};

/// Puts a path in front of an error's path.
fn within(error: Error, path: &[Step]) -> Error {
    path.iter().rev().fold(error, |error, step| match step {
        Step::Name(name) => error.in_member(name),
        Step::Index(index) => error.in_item(*index),
        Step::Object(_) => error,
    })
}

/// Puts the last step of a path in front of an error's path.
fn within_last(error: Error, path: &[Step]) -> Error {
    within(error, &path[path.len().saturating_sub(1)..])
}

/// Checks that a path is not longer than values may be deep: following it needs stack.
fn check_length(path: &Path, options: &Options<'_>) -> Result {
    let limit = options.get_limits().depth;
    if path.len() > limit.saturating_mul(4) { Err(Error::too_deep(limit)) } else { Ok(()) }
}
