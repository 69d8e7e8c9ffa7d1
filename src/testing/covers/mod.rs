//! `assert_covers!`: finds fields that a function forgot.
// Why: docs/decisions/shapes-and-descriptions.md#coverage-is-found-by-behaviour

mod fields;
mod report;
mod seen;
mod trial;

use std::fmt::Debug;

use archive_core::__private::Fresh;
use archive_describe::Explorer;

use crate::{Element, Options, Serialize};
pub use seen::Seen;
use trial::{Trial, variants};

/// Checks that a type's `serialize` visits every field. A field that it forgets is neither saved
/// nor loaded, which often goes unnoticed until data is lost.
///
/// ```
/// use archive::{Archive, Result, Serialize, testing::assert_covers};
///
/// #[derive(Debug, Default)]
/// struct Unit { name: String, hp: u32, mp: u32, path_cache: Vec<u32> }
///
/// impl Serialize for Unit {
///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
///         ar.serialize("name", &mut self.name)?;
///         ar.serialize("hp", &mut self.hp)?;
///         ar.serialize("mp", &mut self.mp)
///     }
/// }
/// archive::blank!(Unit);
///
/// assert_covers!(Unit, except: path_cache); // without the exception it fails and names the field
/// ```
///
/// The type needs a derived `Debug`, in addition to the traits for loading. If a field has none,
/// such as a `Box<dyn Command>`, add it to the trait (`trait Command: Debug`), or implement it for
/// the trait object:
///
/// ```
/// # use archive::{Archive, Result, Serialize, testing::assert_covers};
/// # use std::fmt;
/// trait Command: archive::Polymorphic {}
/// archive::polymorphic!(dyn Command);
///
/// impl fmt::Debug for dyn Command {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         f.write_str("a command")
///     }
/// }
///
/// #[derive(Debug, Default, Serialize)]
/// struct Queue { length: u32, first: Option<Box<dyn Command>> }
///
/// assert_covers!(Queue);
/// ```
///
/// If the blank value of a type is not sufficient, because it is empty or cannot be created, pass a
/// value, which the macro evaluates several times:
///
/// ```
/// # use archive::{Serialize, testing::assert_covers};
/// #[derive(Debug, Serialize)]
/// struct Squad { name: String, tactics: [u8; 2] }
///
/// assert_covers!(value: Squad { name: "Alpha".into(), tactics: [1, 2] });
/// ```
///
/// Fields that are left out on purpose are listed after `except`, including those with
/// `#[archive(skip)]`, so that the list shows everything that a save omits. Fields of tuples are
/// listed by index, as in `except: 0, 2`. A field that is visited must not be in the list. A field
/// with `#[archive(unknown)]` need not be listed: it is filled with members that the type does not
/// have. The fields of all variants of an enum are checked with one list. Functions that need
/// context or a registry receive it from `options: &options`, which comes before `except`.
///
/// A hand-written function that branches on [`Archive::version`](crate::Archive::version) is
/// checked in the branch for current files. `version:`, which also comes before `except`, checks
/// the branch for an older version; list the fields that this version did not have as exceptions:
///
/// ```
/// use archive::{Archive, Result, Serialize, testing::assert_covers};
///
/// #[derive(Debug, Default)]
/// struct Door { open: f32, lock: u8 }
///
/// impl Serialize for Door {
///     const VERSION: u32 = 1;
///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
///         if ar.version() == 0 {
///             let mut open = false;
///             ar.serialize("open", &mut open)?;
///             self.open = f32::from(u8::from(open));
///             return Ok(());
///         }
///         ar.serialize("open", &mut self.open)?;
///         ar.serialize("lock", &mut self.lock)
///     }
/// }
/// archive::blank!(Door);
///
/// assert_covers!(Door);
/// assert_covers!(Door, version: 0, except: lock);
/// ```
///
/// # How it works
///
/// The value is loaded several times from a made-up file. Each time every number, truth value and
/// text in it is different, lists have one item or two, options are present or absent, and enums
/// have another variant. Before and after, the value is printed with `{:#?}`. A field whose text
/// never changes was not visited, even if its name was: `ar.serialize("hp", &mut self.mp)` is
/// found. Other actions of a load (`after_load`) are not performed.
///
/// Types in fields are not checked themselves: give them assertions of their own.
///
/// # What it does not find
///
/// - Two fields that are both visited under each other's names.
/// - A field that something else changes during the load, such as a number of loads counted in
///   `serialize`.
/// - What a function does in only one of its branches, if it branches on a text, or on a value that
///   is not the first it visits: such branches are taken by chance. The variants of a hand-written
///   enum are found if the first value visited is a truth value, a derived enum or a number
///   below 8.
/// - Fields whose text is always the same (`Weak`, `()`, a `Debug` that does not show everything),
///   and those in which nothing can be changed (a `Box<dyn Trait>`, a text that must be an
///   address): they count as visited if a member with the name of the field is visited, with any
///   content. Case and `_` are ignored. If such a field has another name in the file, it is
///   reported although it is visited: list it after `except`. `PhantomData` is never reported.
/// - A function that refuses nearly every value, and only stores what it has loaded if it accepts
///   it, seems not to visit its fields: use `value:` with a sample that allows more variation, or
///   list its fields.
///
/// # Panics
/// Panics if a field is not visited; if `except` names a field that is visited or does not exist;
/// if no value can be created, or its `Debug` is not a derived one; if the type has no such
/// `version`.
#[doc(hidden)]
#[macro_export]
macro_rules! __assert_covers {
    (
        value: $value:expr
        $(, options: $options:expr)? $(, version: $version:expr)?
        $(, except: $($field:tt),+)? $(,)?
    ) => {
        $crate::testing::__private::covers(&$crate::testing::__private::of_value(
            || $value,
            ::core::option::Option::None $(.or(::core::option::Option::Some($options)))?,
            ::core::option::Option::None $(.or(::core::option::Option::Some($version)))?,
        ), &[$($(::core::stringify!($field)),+)?])
    };
    (
        $T:ty
        $(, options: $options:expr)? $(, version: $version:expr)?
        $(, except: $($field:tt),+)? $(,)?
    ) => {
        $crate::testing::__private::covers(&$crate::testing::__private::of_type::<$T>(
            ::core::option::Option::None $(.or(::core::option::Option::Some($options)))?,
            ::core::option::Option::None $(.or(::core::option::Option::Some($version)))?,
        ), &[$($(::core::stringify!($field)),+)?])
    };
}

/// Examines a type by its blank value, and an enum by a blank value of each variant.
pub fn of_type<T: Element + Debug>(options: Option<&Options<'_>>, version: Option<u32>) -> Seen {
    let default = Options::new();
    let options = options.unwrap_or(&default);
    let mut seen = Seen::new::<T>(version);
    if seen.failed.is_some() {
        return seen;
    }
    let blank = || <T as Fresh>::fresh(options);
    match variants::<T>() {
        None => seen.look(&blank, options),
        Some(count) => {
            for variant in 0..count {
                let make = || {
                    let mut value = blank()?;
                    let mut select = Trial::selecting(variant);
                    value.value(&mut Explorer::new(&mut select, options))?;
                    Ok(value)
                };
                seen.look(&make, options);
            }
        }
    }
    seen
}

/// Examines a type by a sample.
pub fn of_value<T: Serialize + Debug>(
    make: impl Fn() -> T,
    options: Option<&Options<'_>>,
    version: Option<u32>,
) -> Seen {
    let default = Options::new();
    let mut seen = Seen::new::<T>(version);
    if seen.failed.is_none() {
        seen.look(&|| Ok(make()), options.unwrap_or(&default));
    }
    seen
}

/// Fails unless every field was found to change, or is excepted.
#[track_caller]
pub fn covers(seen: &Seen, except: &[&str]) {
    if let Err(message) = report::check(seen, except) {
        panic!("{message}");
    }
}
