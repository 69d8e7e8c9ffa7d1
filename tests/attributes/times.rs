//! Times relative to now: `ar.time`, `ar.save_time`, `#[archive(with = archive::time)]`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::common::{Format, forgives, forgiving, formats};
use archive::time::{Clock, Restored, Time};
use archive::{Archive, Error, ErrorKind, Options, Result, Save, Serialize, Value, json};

/// A time of its own, with a clock of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tick(u64);

impl Time for Tick {
    type Clock = Tick;
    type Distance = i64;

    fn distance(&self, now: &Tick) -> Result<i64> {
        let distance = i128::from(self.0) - i128::from(now.0);
        i64::try_from(distance).map_err(|_| Error::custom("too far away"))
    }
    fn restore(distance: i64, now: &Tick) -> Restored<Tick> {
        let nearest = now.0.saturating_add_signed(distance);
        Restored::or(now.0.checked_add_signed(distance), nearest).map(Tick)
    }
}

/// By hand.
#[derive(Debug, PartialEq, Clone)]
struct Times {
    f64: f64,
    f32: f32,
    duration: Duration,
    instant: Option<Instant>,
    tick: Tick,
    options: (Option<f64>, Option<Duration>),
}

impl Default for Times {
    fn default() -> Self {
        Times {
            f64: 0.0,
            f32: 0.0,
            duration: Duration::ZERO,
            instant: None,
            tick: Tick(0),
            options: (None, None),
        }
    }
}

impl Serialize for Times {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.time("f64", &mut self.f64)?;
        ar.time("f32", &mut self.f32)?;
        ar.time("duration", &mut self.duration)?;
        ar.time("instant", &mut self.instant)?;
        ar.time("tick", &mut self.tick)?;
        ar.time("one", &mut self.options.0)?;
        ar.time("two", &mut self.options.1)
    }
}
impl Save for Times {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.save_time("f64", &self.f64)?;
        ar.save_time("f32", &self.f32)?;
        ar.save_time("duration", &self.duration)?;
        ar.save_time("instant", &self.instant)?;
        ar.save_time("tick", &self.tick)?;
        ar.save_time("one", &self.options.0)?;
        ar.save_time("two", &self.options.1)
    }
}
archive::blank!(Times);

/// The same, derived.
#[derive(Debug, PartialEq, Clone, Serialize)]
struct Derived {
    #[archive(with = archive::time)]
    f64: f64,
    #[archive(with = archive::time)]
    f32: f32,
    #[archive(with = archive::time)]
    duration: Duration,
    #[archive(with = archive::time)]
    instant: Option<Instant>,
    #[archive(with = archive::time)]
    tick: Tick,
    #[archive(with = archive::time)]
    one: Option<f64>,
    #[archive(with = archive::time)]
    two: Option<Duration>,
}

impl From<Times> for Derived {
    fn from(times: Times) -> Self {
        let Times { f64, f32, duration, instant, tick, options: (one, two) } = times;
        Derived { f64, f32, duration, instant, tick, one, two }
    }
}

/// The nanoseconds in a step of an `Instant`.
const STEP: i64 = if cfg!(windows) { 100 } else { 1 };

/// The clocks of a session that has run for this many seconds.
fn session(start: Instant, seconds: u32) -> Options<'static> {
    let passed = Duration::from_secs(seconds.into());
    Options::new()
        .provide(Clock(f64::from(seconds)))
        .provide(Clock(seconds as f32))
        .provide(Clock(passed))
        .provide(Clock(start + passed))
        .provide(Clock(Tick(u64::from(seconds) * 60)))
}

/// Times before and after the present time of such a session.
fn times(start: Instant, seconds: u32) -> Times {
    let now = f64::from(seconds);
    let passed = Duration::from_secs(seconds.into());
    Times {
        f64: now + 3.0,
        f32: seconds as f32 - 2.5,
        duration: passed + Duration::new(1, 999_999_999),
        instant: Some(start + passed - Duration::from_nanos(STEP as u64)),
        tick: Tick(u64::from(seconds) * 60 - 7),
        options: (Some(now - 1.0), None),
    }
}

/// Everything is in something: containers, shared cells, maps.
#[derive(Default, Debug, PartialEq, Serialize)]
struct Around<T> {
    list: Vec<T>,
    map: BTreeMap<u8, T>,
    shared: Option<Rc<RefCell<Times>>>,
}

#[test]
fn times_keep_their_distance_in_every_format() {
    // Long enough after the earliest time that the clock can go back.
    let start = Instant::now() + Duration::from_secs(1000);
    let around = |times: Times| Around {
        list: vec![Derived::from(times.clone())],
        map: [(1, times.clone().into())].into(),
        shared: Some(Rc::new(RefCell::new(times))),
    };
    let (old, new) = (session(start, 100), session(start, 5));
    let value = around(times(start, 100));
    crate::common::round_trip_with(&times(start, 100), &old);
    for format in formats() {
        let bytes = format.to_vec_with(&value, &old).unwrap();
        let (loaded, report) = format.from_slice_report::<Around<Derived>>(&bytes, &new).unwrap();
        assert_eq!(loaded, around(times(start, 5)), "{format}");
        assert!(report.is_empty(), "{format}: {report}");
        let mut again = around(times(start, 100));
        format.load_into_with(&mut crate::common::Erased(&mut again), &bytes, &new).unwrap();
        assert_eq!(again, loaded, "{format}: through erased()");
        // Both forms are one file.
        if !forgives(format) {
            continue;
        }
        let by_hand = format.to_vec_with(&times(start, 100), &old).unwrap();
        let derived: Derived = format.from_slice_with(&by_hand, &new).unwrap();
        assert_eq!(derived, times(start, 5).into(), "{format}");
    }
}

#[test]
fn stored_times() {
    let start = Instant::now() + Duration::from_secs(1000);
    let text = json::to_string_with(&times(start, 100), &session(start, 100)).unwrap();
    assert_eq!(
        text,
        format!(
            "{{\"f64\":3.0,\"f32\":-2.5,\"duration\":1999999999,\"instant\":-{STEP},\"tick\":-7,\
             \"one\":-1.0,\"two\":null}}"
        )
    );
    let derived = Derived::from(times(start, 100));
    assert_eq!(json::to_string_with(&derived, &session(start, 100)).unwrap(), text);
}

#[derive(Debug, Serialize)]
struct Holder<T: Time> {
    #[archive(with = archive::time)]
    at: T,
}

impl<T: Time + Default> Default for Holder<T> {
    fn default() -> Self {
        Holder { at: T::default() }
    }
}

/// Saves a time by one clock and loads it by another.
fn move_time<T: Time + Default>(format: Format, at: T, old: T::Clock, new: T::Clock) -> (T, bool)
where
    T::Clock: Sized,
{
    let bytes = format.to_vec_with(&Holder { at }, &Options::new().provide(Clock(old))).unwrap();
    let options = Options::new().provide(Clock(new));
    let (holder, report) = format.from_slice_report::<Holder<T>>(&bytes, &options).unwrap();
    let clamped: Vec<&str> = report.clamped().collect();
    assert!(matches!(clamped[..], [] | ["at"]), "{format}: {clamped:?}");
    assert_eq!(report.notes().len(), clamped.len(), "{format}: {report}");
    (holder.at, !clamped.is_empty())
}

#[test]
fn floats_of_all_kinds() {
    for format in formats() {
        for odd in [f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(move_time(format, odd, 100.0, 5.0), (odd, false), "{format}");
            assert_eq!(move_time(format, odd as f32, 100.0, 5.0), (odd as f32, false), "{format}");
        }
        assert!(move_time(format, f64::NAN, 100.0, 5.0).0.is_nan(), "{format}");
        assert!(move_time(format, f32::NAN, 100.0, 5.0).0.is_nan(), "{format}");
        assert_eq!(move_time(format, -3.0, 0.0, 1.0), (-2.0, false), "{format}");
        assert_eq!(move_time(format, 5e-324, 0.0, 0.0), (5e-324, false), "{format}");
        assert_eq!(move_time(format, f64::MAX, 0.0, 0.0), (f64::MAX, false), "{format}");
        // Beyond the range of the type.
        assert_eq!(move_time(format, f64::MAX, 0.0, f64::MAX), (f64::MAX, true), "{format}");
        assert_eq!(move_time(format, f64::MIN, 0.0, f64::MIN), (f64::MIN, true), "{format}");
        assert_eq!(move_time(format, f32::MIN, 0.0, f32::MIN), (f32::MIN, true), "{format}");

        let save = |at: f64, now: f64| {
            let options = Options::new().provide(Clock(now));
            format.to_vec_with(&Holder { at }, &options).unwrap_err()
        };
        let error = save(f64::MAX, -f64::MAX);
        assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "at"), "{format}");
        for now in [f64::NAN, f64::INFINITY] {
            let error = save(1.0, now);
            assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "at"), "{format}");
            assert!(error.message().starts_with("the clock returned "), "{error}");
            let bytes =
                format.to_vec_with(&Holder { at: 1.0 }, &Options::new().provide(Clock(0.0)));
            let options = Options::new().provide(Clock(now));
            let error = format.from_slice_with::<Holder<f64>>(&bytes.unwrap(), &options);
            assert_eq!(error.unwrap_err().kind(), ErrorKind::OutOfRange, "{format}");
        }
    }
}

#[test]
fn durations_are_exact_and_clamped_at_the_start() {
    let nanos = Duration::from_nanos;
    for format in formats() {
        let to = |at, old, new| move_time(format, at, old, new);
        assert_eq!(to(nanos(1), nanos(3), nanos(2)), (Duration::ZERO, false), "{format}");
        assert_eq!(to(nanos(0), nanos(3), nanos(2)), (Duration::ZERO, true), "{format}");
        let (long, most) = (Duration::from_secs(1 << 40), nanos(i64::MAX as u64));
        assert_eq!(to(long + nanos(1), long, nanos(7)), (nanos(8), false), "{format}");
        assert_eq!(to(long + most, long, Duration::ZERO), (most, false), "{format}");
        assert_eq!(to(most, Duration::ZERO, Duration::MAX), (Duration::MAX, true), "{format}");
        assert_eq!(to(Duration::MAX, Duration::MAX, nanos(9)), (nanos(9), false), "{format}");
        let back = nanos(1 << 63);
        assert_eq!(to(nanos(5), back + nanos(5), back), (Duration::ZERO, false), "{format}");
        for (at, now) in [
            (Duration::ZERO, nanos((1 << 63) + 1)),
            (nanos(1 << 63), Duration::ZERO),
            (Duration::ZERO, Duration::MAX),
            (Duration::MAX, Duration::ZERO),
        ] {
            let options = Options::new().provide(Clock(now));
            let error = format.to_vec_with(&Holder { at }, &options).unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "at"), "{format}");
            assert!(error.message().contains("292 years"), "{error}");
        }
        assert_eq!(move_time(format, Tick(1), Tick(3), Tick(1)), (Tick(0), true), "{format}");
        assert_eq!(
            move_time(format, Some(nanos(0)), nanos(3), nanos(2)),
            (Some(Duration::ZERO), true),
            "{format}"
        );
        assert_eq!(move_time(format, None::<Duration>, nanos(3), nanos(2)), (None, false));
    }
}

/// Every `Instant` that is possible here is restored exactly, or clamped and noted.
#[test]
fn instants_never_panic() {
    let now = Instant::now();
    for format in formats() {
        for distance in [i64::MIN, -(1 << 62), -1, 0, 1, 1 << 62, i64::MAX] {
            let bytes = format.to_vec(&Distance { at: distance }).unwrap();
            let options = Options::new().provide(Clock(now));
            let (at, report) = format.from_slice_report::<At>(&bytes, &options).unwrap();
            let passed = Duration::from_nanos(distance.unsigned_abs());
            let exact =
                if distance < 0 { now.checked_sub(passed) } else { now.checked_add(passed) };
            assert_eq!(report.clamped().count(), usize::from(exact.is_none()), "{format}");
            assert!(exact.is_none_or(|exact| exact == at.at), "{format}");
            if exact.is_some() {
                let kept = distance / STEP * STEP;
                assert_eq!(format.to_vec_with(&at, &options).unwrap(), bytes_of(format, kept));
            }
        }
    }
}

#[derive(Serialize)]
struct Distance {
    at: i64,
}

#[derive(Serialize)]
struct At {
    #[archive(with = archive::time, default = Instant::now())]
    at: Instant,
}

/// The file without the name of a type in it: that of `At`.
fn bytes_of(format: Format, distance: i64) -> Vec<u8> {
    let now = Instant::now();
    let options = Options::new().provide(Clock(now));
    let passed = Duration::from_nanos(distance.unsigned_abs());
    let at = if distance < 0 { now - passed } else { now + passed };
    format.to_vec_with(&At { at }, &options).unwrap()
}

#[test]
fn without_a_clock_the_error_says_what_to_write() {
    let clock = Options::new().provide(Clock(Duration::ZERO));
    for format in formats() {
        let holder = Holder { at: Some(Duration::ZERO) };
        let bytes = format.to_vec_with(&holder, &clock).unwrap();
        for error in [
            format.to_vec(&holder).unwrap_err(),
            format.from_slice::<Holder<Option<Duration>>>(&bytes).unwrap_err(),
            // A clock of another type does not count.
            format.to_vec_with(&holder, &Options::new().provide(Clock(1.0))).unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.path()), (ErrorKind::MissingContext, "at"), "{format}");
            assert_eq!(
                error.message(),
                "no clock to measure times with: call `Options::provide(archive::time::Clock(now))`, with \
                 a `now` of type `core::time::Duration`",
                "{format}"
            );
        }
        // Whether there is a time or not: otherwise the error would occur later.
        let error = format.to_vec(&Holder { at: None::<Duration> }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MissingContext, "{format}");
        let error = format.to_vec(&Times::default()).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::MissingContext, "f64"), "{format}");
    }
}

#[test]
fn a_member_that_is_absent_keeps_its_time() {
    let clock = Options::new().provide(Clock(3.0));
    let mut holder = Holder { at: 7.0 };
    json::load_into_with(&mut holder, b"{}", &clock).unwrap();
    assert_eq!(holder.at, 7.0);
    let error = json::from_str_with::<Holder<f64>>(r#"{"at":"soon"}"#, &clock).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "at"));
    // Other numbers work, too.
    let holder: Holder<f64> = json::from_str_with(r#"{"at":4}"#, &clock).unwrap();
    assert_eq!(holder.at, 7.0);
}

/// A note in one field is not repeated in the next one.
#[test]
fn notes_are_where_they_belong() {
    #[derive(Default, Serialize)]
    struct Three {
        list: Vec<Holder<Duration>>,
        #[archive(with = archive::time)]
        later: Duration,
        #[archive(with = archive::time)]
        clamped: Duration,
        #[archive(with = plain)]
        plain: String,
    }
    /// Another module.
    mod plain {
        #[allow(clippy::ptr_arg)] // what a field of that type is saved by
        pub fn save(text: &String) -> archive::Result<String> {
            Ok(text.to_owned())
        }
        pub fn load(text: String) -> archive::Result<String> {
            Ok(text)
        }
    }
    let tree: Value = json::from_str(
        r#"{"list":[{"at":1},{"at":-2},{"at":-1}],"later":5,"clamped":-2,"plain":"x"}"#,
    )
    .unwrap();
    let options = Options::new().provide(Clock(Duration::from_nanos(1)));
    for format in forgiving() {
        let bytes = format.to_vec(&tree).unwrap();
        let (three, report) = format.from_slice_report::<Three>(&bytes, &options).unwrap();
        assert_eq!(
            report.to_string(),
            "list[1].at: clamped to the range of its type\nclamped: clamped to the range of its type\n",
            "{format}"
        );
        assert_eq!(report.clamped().collect::<Vec<_>>(), ["list[1].at", "clamped"], "{format}");
        assert_eq!((three.later, &*three.plain), (Duration::from_nanos(6), "x"), "{format}");
    }
}

/// That is a mistake of the caller, not of the file: `keep_going` does not report it for each
/// value.
#[test]
fn a_missing_clock_ends_a_load_that_keeps_going() {
    #[derive(Debug, Default, Serialize)]
    struct Unit {
        #[archive(with = archive::time)]
        ready_at: f64,
    }
    let clocked = Options::new().provide(Clock(100.0_f64));
    for format in formats() {
        let bytes = format.to_vec_with(&vec![Unit { ready_at: 103.0 }], &clocked).unwrap();
        let options = Options::new().keep_going(true);
        let error = format.from_slice_report::<Vec<Unit>>(&bytes, &options).unwrap_err();
        let found = (error.kind(), error.path());
        assert_eq!(found, (ErrorKind::MissingContext, "[0].ready_at"), "{format}: {error}");
    }
}
