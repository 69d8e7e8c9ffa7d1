//! The rules of all formats, in serde's: the tests of our own formats, run over another list.
#![cfg(feature = "serde")]

#[path = "../common/mod.rs"]
mod shared;

/// What the tests take for all formats.
mod common {
    pub use crate::shared::serde_formats::{
        goes_on, has_position, serde_forgiving as forgiving, serde_formats as formats,
        serde_round_trip as round_trip, serde_round_trip_with as round_trip_with,
    };
    pub use crate::shared::*;
}

#[path = "../attributes/every_format.rs"]
mod attributes;
#[path = "../graphs/every_format.rs"]
mod graphs;
#[path = "../pointers/every_format.rs"]
mod pointers;
#[path = "../polymorphic/every_format.rs"]
mod polymorphic;
#[path = "../reports/every_format.rs"]
mod reports;
#[path = "../types/every_format.rs"]
mod types;
#[path = "../types_std_random/every_format.rs"]
mod types_std_random;
