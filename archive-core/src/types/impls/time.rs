//! `Duration`: stored as an object with whole seconds and nanoseconds, as serde writes it.
//! `SystemTime`: stored in the same form, counted from 1970. Before 1970 the seconds are negative,
//! and the nanoseconds count forward from them, so half a second before 1970 is -1 and 500,000,000.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{Class, Meaning, NameOf, Shape};
use crate::types::derive::Named;
use crate::visit::blank::Element;
use crate::{members, stored_as};

/// Whole seconds, and the remaining nanoseconds.
struct Time<S> {
    secs: S,
    nanos: u32,
}
members!(impl<S> Time<S> { secs, nanos });

const SECOND: u32 = 1_000_000_000;

const fn class<S: Element>(
    name: &'static str,
    type_name: fn() -> &'static str,
    meaning: Meaning,
) -> Class {
    let members = Some(<Time<S> as Named<0>>::MEMBERS);
    let size = <Time<S> as Named<0>>::CLASS.size;
    Class { name, type_name: NameOf::Type(type_name), version: 0, members, size, meaning }
}

stored_as! {
    Duration as Time<u64> {
        save: |value| Ok(Time { secs: value.as_secs(), nanos: value.subsec_nanos() }),
        load: |time| Ok(Duration::new(time.secs, part(time.nanos)?)),
        blank: |_| Duration::ZERO,
        shape: {
            const CLASS: &Class = &class::<u64>("Duration", std::any::type_name::<Duration>, "a duration");
            &Shape::Class(CLASS)
        },
    }
    SystemTime as Time<i64> {
        save: since_1970,
        load: moment,
        blank: |_| UNIX_EPOCH,
        shape: {
            const CLASS: &Class = &class::<i64>("SystemTime", std::any::type_name::<SystemTime>, "a point in time");
            &Shape::Class(CLASS)
        },
    }
}

/// Checks that nanoseconds are less than a second.
fn part(nanos: u32) -> Result<u32> {
    if nanos < SECOND { Ok(nanos) } else { Err(too_many(nanos)) }
}

#[cold]
fn too_many(nanos: u32) -> Error {
    let message = format_args!("{nanos} nanoseconds do not fit a second");
    Error::new(ErrorKind::OutOfRange, message)
}

fn since_1970(value: &SystemTime) -> Result<Time<i64>> {
    let (secs, nanos) = match value.duration_since(UNIX_EPOCH) {
        Ok(after) => (i128::from(after.as_secs()), after.subsec_nanos()),
        Err(error) => {
            let before = error.duration();
            match before.subsec_nanos() {
                0 => (-i128::from(before.as_secs()), 0),
                nanos => (-i128::from(before.as_secs()) - 1, SECOND - nanos),
            }
        }
    };
    let secs = i64::try_from(secs).map_err(|_| beyond(secs, "64 bits"))?;
    Ok(Time { secs, nanos })
}

fn moment(time: Time<i64>) -> Result<SystemTime> {
    let nanos = Duration::new(0, part(time.nanos)?);
    let secs = Duration::from_secs(time.secs.unsigned_abs());
    let second = match time.secs {
        0.. => UNIX_EPOCH.checked_add(secs),
        _ => UNIX_EPOCH.checked_sub(secs),
    };
    second
        .and_then(|second| second.checked_add(nanos))
        .ok_or_else(|| beyond(time.secs.into(), "`SystemTime` on this machine"))
}

#[cold]
fn beyond(secs: i128, what: &str) -> Error {
    let message = format_args!("{secs} seconds from 1970 do not fit {what}");
    Error::new(ErrorKind::OutOfRange, message)
}
