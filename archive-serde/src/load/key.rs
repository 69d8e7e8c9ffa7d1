//! Keys of maps, and adding names and indices to paths.

use archive_core::bridge;
use archive_core::{Body, Error, ErrorKind, Result, Value};

use crate::shared::Shared;

/// Loads the key of a map from a tree; text may represent a number.
pub(crate) fn load_key<B: Body>(key: Value, body: &mut B, shared: &mut Shared<'_>) -> Result {
    match key {
        Value::Str(text) => bridge::key(&text, body, shared.session, shared.options),
        key => shared.load_tree(key.into(), |ar| body.run(ar)),
    }
}

/// Runs `visit` on a member. Adds the name of the member to the paths of its errors and notes.
#[inline]
pub(crate) fn in_member(
    name: &str,
    shared: &mut Shared<'_>,
    visit: impl FnOnce(&mut Shared<'_>) -> Result,
) -> Result {
    let since = shared.session.report().len();
    match visit(shared) {
        Ok(()) => {
            shared.session.in_member(since, name);
            Ok(())
        }
        Err(error) => Err(error.in_member(name)),
    }
}

/// Runs `visit` on an item. Adds its index to the paths of its errors and notes.
#[inline]
pub(crate) fn in_item<R>(
    index: usize,
    shared: &mut Shared<'_>,
    visit: impl FnOnce(&mut Shared<'_>) -> Result<R>,
) -> Result<R> {
    let since = shared.session.report().len();
    match visit(shared) {
        Ok(done) => {
            shared.session.in_item(since, index);
            Ok(done)
        }
        Err(error) => Err(error.in_item(index)),
    }
}

/// Counts an element.
#[inline]
pub(crate) fn count(shared: &mut Shared<'_>) -> Result {
    shared.session.count(shared.options)
}

/// Creates the error for a value without a type in a format that does not describe itself.
#[cold]
pub(crate) fn no_description() -> Error {
    let message =
        "this format does not describe itself, so only values of an announced type can be loaded";
    Error::new(ErrorKind::Unsupported, message)
}
