//! Options, in every format: values of the program, versions of previous releases, maps as objects.

/// The helpers that the tests of all formats use.
mod common {
    pub use archive_test_support::histories::{round_trip, round_trip_with};
    pub use archive_test_support::*;
}

mod context;
mod maps_as_objects;
mod maps_of_other_programs;
mod target_version;
