//! [`Seen`]: the results for a type whose values were loaded from made-up files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use archive_describe::{Explorer, Variation};

use super::fields;
use super::trial::{Trial, variants};
use crate::{Options, Result, Serialize};
use archive_core::shape::Shape;

/// The number of rounds in which everything changes at once, and of rounds for each place of the
/// root alone.
const ROUNDS: usize = 32;
const ROUNDS_ALONE: usize = 4;

const TAKES_A_VALUE: &str = "`assert_covers!(value: …)` takes a value to start from.";

/// The results for a type.
#[derive(Default)]
pub struct Seen {
    pub(super) name: String,
    /// The version of the files, if it is not the current one.
    pub(super) version: Option<u32>,
    /// The reason why nothing could be examined.
    pub(super) failed: Option<String>,
    /// The structs and variants by name.
    pub(super) forms: BTreeMap<String, Form>,
    /// The names of the places that were visited, and whether anything in them could be changed.
    pub(super) places: BTreeMap<String, bool>,
    /// Whether anything was visited.
    pub(super) touched: bool,
    /// The first error of the function, or its first panic.
    pub(super) refused: Option<String>,
}

/// The fields of a struct or of a variant.
#[derive(Default)]
pub(super) struct Form {
    /// The last text of each field.
    pub(super) fields: BTreeMap<String, String>,
    pub(super) changed: BTreeSet<String>,
    /// The number of loads that kept the form and had no error.
    pub(super) loaded: usize,
}

impl Seen {
    pub(super) fn new<T: Serialize>(version: Option<u32>) -> Self {
        let name = archive_core::__private::plain_name(std::any::type_name::<T>());
        let newest = match T::SHAPE {
            Shape::Class(class) => Some(class.version),
            _ => None,
        };
        let failed = match (version, newest) {
            (Some(_), None) => Some(format!(
                "`version:` is for types that are saved as objects with named members, and `{name}` \
                 is not."
            )),
            (Some(version), Some(newest)) if version > newest => {
                Some(format!("`{name}` has no version {version}: the newest is {newest}."))
            }
            _ => None,
        };
        Seen { name, version, failed, ..Seen::default() }
    }

    /// Loads values from made-up files, and then from files that have only one place of the root,
    /// because a function may refuse values that do not fit together. An enum keeps its variant.
    pub(super) fn look<T: Serialize + Debug>(
        &mut self,
        make: &dyn Fn() -> Result<T>,
        options: &Options<'_>,
    ) {
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
                    self.failed =
                        Some(format!("there is no value to load into: {error}\n{TAKES_A_VALUE}"));
                    return;
                }
            };
            trial.next_round();
            trial.root = variants::<T>().map(|_| Variation::Current);
            let before = format!("{current:#?}");
            let loaded = catch_unwind(AssertUnwindSafe(|| {
                let loaded =
                    current.value(&mut Explorer::new(trial, options).at_version(self.version));
                (loaded.err().map(|error| error.to_string()), format!("{current:#?}"))
            }));
            match loaded {
                Ok((refused, after)) => {
                    self.compare(&before, &after, refused.is_none());
                    self.refused = self.refused.take().or(refused);
                    value = Some(current);
                }
                // After a panic the content of the value is unspecified.
                Err(_) => self.refused = self.refused.take().or(Some("it panicked".into())),
            }
        }
    }

    /// Records which fields differ.
    fn compare(&mut self, before: &str, after: &str, loaded: bool) {
        let (Some(before), Some(after)) = (fields::parse(before), fields::parse(after)) else {
            self.failed = Some(format!(
                "its `Debug` prints no fields by name; `#[derive(Debug)]` does:\n{after}\n\
                 {TAKES_A_VALUE}"
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
