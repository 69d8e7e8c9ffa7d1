//! `assert_covers!`: the fields that a function forgot.

mod fields;
mod report;
mod seen;
mod trial;

use std::fmt::Debug;

use archive_core::__private::{Explorer, Fresh};

use crate::{Element, Options, Serialize};
pub use seen::Seen;
use trial::{Trial, variants};

/// Checks that a type's `serialize` visits every field: a field that it forgets is neither saved nor
/// loaded, and nobody notices until a player does.
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
/// The type needs the derived `Debug`, besides what makes it loadable. Where a field has none, as a
/// `Box<dyn Command>`, let the trait ask for it (`trait Command: Debug`), or write it for the trait object:
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
/// A type whose blank value is not
/// enough, because it has nothing in it or cannot be made, is checked by a value, which the macro
/// makes anew several times:
///
/// ```
/// # use archive::{Serialize, testing::assert_covers};
/// #[derive(Debug, Serialize)]
/// struct Squad { name: String, tactics: [u8; 2] }
///
/// assert_covers!(value: Squad { name: "Alpha".into(), tactics: [1, 2] });
/// ```
///
/// Fields that are left out on purpose are listed after `except`, those with `#[archive(skip)]` too,
/// so that the list says what a save does without; fields of tuples by their index, as in
/// `except: 0, 2`. One that is visited after all has no place in the list. A field with
/// `#[archive(unknown)]` needs none: it is filled with members that the type does not have. The fields
/// of all variants of an enum are checked, with one list. Functions that need context or a registry get
/// it by `options: &options`, which stands before `except`.
///
/// A hand-written function that branches on [`Archive::version`](crate::Archive::version) is checked in
/// the branch for files of today. `version:` checks the one for an older version, which stands before
/// `except` as well; what that version did not have is an exception:
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
/// # How it is done
///
/// The value is loaded again and again from a file that is made up: each time every number, truth value
/// and text in it is another, lists have one item or two, options are there or not, and enums are
/// another variant. Before and after, the value is printed by `{:#?}`. A field of which the text
/// never changes was not visited, also where its name was:
/// `ar.serialize("hp", &mut self.mp)` is found. What else a load does (`after_load`) is not done.
///
/// Types in fields are not checked themselves: give them assertions of their own.
///
/// # What it does not see
///
/// - Two fields that are both visited under each other's names.
/// - A field that something else changes while it loads, such as a number of loads counted in
///   `serialize`.
/// - What a function does in one of its forms alone, where it branches on a text, or on something
///   that is not the first it visits: such forms are seen by chance. The variants of a hand-written
///   enum are seen if the first thing visited is a truth value, a derived enum or a number below 8.
/// - Fields whose text is always the same (`Weak`, `()`, a `Debug` that does not show all), and those
///   in which nothing can be changed (a `Box<dyn Trait>`, a text that must be an address): they
///   count as visited if a member with the name of the field is, whatever is in it. Case and `_` do
///   not matter. Under another name such a field is reported although it is visited: list it after
///   `except`. `PhantomData` is never reported.
/// - A function that refuses nearly every value, and only then takes over what it has loaded, seems
///   not to visit: use `value:` with a sample that may vary more, or list its fields.
///
/// # Panics
/// If a field is not visited; if `except` names a field that is, or that there is not; if no value can
/// be made, or its `Debug` is not a derived one; if the type has no such `version`.
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

/// Looks at a type by its blank value, an enum by a blank of each variant.
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

/// Looks at a type by a sample.
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

/// Fails unless every field was seen to change, or is excepted.
#[track_caller]
pub fn covers(seen: &Seen, except: &[&str]) {
    if let Err(message) = report::check(seen, except) {
        panic!("{message}");
    }
}
