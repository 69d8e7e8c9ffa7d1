//! Schemas accept what is written: the values of the format tests, whose round trip goes through a validator here.

use archive_test_support as shared;

mod judged;
mod refuses;

/// What the tests take for all formats.
mod common {
    pub use crate::judged::{round_trip, round_trip_with};
    pub use crate::shared::*;
}

#[path = "../../../../tests/rules/attributes/mod.rs"]
mod attributes;
#[path = "../../../../tests/types/cells.rs"]
mod cells;
#[path = "../../../../tests/types/derived.rs"]
mod derived;
#[path = "../../../../tests/types/every_kind.rs"]
mod every_kind;
#[path = "../../../../tests/types/foreign.rs"]
mod foreign;
#[path = "../../../../tests/types/generics.rs"]
mod generics;
#[path = "../../../../tests/pointers/graphs.rs"]
mod graphs;
#[path = "../../../../tests/types/language.rs"]
mod language;
#[path = "../../../../tests/rules/maps/every_format.rs"]
mod maps;
#[path = "../../../../tests/pointers/every_kind.rs"]
mod pointers;
#[path = "../../../../tests/types/random.rs"]
mod random;
#[path = "../../../../tests/types/slot_maps.rs"]
mod slot_maps;
#[path = "../../../../tests/types/standard.rs"]
mod standard;
#[path = "../../../../tests/pointers/trait_objects.rs"]
mod trait_objects;
