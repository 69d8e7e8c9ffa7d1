//! Keys of maps, and adding names and indices to paths.

use archive_core::bridge::{self, Place};
use archive_core::{Body, Error, ErrorKind, Result, Value};

use crate::shared::Shared;

/// Loads the key of a map from a tree; text may represent a number.
pub(crate) fn load_key<B: Body>(key: Value, body: &mut B, shared: &mut Shared<'_>) -> Result {
    match key {
        Value::Str(text) => bridge::key(&text, body, shared.session, shared.options),
        key => shared.load_tree(key.into(), |ar| body.run(ar)),
    }
}

/// Runs `visit` on the value at that place, which is added to the paths of its errors and notes.
#[inline]
pub(crate) fn within<R>(
    place: Place<'_>,
    shared: &mut Shared<'_>,
    visit: impl FnOnce(&mut Shared<'_>) -> Result<R>,
) -> Result<R> {
    let since = shared.session.report().extent();
    let visited = visit(shared);
    shared.session.within(since, place);
    visited.map_err(|error| place.of(error))
}

/// Counts an element.
#[inline]
pub(crate) fn count(shared: &mut Shared<'_>) -> Result {
    shared.session.count(shared.options)
}

/// Creates the error for a value without a type in a format that does not describe itself.
#[cold]
pub(crate) fn no_description() -> Error {
    let message = "this format is not self-describing, so only values of known types can be loaded";
    Error::new(ErrorKind::Unsupported, message)
}
