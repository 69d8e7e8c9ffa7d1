//! Dates and times of `chrono`: stored as the text that chrono's serde support writes, or as longer
//! text if that text would lose something.

use chrono::{
    DateTime, FixedOffset, Local, Month, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat,
    TimeDelta, Utc, Weekday,
};

use super::text::Text;
use crate::model::error::{Error, ErrorKind, Result};
use crate::stored_as;

/// Returns the text, if it loads as the same value.
fn checked<T: Text>(text: String, same: impl FnOnce(&T) -> bool) -> Result<String> {
    match T::read(&text) {
        Ok(read) if same(&read) => Ok(text),
        _ => Err(lossy(T::WHAT, &text)),
    }
}

#[cold]
fn lossy(what: &str, text: &str) -> Error {
    let message = format_args!("{what} like this one has no exact text form; nearest: {text:?}");
    Error::new(ErrorKind::Unsupported, message)
}

impl Text for DateTime<FixedOffset> {
    const WHAT: &'static str = "a date and time with an offset";

    fn print(&self) -> Result<String> {
        let Some(local) = self.naive_utc().checked_add_offset(*self.offset()) else {
            return Err(lossy(Self::WHAT, &format!("{:?}Z", self.naive_utc())));
        };
        let text = if self.offset().local_minus_utc() % 60 == 0 {
            self.to_rfc3339_opts(SecondsFormat::AutoSi, true)
        } else {
            format!("{local:?}{}", self.offset())
        };
        checked(text, |read: &Self| read == self && read.offset() == self.offset())
    }

    fn read(text: &str) -> Result<Self, String> {
        // An offset with seconds: `…+00:09:21`.
        if let Some(at) = text.len().checked_sub(9)
            && let Some((local, offset)) = text.split_at_checked(at)
            && let Some(offset) = offset_with_seconds(offset)
        {
            let local: NaiveDateTime = NaiveDateTime::read(local)?;
            let utc = local.checked_sub_offset(offset).ok_or("out of range")?;
            return Ok(DateTime::from_naive_utc_and_offset(utc, offset));
        }
        text.parse().map_err(|error: chrono::ParseError| error.to_string())
    }
}

impl Text for DateTime<Utc> {
    const WHAT: &'static str = "a date and time with an offset";

    fn print(&self) -> Result<String> {
        self.fixed_offset().print()
    }
    fn read(text: &str) -> Result<Self, String> {
        DateTime::<FixedOffset>::read(text).map(|time| time.with_timezone(&Utc))
    }
}

impl Text for DateTime<Local> {
    const WHAT: &'static str = "a date and time with an offset";

    fn print(&self) -> Result<String> {
        self.fixed_offset().print()
    }
    fn read(text: &str) -> Result<Self, String> {
        DateTime::<FixedOffset>::read(text).map(|time| time.with_timezone(&Local))
    }
}

impl Text for FixedOffset {
    const WHAT: &'static str = "an offset from UTC";

    fn print(&self) -> Result<String> {
        Ok(self.to_string())
    }
    fn read(text: &str) -> Result<Self, String> {
        if let Some(offset) = offset_with_seconds(text) {
            return Ok(offset);
        }
        text.parse().map_err(|error: chrono::ParseError| error.to_string())
    }
}

/// Parses an offset with seconds, such as `+00:09:21`.
fn offset_with_seconds(text: &str) -> Option<FixedOffset> {
    let number = |tens: u8, ones: u8| {
        let digit = |byte: u8| char::from(byte).to_digit(10);
        Some((digit(tens)? * 10 + digit(ones)?) as i32)
    };
    let [sign @ (b'+' | b'-'), h, hh, b':', m, mm, b':', s, ss] = *text.as_bytes() else {
        return None;
    };
    let (minutes, seconds) = (number(m, mm)?, number(s, ss)?);
    if minutes > 59 || seconds > 59 {
        return None;
    }
    let seconds = (number(h, hh)? * 60 + minutes) * 60 + seconds;
    FixedOffset::east_opt(if sign == b'-' { -seconds } else { seconds })
}

/// Implements [`Text`] for types whose own text is correct for every value except misplaced leap
/// seconds.
macro_rules! parsed {
    ($($ty:ty, $what:literal, $text:literal;)*) => { $(
        impl Text for $ty {
            const WHAT: &'static str = $what;

            fn print(&self) -> Result<String> {
                checked(format!($text, self), |read: &Self| read == self)
            }
            fn read(text: &str) -> Result<Self, String> {
                text.parse().map_err(|error: <$ty as std::str::FromStr>::Err| error.to_string())
            }
        }
    )* };
}
parsed! {
    NaiveDate, "a date", "{:?}";
    NaiveTime, "a time of day", "{:?}";
    NaiveDateTime, "a date and time", "{:?}";
    Weekday, "a day of the week", "{}";
}

impl Text for Month {
    const WHAT: &'static str = "a month";

    fn print(&self) -> Result<String> {
        Ok(self.name().to_owned())
    }
    fn read(text: &str) -> Result<Self, String> {
        text.parse().map_err(|error: chrono::ParseMonthError| error.to_string())
    }
}

text! {
    DateTime<Utc> = DateTime::default(),
    DateTime<FixedOffset> = DateTime::default(),
    DateTime<Local> = DateTime::default(),
    NaiveDate = NaiveDate::default(),
    NaiveTime = NaiveTime::default(),
    NaiveDateTime = NaiveDateTime::default(),
    FixedOffset = DateTime::<FixedOffset>::default().offset().to_owned(),
    Month = Month::January,
    Weekday = Weekday::Mon,
}

stored_as! {
    TimeDelta as (i64, i32) {
        // For a negative span too, the nanoseconds count up from the second before.
        save: |span| Ok(match (span.num_seconds(), span.subsec_nanos()) {
            (seconds, nanos) if nanos < 0 => (seconds - 1, nanos + 1_000_000_000),
            whole => whole,
        }),
        load: |(seconds, nanos)| {
            let whole = u32::try_from(nanos).ok().and_then(|nanos| TimeDelta::new(seconds, nanos));
            whole.ok_or_else(|| {
                let message = format_args!(
                    "{seconds} seconds and {nanos} nanoseconds do not fit a span of time"
                );
                Error::new(ErrorKind::OutOfRange, message)
            })
        },
        blank: |_| TimeDelta::zero(),
        meaning: "a span of time",
    }
}
