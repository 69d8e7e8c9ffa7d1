//! `#[archive(after_load = function)]`: what is done with a value once it has been loaded.

use crate::archive::Archive;
use crate::error::Result;
use crate::options::Options;

/// A function that is called with a loaded value: with or without [`Options`], which `M` tells.
#[diagnostic::on_unimplemented(
    message = "this cannot be called after a `{T}` was loaded",
    label = "expected `fn(&mut {T})`",
    note = "`#[archive(after_load = function)]` takes `fn(&mut {T})` or `fn(&mut {T}, &archive::Options<'_>)`, which give nothing or an `archive::Result`"
)]
pub trait AfterLoad<T: ?Sized, M> {
    /// Calls the function.
    ///
    /// # Errors
    /// Those of the function.
    fn call(&self, value: &mut T, options: &Options<'_>) -> Result;
}

/// What such a function gives: nothing, or an [`Result`] of nothing.
pub trait Outcome {
    /// As a result.
    ///
    /// # Errors
    /// The error, if it is one.
    fn outcome(self) -> Result;
}

impl Outcome for () {
    #[inline]
    fn outcome(self) -> Result {
        Ok(())
    }
}

impl Outcome for Result {
    #[inline]
    fn outcome(self) -> Result {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized, R: Outcome, F: Fn(&mut T) -> R> AfterLoad<T, (R,)> for F {
    #[inline]
    fn call(&self, value: &mut T, _: &Options<'_>) -> Result {
        self(value).outcome()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized, R: Outcome, F: Fn(&mut T, &Options<'_>) -> R> AfterLoad<T, (R, ())> for F {
    #[inline]
    fn call(&self, value: &mut T, options: &Options<'_>) -> Result {
        self(value, options).outcome()
    }
}

/// Calls the function if values are being loaded.
///
/// # Errors
/// Those of the function.
#[inline]
pub fn after_load<T: ?Sized, M, F: AfterLoad<T, M>, A: Archive>(
    function: F,
    value: &mut T,
    ar: &mut A,
) -> Result {
    if !ar.is_loading() || ar.session().exploring {
        return Ok(());
    }
    ar.settle()?;
    function.call(value, ar.options())
}
