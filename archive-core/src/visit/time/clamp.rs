//! [`farthest`]: finds the nearest possible time, for types that do not provide their first and
//! last time.

use std::time::Duration;

use super::Restored;

/// Returns the time at that distance in nanoseconds, or else the farthest one before it that `at`
/// can create.
pub(super) fn farthest<T>(
    now: T,
    nanoseconds: u64,
    at: impl Fn(Duration) -> Option<T>,
) -> Restored<T> {
    let at = |nanoseconds| at(Duration::from_nanos(nanoseconds));
    if let Some(time) = at(nanoseconds) {
        return Restored::Exact(time);
    }
    let (mut found, mut reached, mut refused) = (now, 0, nanoseconds);
    while refused - reached > 1 {
        let middle = reached + (refused - reached) / 2;
        match at(middle) {
            Some(time) => (found, reached) = (time, middle),
            None => refused = middle,
        }
    }
    Restored::Clamped(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_time_is_found() {
        let now = Duration::from_nanos(1_000_000_007);
        let back = |nanoseconds| farthest(now, nanoseconds, |passed| now.checked_sub(passed));
        assert_eq!(back(7), Restored::Exact(Duration::from_secs(1)));
        assert_eq!(back(1_000_000_007), Restored::Exact(Duration::ZERO));
        for nanoseconds in [1_000_000_008, 1_000_000_009, 1 << 40, 1 << 63, u64::MAX] {
            assert_eq!(back(nanoseconds), Restored::Clamped(Duration::ZERO));
        }
        assert_eq!(farthest(5, 1, |_| None), Restored::Clamped(5));
        assert_eq!(farthest(5, 0, |_| None), Restored::Clamped(5));
    }
}
