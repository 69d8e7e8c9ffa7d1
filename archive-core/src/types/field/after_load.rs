//! `#[archive(after_load = function)]`: a function that is called after a value was loaded.
// Why: docs/decisions/loading-values.md#after_load-of-a-root-sees-everything
// Why: docs/decisions/compile-time.md#errors-of-cargo-check-are-trait-bounds

use std::marker::PhantomData;

use crate::model::error::Result;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::erased::loads;
use crate::visit::serialize::Serialize;

/// A function that is called with a loaded value. `M` represents the form of its arguments.
#[diagnostic::on_unimplemented(
    message = "this cannot be called after a `{T}` was loaded",
    label = "expected `fn(&mut {T})`",
    note = "`#[archive(after_load = function)]` takes `fn(&mut {T})` or `fn(&{T})`, which return nothing or an `archive::Result`; after the value it may take the version of the file as `u32`, then `&archive::Options<'_>`, or one of them"
)]
pub trait AfterLoad<T: ?Sized, M> {
    /// Calls the function.
    fn call(&self, value: &mut T, version: u32, options: &Options<'_>) -> Result;
}

/// A function without an argument for the version in the file, because only structs with named
/// members have one.
#[diagnostic::on_unimplemented(
    message = "this cannot be called after a `{T}` was loaded",
    label = "expected `fn(&mut {T})`",
    note = "`#[archive(after_load = function)]` takes `fn(&mut {T})` or `fn(&{T})`, which return nothing or an `archive::Result`; after the value it may take `&archive::Options<'_>`",
    note = "only functions of structs with named members may take the version of the file: no other type has one"
)]
pub trait AfterLoadUnversioned<T: ?Sized, M>: AfterLoad<T, M> {}

/// The result of an `after_load` function: `()`, or a [`Result`] of `()`.
pub trait Outcome {
    /// Converts it to a result.
    ///
    /// # Errors
    /// Returns the error, if it is one.
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

/// Identifies the forms of functions by a number.
pub struct Form<R, const N: usize>(PhantomData<R>);

/// Implements the trait for each form. A form has a number, a way to take the value, and the
/// arguments after the value.
macro_rules! forms {
    (
        ($value:ident, $version:ident, $options:ident)
        $($form:literal [$($by:tt)?] ($($arg:ident: $ty:ty),*);)*
    ) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: ?Sized, R: Outcome, F> AfterLoad<T, Form<R, $form>> for F
        where
            F: Fn(&$($by)? T $(, $ty)*) -> R,
        {
            #[inline]
            fn call(&self, $value: &mut T, $version: u32, $options: &Options<'_>) -> Result {
                let _ = ($version, $options);
                self($value $(, $arg)*).outcome()
            }
        }
    )* };
}
forms! {
    (value, version, options)
    0 [mut] ();
    1 [mut] (options: &Options<'_>);
    2 [mut] (version: u32);
    3 [mut] (version: u32, options: &Options<'_>);
    4 [] ();
    5 [] (options: &Options<'_>);
    6 [] (version: u32);
    7 [] (version: u32, options: &Options<'_>);
}

/// Implements the trait for the forms without a version.
macro_rules! unversioned {
    ($($form:literal)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: ?Sized, R: Outcome, F: AfterLoad<T, Form<R, $form>>>
            AfterLoadUnversioned<T, Form<R, $form>> for F
        {
        }
    )* };
}
unversioned!(0 1 4 5);

/// Calls the function of a struct with named members if the archive loads.
#[inline]
pub fn after_load<T: Serialize + ?Sized, M, F: AfterLoad<T, M>, A: Archive>(
    function: F,
    value: &mut T,
    ar: &mut A,
) -> Result {
    if !loads!(A, ar) {
        return Ok(());
    }
    if ar.session().attempt.exploring {
        // A tool only finds out which values have such a function.
        return ar.resolve_pending();
    }
    ar.session_mut().attempt.abort_if_on()?;
    let version = ar.version();
    ar.resolve_pending()?;
    function.call(value, version, ar.options())
}

/// Like [`after_load`], for all other types.
#[inline]
pub fn after_load_unversioned<
    T: Serialize + ?Sized,
    M,
    F: AfterLoadUnversioned<T, M>,
    A: Archive,
>(
    function: F,
    value: &mut T,
    ar: &mut A,
) -> Result {
    after_load(function, value, ar)
}
