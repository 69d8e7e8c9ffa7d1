//! [`Start`]: the initial value of a type, whether the type has blank values or not.

use crate::model::error::Result;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Element, Exchange, Fresh};

/// The blank values of `T`, if it has any, according to [`Probe`](crate::__private::Probe).
pub trait Start<T>: Copy {
    /// Whether there are blank values.
    const IS_FRESH: bool;
    /// [`Blank::EXCHANGE_KEPT`](crate::Blank::EXCHANGE_KEPT).
    const KEPT: Option<Exchange<T>>;

    /// Returns a blank value; `None` for a type that may have none, such as a type parameter.
    fn fresh(options: &Options<'_>) -> Result<Option<T>>;
}

/// Like [`Start`], for a type that can be loaded.
pub trait StartOver<T>: Start<T> {
    /// Loads over a value so that nothing of it remains. Returns `false` for a type that may have no
    /// blank values.
    fn load_over<A: Archive>(value: &mut T, ar: &mut A) -> Result<bool>;
}

/// The [`Start`] of a type that is [`Fresh`].
#[derive(Clone, Copy)]
pub struct Fresher;

impl<T: Fresh> Start<T> for Fresher {
    const IS_FRESH: bool = true;
    const KEPT: Option<Exchange<T>> = T::KEPT;

    #[inline]
    fn fresh(options: &Options<'_>) -> Result<Option<T>> {
        match T::fresh(options) {
            Ok(new) => Ok(Some(new)),
            Err(error) => Err(error),
        }
    }
}

impl<T: Element> StartOver<T> for Fresher {
    #[inline]
    fn load_over<A: Archive>(value: &mut T, ar: &mut A) -> Result<bool> {
        value.load_element_over(ar).map(|()| true)
    }
}

/// The [`Start`] of a type that may have no blank values.
#[derive(Clone, Copy)]
pub struct NotFresh;

impl<T> Start<T> for NotFresh {
    const IS_FRESH: bool = false;
    const KEPT: Option<Exchange<T>> = None;

    #[inline]
    fn fresh(_: &Options<'_>) -> Result<Option<T>> {
        Ok(None)
    }
}

impl<T> StartOver<T> for NotFresh {
    #[inline]
    fn load_over<A: Archive>(_: &mut T, _: &mut A) -> Result<bool> {
        Ok(false)
    }
}
