//! The rules of all formats: attributes, options, maps, reports, roots, trees.

/// What the tests take for all formats.
mod common {
    pub use archive_test_support::histories::{round_trip, round_trip_with};
    pub use archive_test_support::*;
}

mod attributes;
mod blanks;
mod context;
mod conversion;
mod false_shapes;
mod loads;
mod looks;
mod maps;
mod options;
mod report_notes;
mod reports;
mod reserved_names;
mod roots;
mod steps;
mod target_version;
mod times;
mod unknown_members;
mod value_members;
mod values;
