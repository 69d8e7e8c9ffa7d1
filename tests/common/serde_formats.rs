//! Serde's formats, as back ends, and what each of them can do.

use std::fmt::Debug;

use archive::serde::SerdeBackend;
use archive::{Blank, Error, Format, Options, Save};

pub use super::serde_join::*;

/// Every serde format that is held to the rules of all formats.
pub fn serde_formats() -> Vec<Format> {
    let mut formats = serde_forgiving();
    formats.push(Format::of::<SerdeBackend<RmpArrays>>());
    formats.push(Format::of::<SerdeBackend<Postcard>>());
    formats
}

/// Those that find members by name, so that types may change.
pub fn serde_forgiving() -> Vec<Format> {
    vec![
        Format::of::<SerdeBackend<SerdeJson>>(),
        Format::of::<SerdeBackend<RmpNamed>>(),
        Format::of::<SerdeBackend<Cbor>>(),
        Format::of::<SerdeBackend<Ron>>(),
    ]
}

/// What cannot hold everything: see [`Toml`].
pub fn toml() -> Format {
    Format::of::<SerdeBackend<Toml>>()
}

/// Whether members are found by name.
pub fn finds_names(format: Format) -> bool {
    !["rmp_serde arrays", "postcard"].contains(&format.name())
}

/// Whether errors about values have positions: `ciborium` is read as a tree, which has none.
pub fn tells_positions(format: Format) -> bool {
    format.name() != "ciborium"
}

/// As [`has_position`](super::has_position), in the serde formats.
pub fn has_position(format: Format, error: &Error) -> bool {
    error.position().is_some() == tells_positions(format)
}

/// As [`goes_on`](super::goes_on): what is read once ends with the first error.
pub fn goes_on(format: Format) -> bool {
    format.name() != "postcard"
}

/// As [`keeps_positions`](super::keeps_positions): trees have none.
pub fn keeps_positions(_: Format) -> bool {
    false
}

/// As [`takes_announced`](super::takes_announced), in the serde formats.
pub fn takes_announced(format: Format, reserve: usize) -> bool {
    let names = ["rmp_serde named", "rmp_serde arrays", "ciborium"];
    reserve > 100 && names.contains(&format.name())
}

/// As [`round_trip`](super::round_trip), in the serde formats.
pub fn serde_round_trip<T>(value: &T)
where
    T: archive::Serialize + Save + Blank + PartialEq + Debug,
{
    serde_round_trip_with(value, &Options::new());
}

/// As [`round_trip_with`](super::round_trip_with), in the serde formats.
pub fn serde_round_trip_with<T>(value: &T, options: &Options<'_>)
where
    T: archive::Serialize + Save + Blank + PartialEq + Debug,
{
    super::round_trip_in(&serde_formats(), value, options);
    super::static_use::<SerdeBackend<SerdeJson>, T>(value, options);
}
