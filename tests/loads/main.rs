//! What loads promise of the values that they leave, and the blank values that they begin with.

/// What the tests take for all formats.
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
mod random_checked_parts;
