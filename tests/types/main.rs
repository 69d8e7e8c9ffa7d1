//! The types that can be saved: those of the standard library, of other crates, derived and generic ones.

use archive_test_support as common;

mod cells;
mod derived;
mod every_kind;
mod fingerprints;
mod foreign;
mod generics;
mod language;
mod random;
mod serde_members;
mod slot_maps;
mod standard;
mod standard_errors;
