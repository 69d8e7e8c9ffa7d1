//! Values that the caller provides and the functions of types request.

use std::any::{Any, TypeId};
use std::rc::Rc;

use super::Options;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::plain_name;

#[derive(Clone)]
pub(super) enum Held<'a> {
    Owned(Rc<dyn Any>),
    Borrowed(&'a dyn Any),
}

impl<'a> Options<'a> {
    /// Makes a value available to [`Archive::context`](crate::Archive::context) at any depth. A
    /// second value of the same type replaces the first.
    #[must_use]
    pub fn provide<T: 'static>(self, value: T) -> Self {
        self.hold::<T>(Held::Owned(Rc::new(value)))
    }

    /// Like [`provide`](Options::provide), for a borrowed value.
    #[must_use]
    pub fn provide_ref<T: 'static>(self, value: &'a T) -> Self {
        self.hold::<T>(Held::Borrowed(value))
    }

    fn hold<T: 'static>(mut self, held: Held<'a>) -> Self {
        let id = TypeId::of::<T>();
        self.context.retain(|(other, _)| *other != id);
        self.context.push((id, held));
        self
    }

    /// Returns the value of type `T` that was provided, if any.
    pub fn context<T: 'static>(&self) -> Option<&T> {
        let (_, held) = self.context.iter().find(|(id, _)| *id == TypeId::of::<T>())?;
        match held {
            Held::Owned(value) => value.downcast_ref(),
            Held::Borrowed(value) => value.downcast_ref(),
        }
    }

    /// Like [`context`](Options::context), for values that the caller of this method needs.
    ///
    /// # Errors
    /// [`ErrorKind::MissingContext`](crate::ErrorKind::MissingContext) if there is no such value;
    /// the message names the type to provide.
    pub fn require<T: 'static>(&self) -> Result<&T> {
        self.context().ok_or_else(missing::<T>)
    }
}

#[cold]
fn missing<T>() -> Error {
    let name = plain_name(std::any::type_name::<T>());
    Error::new(
        ErrorKind::MissingContext,
        format_args!("no `{name}` in the context: `Options::provide` or `Options::provide_ref`"),
    )
}
