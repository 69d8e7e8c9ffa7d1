//! Serde's formats as backends, and their properties.

use archive::serde_formats::SerdeBackend;
use archive::{Error, Format};

use super::EachBackend;
pub use super::serde_join::*;

/// Every serde format that follows the rules of all formats.
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

/// The format that cannot represent everything: see [`Toml`].
pub fn toml() -> Format {
    Format::of::<SerdeBackend<Toml>>()
}

/// As [`each_backend`](super::each_backend), in the serde formats.
pub fn serde_each_backend(visitor: &mut impl EachBackend) {
    visitor.visit::<SerdeBackend<SerdeJson>>();
    visitor.visit::<SerdeBackend<RmpNamed>>();
    visitor.visit::<SerdeBackend<Cbor>>();
    visitor.visit::<SerdeBackend<Ron>>();
}

/// Whether members are found by name.
pub fn finds_names(format: Format) -> bool {
    !["rmp_serde arrays", "postcard"].contains(&format.name())
}

/// Whether errors about values have positions: `ciborium` is read as a tree, which has none.
pub fn has_value_positions(format: Format) -> bool {
    format.name() != "ciborium"
}

/// As [`has_position`](super::has_position), in the serde formats.
pub fn has_position(format: Format, error: &Error) -> bool {
    error.position().is_some() == has_value_positions(format)
}

/// As [`keeps_going`](super::keeps_going): a format that is read once ends with the first error.
pub fn keeps_going(format: Format) -> bool {
    format.name() != "postcard"
}

/// As [`keeps_positions`](super::keeps_positions), in the serde formats.
pub fn keeps_positions(format: Format) -> bool {
    has_value_positions(format)
}

/// As [`places_agree`](super::places_agree): in a tree it is found where a value begins.
pub fn places_agree(_: Format) -> bool {
    false
}

/// As [`open_for_each_level`](super::open_for_each_level), in the serde formats.
pub fn open_for_each_level() -> u64 {
    1
}

/// As [`names_wrong_types`](super::names_wrong_types): if types are not in the file, text is read as a number.
pub fn names_wrong_types(format: Format) -> bool {
    format.name() != "postcard"
}

/// As [`keeps_unknown`](super::keeps_unknown): formats that load only the saved type cannot.
pub fn keeps_unknown(format: Format) -> bool {
    format.name() != "postcard"
}

/// As [`distinguishes_f32`](super::distinguishes_f32): `ciborium` returns every float as an `f64`.
pub fn distinguishes_f32(format: Format) -> bool {
    format.name() != "ciborium"
}

/// As [`takes_announced`](super::takes_announced), in the serde formats.
pub fn takes_announced(format: Format, reserve: usize) -> bool {
    let names = ["rmp_serde named", "rmp_serde arrays", "ciborium"];
    reserve > 100 && names.contains(&format.name())
}
