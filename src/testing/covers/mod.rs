//! `assert_covers!`: the fields that a function forgot.

mod fields;
mod report;
mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use archive_core::__private::{Explorer, Fresh, Variation};

use crate::{Element, Options, Result, Serialize};
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
/// The type needs the derived `Debug`, besides what makes it loadable. A type whose blank value is not
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
/// Fields that are left out on purpose are listed behind `except`, those with `#[archive(skip)]` too,
/// so that the list says what a save does without; fields of tuples by their index, as in
/// `except: 0, 2`. The fields of all variants of an enum are checked, with one list. Functions that
/// need context or a registry get it by `options: &options`, which stands before `except`.
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
///   not matter. Under another name such a field is reported although it is visited: list it behind
///   `except`. `PhantomData` is never reported.
/// - A function that refuses nearly every value, and only then takes over what it has loaded, seems
///   not to visit: use `value:` with a sample that may vary more, or list its fields.
///
/// # Panics
/// If a field is not visited; if `except` names a field that there is not; if no value can be made, or
/// its `Debug` is not a derived one.
#[doc(hidden)]
#[macro_export]
macro_rules! __assert_covers {
    (
        value: $value:expr
        $(, options: $options:expr)? $(, except: $($field:tt),+)? $(,)?
    ) => {
        $crate::testing::__private::covers(&$crate::testing::__private::of_value(
            || $value,
            ::core::option::Option::None $(.or(::core::option::Option::Some($options)))?,
        ), &[$($(::core::stringify!($field)),+)?])
    };
    ($T:ty $(, options: $options:expr)? $(, except: $($field:tt),+)? $(,)?) => {
        $crate::testing::__private::covers(&$crate::testing::__private::of_type::<$T>(
            ::core::option::Option::None $(.or(::core::option::Option::Some($options)))?,
        ), &[$($(::core::stringify!($field)),+)?])
    };
}

/// How often everything is changed at once, and each place of the root alone.
const ROUNDS: usize = 32;
const ROUNDS_ALONE: usize = 4;

/// What was seen of a type.
#[derive(Default)]
pub struct Seen {
    name: String,
    /// Why nothing could be seen.
    failed: Option<String>,
    /// The structs and variants by name.
    forms: BTreeMap<String, Form>,
    /// The names of the places that were visited, and whether something in them could be changed.
    places: BTreeMap<String, bool>,
    /// Whether anything was visited.
    touched: bool,
    /// The first error of the function, or its first panic.
    refused: Option<String>,
}

/// The fields of a struct or of a variant.
#[derive(Default)]
struct Form {
    /// What each field was last.
    fields: BTreeMap<String, String>,
    changed: BTreeSet<String>,
    /// How many times it was loaded over itself without an error.
    loaded: usize,
}

/// Looks at a type by its blank value, an enum by a blank of each variant.
pub fn of_type<T: Element + Debug>(options: Option<&Options<'_>>) -> Seen {
    let default = Options::new();
    let options = options.unwrap_or(&default);
    let mut seen = Seen::new::<T>();
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
pub fn of_value<T: Serialize + Debug>(make: impl Fn() -> T, options: Option<&Options<'_>>) -> Seen {
    let default = Options::new();
    let mut seen = Seen::new::<T>();
    seen.look(&|| Ok(make()), options.unwrap_or(&default));
    seen
}

/// Fails unless every field was seen to change, or is excepted.
#[track_caller]
pub fn covers(seen: &Seen, except: &[&str]) {
    if let Err(message) = report::check(seen, except) {
        panic!("{message}");
    }
}

impl Seen {
    fn new<T>() -> Self {
        let name = archive_core::__private::plain_name(std::any::type_name::<T>());
        Seen { name, ..Seen::default() }
    }

    /// Loads values from made-up files, then from files that have one place of the root alone: a
    /// function may refuse what does not go together. An enum keeps its variant.
    fn look<T: Serialize + Debug>(&mut self, make: &dyn Fn() -> Result<T>, options: &Options<'_>) {
        let mut trial = Trial::default();
        self.rounds(ROUNDS, &mut trial, make, options);
        for place in 0..trial.places.len() {
            trial.only = Some(place);
            self.rounds(ROUNDS_ALONE, &mut trial, make, options);
        }
        self.touched |= trial.touched;
        for place in trial.places {
            *self.places.entry(place.name).or_default() |= place.changed;
        }
    }

    fn rounds<T: Serialize + Debug>(
        &mut self,
        rounds: usize,
        trial: &mut Trial,
        make: &dyn Fn() -> Result<T>,
        options: &Options<'_>,
    ) {
        let mut value = None;
        for _ in 0..rounds {
            let mut current = match value.take().map_or_else(make, Ok) {
                Ok(value) => value,
                Err(error) => {
                    self.failed = Some(format!("there is no value to load into: {error}"));
                    return;
                }
            };
            trial.next_round();
            trial.root = variants::<T>().map(|_| Variation::Current);
            let before = format!("{current:#?}");
            let loaded = catch_unwind(AssertUnwindSafe(|| {
                let loaded = current.value(&mut Explorer::new(trial, options));
                (loaded.err().map(|error| error.to_string()), format!("{current:#?}"))
            }));
            match loaded {
                Ok((refused, after)) => {
                    self.compare(&before, &after, refused.is_none());
                    self.refused = self.refused.take().or(refused);
                    value = Some(current);
                }
                // What is left of the value is anybody's guess.
                Err(_) => self.refused = self.refused.take().or(Some("it panicked".into())),
            }
        }
    }

    /// Notes which fields differ.
    fn compare(&mut self, before: &str, after: &str, loaded: bool) {
        let (Some(before), Some(after)) = (fields::parse(before), fields::parse(after)) else {
            self.failed = Some(format!(
                "its `Debug` prints no fields by name; `#[derive(Debug)]` does:\n{after}"
            ));
            return;
        };
        if before.name != after.name {
            return;
        }
        let form = self.forms.entry(after.name.to_owned()).or_default();
        form.loaded += usize::from(loaded);
        let before: BTreeMap<_, _> = before.fields.into_iter().collect();
        for (name, text) in after.fields {
            if before.get(&name).is_some_and(|before| *before != text) {
                form.changed.insert(name.clone());
            }
            form.fields.insert(name, text);
        }
    }
}
