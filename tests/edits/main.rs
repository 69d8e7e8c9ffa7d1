//! Random histories of edits over the values of the format tests, whose round trip goes through them
//! here.

use archive_test_support as shared;

mod graphs;
mod histories;
mod slot_map_edits;

/// What the tests take for all formats.
mod common {
    pub use crate::histories::{round_trip, round_trip_with};
    pub use crate::shared::*;
}

#[path = "../rules/attributes/mod.rs"]
mod attributes;
#[path = "../types/cells.rs"]
mod cells;
#[path = "../types/derived.rs"]
mod derived;
#[path = "../types/every_kind.rs"]
mod every_kind;
#[path = "../types/foreign.rs"]
mod foreign;
#[path = "../types/generics.rs"]
mod generics;
#[path = "../types/language.rs"]
mod language;
#[path = "../rules/maps/every_format.rs"]
mod maps;
#[path = "../pointers/every_kind.rs"]
mod pointers;
#[path = "../types/random.rs"]
mod random;
#[path = "../types/slot_maps.rs"]
mod slot_maps;
#[path = "../types/standard.rs"]
mod standard;
#[path = "../pointers/trait_objects.rs"]
mod trait_objects;
