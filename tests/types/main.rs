//! The types that can be saved: those of the standard library, of other crates, derived and generic ones.

/// The helpers that the tests of all formats use.
mod common {
    pub use archive_test_support::histories::round_trip;
    pub use archive_test_support::*;
}

mod cells;
mod derived;
mod every_type;
mod fingerprints;
mod foreign;
mod generics;
mod language;
mod random_standard_types;
mod serde_members;
mod slot_map_edits;
mod slot_maps;
mod standard;
mod standard_errors;
