//! Dates and times of `jiff`: stored as the text that they display.
//!
//! Every version of jiff has its own types, so each version has its own module and feature. In each
//! module `jiff` is that version. The types of all versions are stored alike.

use super::text::Text;
use crate::model::error::{Error, ErrorKind, Result};

/// Returns the first of the texts that loads as the same value.
fn checked<T: Text>(texts: &[&dyn Fn() -> String], same: impl Fn(&T) -> bool) -> Result<String> {
    for text in texts {
        let text = text();
        if T::read(&text).is_ok_and(|read| same(&read)) {
            return Ok(text);
        }
    }
    let nearest = texts.first().map(|text| text()).unwrap_or_default();
    let message = format_args!("{} has no exact text form; nearest: {nearest:?}", T::WHAT);
    Err(Error::new(ErrorKind::Unsupported, message))
}

macro_rules! parsed {
    ($($ty:ty, $what:literal, |$one:ident, $other:ident| $same:expr, $($text:literal),+;)*) => { $(
        impl Text for $ty {
            const WHAT: &'static str = $what;

            fn print(&self) -> Result<String> {
                let $one = self;
                checked(&[$(&|| format!($text, self)),+], |$other: &Self| $same)
            }
            fn read(text: &str) -> Result<Self, String> {
                text.parse().map_err(|error: jiff::Error| error.to_string())
            }
        }
    )* };
}

/// A module for each version: its feature, its crate, and its name for a time with a zone.
macro_rules! versions {
    ($($feature:literal $module:ident: $jiff:ident, $Zoned:ident;)*) => { $(
        #[cfg(feature = $feature)]
        mod $module {
            use ::$jiff as jiff;
            use jiff::civil::{Date, DateTime, Time};
            use jiff::{SignedDuration, Span, Timestamp, $Zoned};

            use super::checked;
            use crate::model::error::Result;
            use crate::types::foreign::text::Text;

            parsed! {
                Timestamp, "a timestamp", |a, b| a == b, "{}";
                // Equality compares instants: a zone without a name is restored as its offset.
                $Zoned, "a date and time with a time zone", |a, b| a == b, "{}";
                Date, "a date", |a, b| a == b, "{}";
                Time, "a time of day", |a, b| a == b, "{}";
                DateTime, "a date and time", |a, b| a == b, "{}";
                Span, "a span of time", |a, b| a.fieldwise() == b.fieldwise(), "{}", "{:#}";
                SignedDuration, "a duration", |a, b| a == b, "{}";
            }

            text! {
                Timestamp = Timestamp::default(),
                $Zoned = $Zoned::default(),
                Date = Date::default(),
                Time = Time::default(),
                DateTime = DateTime::default(),
                Span = Span::default(),
                SignedDuration = SignedDuration::ZERO,
            }

            #[cfg(test)]
            #[test]
            fn is_stored_as_text() {
                let day = jiff::civil::date(2026, 11, 20);
                super::tests::is_stored_as(day, "2026-11-20");
                super::tests::is_stored_as(day.at(9, 30, 0, 0), "2026-11-20T09:30:00");
                super::tests::is_stored_as(Timestamp::UNIX_EPOCH, "1970-01-01T00:00:00Z");
                super::tests::is_stored_as($Zoned::default(), "1970-01-01T00:00:00+00:00[UTC]");
                super::tests::is_stored_as(SignedDuration::from_secs(93_600), "PT26H");
                let span = Span::new().milliseconds(1500);
                assert_eq!(crate::Value::of(&span).unwrap(), crate::Value::from("1500ms"));
            }
        }
    )* };
}

versions! {
    "jiff-0-2" v0_2: jiff_0_2, Zoned;
    "jiff" newest: jiff, ZonedDateTime;
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use crate::{Blank, Save, Value};

    /// The value is stored as that text, which loads as the same value.
    pub(super) fn is_stored_as<T: Save + Blank + PartialEq + Debug>(value: T, text: &str) {
        let tree = Value::of(&value).unwrap();
        assert_eq!(tree, Value::from(text));
        assert_eq!(tree.to::<T>().unwrap(), value);
    }
}
