//! Schemas accept written values: those of the format tests, whose round trip passes a validator
//! here.

use archive_test_support as shared;

mod judged;
mod refuses;

/// The helpers that the tests of all formats use.
mod common {
    pub use crate::judged::{round_trip, round_trip_with};
    pub use crate::shared::*;
}

#[path = "../../../../tests/types/cells.rs"]
mod cells;
#[path = "../../../../tests/attributes/derive/mod.rs"]
mod derive;
#[path = "../../../../tests/types/derived.rs"]
mod derived;
#[path = "../../../../tests/types/every_type.rs"]
mod every_type;
#[path = "../../../../tests/types/foreign.rs"]
mod foreign;
#[path = "../../../../tests/types/generics.rs"]
mod generics;
#[path = "../../../../tests/pointers/graphs/mod.rs"]
mod graphs;
#[path = "../../../../tests/types/language.rs"]
mod language;
#[path = "../../../../tests/options/maps_as_objects.rs"]
mod maps_as_objects;
#[path = "../../../../tests/types/random_standard_types.rs"]
mod random_standard_types;
#[path = "../../../../tests/pointers/shared_pointers.rs"]
mod shared_pointers;
#[path = "../../../../tests/types/slot_maps.rs"]
mod slot_maps;
#[path = "../../../../tests/types/standard.rs"]
mod standard;
#[path = "../../../../tests/pointers/trait_objects.rs"]
mod trait_objects;
