//! Dates and times of `jiff`: stored as the text that they print.

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Span, Timestamp, Zoned};

use super::text::Text;
use crate::model::error::{Error, ErrorKind, Result};

/// Returns the first of the texts that is read as the same value.
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
parsed! {
    Timestamp, "a timestamp", |a, b| a == b, "{}";
    // Equality compares instants: a zone without a name is restored as its offset.
    Zoned, "a date and time with a time zone", |a, b| a == b, "{}";
    Date, "a date", |a, b| a == b, "{}";
    Time, "a time of day", |a, b| a == b, "{}";
    DateTime, "a date and time", |a, b| a == b, "{}";
    Span, "a span of time", |a, b| a.fieldwise() == b.fieldwise(), "{}", "{:#}";
    SignedDuration, "a duration", |a, b| a == b, "{}";
}

text! {
    Timestamp = Timestamp::default(),
    Zoned = Zoned::default(),
    Date = Date::default(),
    Time = Time::default(),
    DateTime = DateTime::default(),
    Span = Span::default(),
    SignedDuration = SignedDuration::ZERO,
}
