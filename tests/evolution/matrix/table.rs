//! A row of the table, and its check: every format, every option, every place.

use std::fmt::Debug;

use archive::bins;
use archive::format::erase;
use archive::{Blank, Options, Save, Serialize};

use super::found::Found;
pub use super::outcome::{Outcome, fails, loads};
use super::places::{PATHS, Places};
use super::way::Way;

/// A theme: a heading, its text, and its rows.
pub struct Section {
    pub title: &'static str,
    pub intro: &'static str,
    pub rows: Vec<Row>,
}

/// Whether a Bins file of the value has a signature that is compared.
fn is_compared<T: Save>(value: &T, options: &Options<'_>) -> bool {
    let file = erase::<bins::Bins>().to_vec_with(value, options);
    file.is_ok_and(|file| bins::Header::read(&file).unwrap().is_compared)
}

/// Saves the old value and loads the new one.
type Load = dyn Fn(Way, &Options<'_>) -> Found;

/// A change of a type, and the results for old files.
pub struct Row {
    pub what: &'static str,
    /// The types, as text.
    pub old: String,
    pub new: String,
    /// The value in the file, as text.
    pub saved: String,
    pub outcome: Outcome,
    load: Box<Load>,
    /// As `load`, inside of something else.
    places: Box<Load>,
    /// The blank value of the new type, as text.
    blank: String,
    /// Whether the types have different signatures, which are compared.
    relaid: bool,
}

impl Row {
    /// A row about a type and its changed form.
    pub fn new<T, U>(
        what: &'static str,
        [old, new]: [String; 2],
        value: fn() -> T,
        _: fn() -> Option<U>,
        outcome: Outcome,
    ) -> Row
    where
        T: Serialize + Save + Blank + Debug + 'static,
        U: Serialize + Save + Blank + Debug + 'static,
    {
        let saving = outcome.old_options.unwrap_or(outcome.options);
        let load = move |way: Way, options: &Options<'_>| {
            let file = way.save(&value(), &saving());
            let loaded = way.load::<U>(&file, options);
            Found::new(loaded, &[""], |value| vec![("", vec![format!("{value:?}")])])
        };
        let places = move |way: Way, options: &Options<'_>| {
            let file = way.save(&Places::of(value), &saving());
            let loaded = way.load_any::<Places<U>>(&file, options);
            Found::new(loaded, &PATHS, Places::texts)
        };
        Row {
            what,
            old,
            new: outcome.shown.map_or(new, str::to_owned),
            saved: format!("{:?}", value()),
            load: Box::new(load),
            places: Box::new(places),
            blank: format!("{:?}", U::blank(&(outcome.options)())),
            relaid: bins::signature::<T>() != bins::signature::<U>()
                && is_compared(&value(), &saving())
                && is_compared(&U::blank(&(outcome.options)()), &(outcome.options)()),
            outcome,
        }
    }

    /// The differences from the table, if any.
    pub fn check(&self) -> Result<(), String> {
        let options = (self.outcome.options)();
        let mut wrong = Vec::new();
        for way in Way::all() {
            let expected = self.outcome.of(way);
            let mut check = |mode: &str, found: Found, expected: Found| {
                if found != expected {
                    wrong.push((
                        format!("{mode}: found {found:?},\n      expected {expected:?}"),
                        way,
                    ));
                }
            };
            check("report", (self.load)(way, &options), expected.report(&[""]));
            let strict = options.clone().strict(true);
            check(
                "strict",
                (self.load)(way, &strict),
                expected.under_strict(self.relaid && way.reports_layout()),
            );
            let going = options.clone().keep_going(true).each_error(true);
            check("keep_going", (self.load)(way, &going), expected.going());
            if expected.placed {
                let mut found = (self.places)(way, &going);
                found.forget(expected.half, &self.blank);
                check("places", found, expected.in_places(&self.blank));
            }
        }
        if wrong.is_empty() {
            return Ok(());
        }
        let mut text = format!("{}: {} -> {}", self.what, self.old, self.new);
        while let Some((first, _)) = wrong.first().cloned() {
            let names = wrong.iter().filter(|(it, _)| *it == first).map(|(_, way)| way.name());
            text += &format!("\n  [{}] {first}", names.collect::<Vec<_>>().join("; "));
            wrong.retain(|(it, _)| *it != first);
        }
        Err(text)
    }
}

/// A row of types that the library has, or of types written for it: those in braces.
macro_rules! row {
    ($what:literal: { $($old:item)* } $Old:ty = $value:expr, { $($new:item)* } $New:ty, $outcome:expr) => {{
        let old = {
            // Not every variant is made.
            $(#[derive(Debug, archive::Serialize)] #[allow(dead_code)] $old)*
            let value: fn() -> $Old = || $value;
            value
        };
        let new = {
            // They are loaded and printed.
            $(#[derive(Debug, archive::Serialize)] #[allow(dead_code)] $new)*
            let none: fn() -> Option<$New> = || None;
            none
        };
        let text = [
            concat!($(stringify!($old), "\u{1}",)* stringify!($Old)),
            concat!($(stringify!($new), "\u{1}",)* stringify!($New)),
        ];
        super::table::Row::new($what, text.map(super::source::shown), old, new, $outcome)
    }};
    ($what:literal: $Old:ty = $value:expr, $New:ty, $outcome:expr) => {
        row!($what: {} $Old = $value, {} $New, $outcome)
    };
    ($what:literal: $Old:ty = $value:expr, { $($new:item)* } $New:ty, $outcome:expr) => {
        row!($what: {} $Old = $value, { $($new)* } $New, $outcome)
    };
    ($what:literal: { $($old:item)* } $Old:ty = $value:expr, $New:ty, $outcome:expr) => {
        row!($what: { $($old)* } $Old = $value, {} $New, $outcome)
    };
}
pub(crate) use row;
