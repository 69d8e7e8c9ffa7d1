//! `#[archive(after_load = function)]`: what is done with a value once it has been loaded.

use std::marker::PhantomData;

use crate::Serialize;
use crate::archive::Archive;
use crate::error::Result;
use crate::options::Options;
use crate::shape::Shape;

/// A function that is called with a loaded value; `M` tells in which form.
#[diagnostic::on_unimplemented(
    message = "this cannot be called after a `{T}` was loaded",
    label = "expected `fn(&mut {T})`",
    note = "`#[archive(after_load = function)]` takes `fn(&mut {T})` or `fn(&{T})`, which give nothing or an `archive::Result`; behind the value it may take the version of the file as `u32`, then `&archive::Options<'_>`, or one of them"
)]
pub trait AfterLoad<T: ?Sized, M> {
    /// Whether the function asks for the version of the file.
    const VERSIONED: bool;

    /// Calls the function.
    ///
    /// # Errors
    /// Those of the function.
    fn call(&self, value: &mut T, version: u32, options: &Options<'_>) -> Result;
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

/// Marks the forms of functions, by number.
pub struct Form<R, const N: usize>(PhantomData<R>);

/// One impl for each form: its number, whether it asks for the version, how it takes the value, and
/// what it takes behind that.
macro_rules! forms {
    (
        ($value:ident, $version:ident, $options:ident)
        $($form:literal $versioned:literal [$($by:tt)?] ($($arg:ident: $ty:ty),*);)*
    ) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: ?Sized, R: Outcome, F> AfterLoad<T, Form<R, $form>> for F
        where
            F: Fn(&$($by)? T $(, $ty)*) -> R,
        {
            const VERSIONED: bool = $versioned;

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
    0 false [mut] ();
    1 false [mut] (options: &Options<'_>);
    2 true [mut] (version: u32);
    3 true [mut] (version: u32, options: &Options<'_>);
    4 false [] ();
    5 false [] (options: &Options<'_>);
    6 true [] (version: u32);
    7 true [] (version: u32, options: &Options<'_>);
}

/// Calls the function if values are being loaded.
///
/// # Errors
/// Those of the function.
#[inline]
pub fn after_load<T: Serialize + ?Sized, M, F: AfterLoad<T, M>, A: Archive>(
    function: F,
    value: &mut T,
    ar: &mut A,
) -> Result {
    const {
        let versioned = matches!(T::SHAPE, Shape::Class(_));
        let message = "`after_load`: only a struct with named members has a version to be told";
        assert!(versioned || !F::VERSIONED, "{}", message);
    }
    if !ar.is_loading() || ar.session().exploring {
        return Ok(());
    }
    let version = ar.version();
    ar.settle()?;
    function.call(value, version, ar.options())
}
