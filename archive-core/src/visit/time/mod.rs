//! Times relative to now: [`Time`], [`Clock`], and the functions for `#[archive(with =
//! archive::time)]`.
// Why: docs/decisions/types.md#clocks-come-from-the-caller

mod clamp;
mod impls;

use crate::model::error::{Error, ErrorKind, Result};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Element;
use crate::visit::body::Body;
use crate::visit::erased::loads;
use crate::visit::serialize::Save;
use crate::visit::session::NoteKind;

/// The current time of the program that saves or loads, for [`Time`]. The caller
/// [provides](Options::provide) one for each type of clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clock<T>(pub T);

/// A point in time that is saved as its distance to a [`Clock`], and loaded at the same distance
/// from the clock of the loading program. A cooldown that has three seconds to go when the game is
/// saved has three seconds to go when it is loaded.
///
/// Hand-written functions visit such members with [`Archive::time`] and [`Archive::save_time`];
/// derived types use `#[archive(with = archive::time)]`. Both also support an `Option` of such a
/// type.
///
/// | type | measured by | stored as |
/// |---|---|---|
/// | `f64`, `f32`: seconds | `Clock<f64>`, `Clock<f32>` | the difference, as that type; infinities and NaN as they are |
/// | [`Duration`](std::time::Duration) since a start | `Clock<Duration>` | `i64` nanoseconds |
/// | [`Instant`](std::time::Instant) | `Clock<Instant>` | `i64` nanoseconds |
/// | `Option<T>` | the clock of `T` | null, or the distance |
///
/// Distances are negative for the past. Distances in whole nanoseconds are restored exactly. Saving
/// is an error ([`OutOfRange`](ErrorKind::OutOfRange)) if the distance is more than 292 years, or
/// if a float distance is not finite although both times are. A time that its type cannot represent
/// when it is loaded (a `Duration` before the start, an `Instant` before the first one of the
/// platform) becomes the nearest possible one, which is [noted](NoteKind::Clamped) in the load
/// report.
///
/// Without a clock, saving and loading return an error
/// ([`MissingContext`](ErrorKind::MissingContext)). They also do if a clock of floats is not
/// finite.
///
/// ```
/// use archive::{Archive, Options, Result, Serialize, Value};
/// use archive::time::Clock;
///
/// #[derive(Default)]
/// struct Weapon { ready_at: f64 }
///
/// impl Serialize for Weapon {
///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
///         ar.time("ready_at", &mut self.ready_at)
///     }
/// }
/// archive::blank!(Weapon);
///
/// // Saved at 100 s, three seconds before it is ready …
/// let mut weapon = Weapon { ready_at: 103.0 };
/// let saved = Value::of_with(&mut weapon, &Options::new().provide(Clock(100.0)))?;
/// assert_eq!(saved.get("ready_at"), Some(&Value::from(3.0)));
///
/// // … and loaded in a session whose clock says 5 s.
/// let weapon: Weapon = saved.to_with(&Options::new().provide(Clock(5.0)))?;
/// assert_eq!(weapon.ready_at, 8.0);
///
/// let error = saved.to::<Weapon>().err().unwrap();
/// assert_eq!(
///     error.to_string(),
///     "ready_at: no clock to measure times with: call `Options::provide(archive::time::Clock(now))`, with \
///      a `now` of type `f64`"
/// );
/// # Ok::<(), archive::Error>(())
/// ```
///
/// A type of your own:
///
/// ```
/// use archive::{Error, Result};
/// use archive::time::{Restored, Time};
///
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// struct Tick(u64);
///
/// impl Time for Tick {
///     type Clock = Tick;
///     type Distance = i64;
///
///     fn distance(&self, now: &Tick) -> Result<i64> {
///         let distance = i128::from(self.0) - i128::from(now.0);
///         i64::try_from(distance).map_err(|_| Error::custom("too far away"))
///     }
///     fn restore(distance: i64, now: &Tick) -> Restored<Tick> {
///         let nearest = now.0.saturating_add_signed(distance);
///         Restored::or(now.0.checked_add_signed(distance), nearest).map(Tick)
///     }
/// }
/// assert_eq!(Tick::restore(-3, &Tick(2)), Restored::Clamped(Tick(0)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a point in time",
    label = "has no `archive::time::Time`",
    note = "`archive::time` is for `f64` and `f32` seconds, `Duration`, `Instant`, an `Option` of these, and types with `archive::time::Time`"
)]
pub trait Time: Sized {
    /// The type of `now` in the [`Clock`] that the time is measured by. Often the type itself.
    type Clock: 'static;
    /// The type that is stored.
    type Distance: Element + Save;

    /// Returns the distance of the time from `now`; it is negative for the past.
    ///
    /// # Errors
    /// Returns an error if the distance cannot be expressed.
    fn distance(&self, now: &Self::Clock) -> Result<Self::Distance>;

    /// Returns the time at that distance from `now`, or the nearest possible one.
    fn restore(distance: Self::Distance, now: &Self::Clock) -> Restored<Self>;
}

/// A value that was loaded, and whether it is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Restored<T> {
    /// The exact value.
    Exact(T),
    /// The nearest possible value, because the exact one cannot be represented:
    /// [`NoteKind::Clamped`].
    Clamped(T),
}

impl<T> Restored<T> {
    /// Returns `exact` if it is a value, and otherwise `nearest` as clamped.
    pub fn or(exact: Option<T>, nearest: T) -> Self {
        exact.map_or(Restored::Clamped(nearest), Restored::Exact)
    }

    /// Converts the value with `make`.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Restored<U> {
        match self {
            Restored::Exact(value) => Restored::Exact(make(value)),
            Restored::Clamped(value) => Restored::Clamped(make(value)),
        }
    }

    /// Returns the value, exact or not.
    pub fn get(self) -> T {
        match self {
            Restored::Exact(value) | Restored::Clamped(value) => value,
        }
    }
}

/// Returns the distance to the clock, for `#[archive(with = archive::time)]`.
///
/// # Errors
/// Errors of [`Time::distance`]; [`ErrorKind::MissingContext`] without a clock.
pub fn save<T: Time>(value: &T, options: &Options<'_>) -> Result<T::Distance> {
    value.distance(now::<T>(options)?)
}

/// Returns the time at a distance from the clock, for `#[archive(with = archive::time)]`.
///
/// # Errors
/// [`ErrorKind::MissingContext`] without a clock.
pub fn load<T: Time>(distance: T::Distance, options: &Options<'_>) -> Result<T> {
    let restored = T::restore(distance, now::<T>(options)?);
    if matches!(restored, Restored::Clamped(_)) {
        options.clamped.set(true);
    }
    Ok(restored.get())
}

fn now<'o, T: Time>(options: &'o Options<'_>) -> Result<&'o T::Clock> {
    match options.context::<Clock<T::Clock>>() {
        Some(Clock(now)) => impls::check_clock(now).map(|()| now),
        None => Err(no_clock(std::any::type_name::<T::Clock>())),
    }
}

#[cold]
fn no_clock(name: &str) -> Error {
    Error::new(
        ErrorKind::MissingContext,
        format_args!(
            "no clock to measure times with: call `Options::provide(archive::time::Clock(now))`, with a `now` of type \
             `{name}`"
        ),
    )
}

/// A [`Body`] that visits a time.
pub(crate) struct TimeOf<'a, T>(pub(crate) &'a mut T);

impl<T: Time> Body for TimeOf<'_, T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return SavedTimeOf(&*self.0).run(ar);
        }
        // If there is no clock, that is the error, for any value in the file.
        now::<T>(ar.options())?;
        let distance = T::Distance::load_element(ar)?;
        *self.0 = noting_clamped(ar, |options| load(distance, options))?;
        Ok(())
    }
}

/// Creates a value, and adds a note if a [`load`] inside `make` had to clamp.
pub(crate) fn noting_clamped<A: Archive, T>(
    ar: &mut A,
    make: impl FnOnce(&Options<'_>) -> Result<T>,
) -> Result<T> {
    // A function outside any load may have set it.
    ar.options().clamped.set(false);
    let value = make(ar.options())?;
    if ar.options().clamped.take() {
        ar.session_mut().note(NoteKind::Clamped);
    }
    Ok(value)
}

/// A [`Body`] that saves a time through a shared reference.
pub(crate) struct SavedTimeOf<'a, T>(pub(crate) &'a T);

impl<T: Time> Body for SavedTimeOf<'_, T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        save(self.0, ar.options())?.save_value(ar)
    }
}
