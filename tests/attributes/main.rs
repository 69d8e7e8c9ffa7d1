//! What attributes do, in every format: those of the derive, members that a type does not know, and times.

/// What the tests take for all formats.
mod common {
    pub use archive_test_support::histories::{round_trip, round_trip_with};
    pub use archive_test_support::*;
}

mod derive;
mod times;
mod unknown_members;
