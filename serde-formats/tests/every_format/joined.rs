//! The helpers of the tests of all formats, for serde's: on trait objects, so that types are not
//! compiled for the built-in formats as well.

use std::fmt;

use archive::{Blank, Error, Options, Save, Serialize};

pub use crate::shared::erased::Format;
use crate::shared::{self, serde_formats as joined};

/// As [`shared::LONG`]: more than fits on the stack, in formats that are slow without optimization.
pub const LONG: u32 = 20_000;

fn wrapped(formats: Vec<archive::Format>) -> Vec<Format> {
    formats.into_iter().map(Format::from).collect()
}

fn unwrapped(format: Format) -> archive::Format {
    format.into()
}

pub fn formats() -> Vec<Format> {
    wrapped(joined::serde_formats())
}
pub fn forgiving() -> Vec<Format> {
    wrapped(joined::serde_forgiving())
}
pub fn each_once() -> Vec<Format> {
    forgiving()
}
pub fn forgives(format: Format) -> bool {
    joined::finds_names(unwrapped(format))
}
pub fn has_position(format: Format, error: &Error) -> bool {
    joined::has_position(unwrapped(format), error)
}
pub fn open_for_each_level() -> u64 {
    joined::open_for_each_level()
}
pub fn keeps_going(format: Format) -> bool {
    joined::keeps_going(unwrapped(format))
}
pub fn keeps_unknown(format: Format) -> bool {
    joined::keeps_unknown(unwrapped(format))
}
pub fn places_agree(format: Format) -> bool {
    joined::places_agree(unwrapped(format))
}
pub fn names_wrong_types(format: Format) -> bool {
    joined::names_wrong_types(unwrapped(format))
}
pub fn distinguishes_f32(format: Format) -> bool {
    joined::distinguishes_f32(unwrapped(format))
}

/// As [`shared::round_trip`], in the serde formats.
pub fn round_trip<T>(value: &T)
where
    T: Serialize + Save + Blank + PartialEq + fmt::Debug,
{
    round_trip_with(value, &Options::new());
}

/// As [`shared::round_trip_with`], in the serde formats.
pub fn round_trip_with<T>(value: &T, options: &Options<'_>)
where
    T: Serialize + Save + Blank + PartialEq + fmt::Debug,
{
    shared::round_trip_in(&formats(), value, options);
}
