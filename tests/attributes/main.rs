//! Attributes, in every format: those of the derive, unknown members, and times.

/// The helpers that the tests of all formats use.
mod common {
    pub use archive_test_support::histories::{round_trip, round_trip_with};
    pub use archive_test_support::*;
}

mod derive;
mod times;
mod unknown_members;
