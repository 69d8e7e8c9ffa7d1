//! Saving into a serde `Serializer`: each value of the program is a `serde::Serialize` whose body runs
//! on the serializer that it is given.

mod count;
mod items;
mod members;
mod pointer;
mod value;

use std::cell::RefCell;

use archive_core::{Body, Error, ErrorKind, Shape};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::shared::Shared;
pub(crate) use count::Plans;
pub(crate) use pointer::{MANY, body_shape};
pub(crate) use value::save;

/// A body as a value of serde's. It is serialized once.
pub(crate) struct Nested<'a, 's, B> {
    inner: RefCell<(&'a mut B, &'a mut Shared<'s>)>,
    shape: &'static Shape,
    /// Whether it is the key of a map whose keys are text.
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
        let mut inner =
            self.inner.try_borrow_mut().map_err(|_| S::Error::custom("a value inside itself"))?;
        let (body, shared) = &mut *inner;
        save(to, *body, self.shape, self.is_key, shared)
    }
}

/// The error that a serializer's stands for.
#[cold]
pub(crate) fn refused(shared: &mut Shared<'_>, theirs: impl std::fmt::Display) -> Error {
    shared.fetch(theirs, ErrorKind::Unsupported)
}

/// The error for calls that do not come in a well-formed order.
#[cold]
pub(crate) fn misuse() -> Error {
    Error::new(
        ErrorKind::Unsupported,
        "a value outside of an item or a member, or the second in one",
    )
}
