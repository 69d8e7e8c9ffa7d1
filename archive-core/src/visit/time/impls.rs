//! [`Time`] for floats, `Duration`, `Instant` and `Option`.

use std::any::Any;
use std::time::{Duration, Instant};

use super::clamp::farthest;
use super::{Restored, Time};
use crate::model::error::{Error, ErrorKind, Result};

macro_rules! seconds {
    ($($Float:ident),*) => { $(
        impl Time for $Float {
            type Clock = $Float;
            type Distance = $Float;

            fn distance(&self, now: &$Float) -> Result<$Float> {
                let distance = *self - *now;
                if self.is_finite() && !distance.is_finite() {
                    return Err(too_far(self, now));
                }
                Ok(distance)
            }
            fn restore(distance: $Float, now: &$Float) -> Restored<$Float> {
                let time = *now + distance;
                if time.is_finite() || !distance.is_finite() {
                    return Restored::Exact(time);
                }
                Restored::Clamped($Float::MAX.copysign(time))
            }
        }
    )* };
}
seconds!(f64, f32);

/// Checks that a clock of floats is finite: a distance to infinity or NaN has no meaning.
pub(super) fn check_clock<T: 'static>(now: &T) -> Result {
    let now: &dyn Any = now;
    let seconds = now.downcast_ref::<f64>().copied();
    let seconds = seconds.or_else(|| now.downcast_ref::<f32>().map(|now| f64::from(*now)));
    match seconds {
        Some(now) if !now.is_finite() => Err(no_time(now)),
        _ => Ok(()),
    }
}

#[cold]
fn no_time(now: f64) -> Error {
    let message = format_args!("the clock returned {now}, which is not a time to measure from");
    Error::new(ErrorKind::OutOfRange, message)
}

#[cold]
fn too_far(time: &dyn std::fmt::Display, now: &dyn std::fmt::Display) -> Error {
    let message = format_args!("the distance from {now} to {time} seconds does not fit a float");
    Error::new(ErrorKind::OutOfRange, message)
}

impl Time for Duration {
    type Clock = Duration;
    type Distance = i64;

    fn distance(&self, now: &Duration) -> Result<i64> {
        nanoseconds(self.checked_sub(*now), now.checked_sub(*self))
    }
    fn restore(distance: i64, now: &Duration) -> Restored<Duration> {
        let passed = Duration::from_nanos(distance.unsigned_abs());
        match distance {
            0.. => Restored::or(now.checked_add(passed), Duration::MAX),
            _ => Restored::or(now.checked_sub(passed), Duration::ZERO),
        }
    }
}

impl Time for Instant {
    type Clock = Instant;
    type Distance = i64;

    fn distance(&self, now: &Instant) -> Result<i64> {
        nanoseconds(self.checked_duration_since(*now), now.checked_duration_since(*self))
    }
    fn restore(distance: i64, now: &Instant) -> Restored<Instant> {
        farthest(*now, distance.unsigned_abs(), |passed| match distance {
            0.. => now.checked_add(passed),
            _ => now.checked_sub(passed),
        })
    }
}

/// Returns the distance in nanoseconds: positive if the time is `after` now, negative if it is
/// `before`.
fn nanoseconds(after: Option<Duration>, before: Option<Duration>) -> Result<i64> {
    let distance = match (after, before) {
        (Some(after), _) => i64::try_from(after.as_nanos()).ok(),
        (None, Some(before)) => {
            0_i64.checked_sub_unsigned(before.as_nanos().try_into().unwrap_or(u64::MAX))
        }
        (None, None) => None,
    };
    distance.ok_or_else(|| {
        let message =
            "more than 292 years from now: the distance does not fit 64 bits of nanoseconds";
        Error::new(ErrorKind::OutOfRange, message)
    })
}

impl<T: Time> Time for Option<T> {
    type Clock = T::Clock;
    type Distance = Option<T::Distance>;

    fn distance(&self, now: &T::Clock) -> Result<Option<T::Distance>> {
        self.as_ref().map(|time| time.distance(now)).transpose()
    }
    fn restore(distance: Option<T::Distance>, now: &T::Clock) -> Restored<Option<T>> {
        match distance {
            Some(distance) => T::restore(distance, now).map(Some),
            None => Restored::Exact(None),
        }
    }
}
