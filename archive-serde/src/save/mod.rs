//! Saving into a serde `Serializer`: each value of the program is a `serde::Serialize` that runs
//! the value's body on the given serializer.

mod count;
mod entry;
mod items;
mod members;
mod pointer;
mod value;

use std::cell::RefCell;

use archive_core::{Body, Error, ErrorKind, Shape};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::shared::Shared;
pub(crate) use count::Plans;
pub(crate) use pointer::{MANY, pointee_shape};
pub(crate) use value::save;

/// A body as a serde value. It must be serialized only once.
pub(crate) struct Nested<'a, 's, B> {
    inner: RefCell<(&'a mut B, &'a mut Shared<'s>)>,
    shape: &'static Shape,
    /// Whether it is the key of a map with text keys.
    is_key: bool,
}

impl<'a, 's, B: Body> Nested<'a, 's, B> {
    pub(crate) fn new(body: &'a mut B, shape: &'static Shape, shared: &'a mut Shared<'s>) -> Self {
        Nested { inner: RefCell::new((body, shared)), shape, is_key: false }
    }

    pub(crate) fn key(body: &'a mut B, shape: &'static Shape, shared: &'a mut Shared<'s>) -> Self {
        Nested { inner: RefCell::new((body, shared)), shape, is_key: true }
    }
}

impl<B: Body> Serialize for Nested<'_, '_, B> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut inner = self
            .inner
            .try_borrow_mut()
            .map_err(|_| S::Error::custom("the value contains itself"))?;
        let (body, shared) = &mut *inner;
        save(to, *body, self.shape, self.is_key, shared)
    }
}

/// Returns the error that a container's error represents. The serializer's own error is put into
/// the slot and later returned to the serializer, because it also has the kind. The error of a null
/// in the container is not: the serializer would leave out the container.
#[cold]
pub(crate) fn refused<E: std::fmt::Display>(
    shared: &mut Shared<'_>,
    theirs: E,
    slot: &mut Option<E>,
) -> Error {
    let ours = shared.take_error(&theirs, ErrorKind::Unsupported);
    *slot = (!shared.null_refused).then_some(theirs);
    ours
}
