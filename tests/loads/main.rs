//! The promises of loads about the resulting values, and blank values.

/// The helpers that the tests of all formats use.
mod common {
    pub use archive_test_support::histories::round_trip;
    pub use archive_test_support::*;
}

mod blanks;
mod checked_after_load;
mod checked_parts;
mod items_from_blank;
mod load_into;
mod lying_shapes;
mod maps_over_old;
mod random_checked_parts;
