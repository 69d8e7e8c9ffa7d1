//! Keys with shared pointers, in serde's formats: the tests of `tests/pointers`, run over another list.

use archive_test_support as shared;

/// The helpers that the tests of all formats use.
mod common {
    pub use crate::shared::serde_formats::{
        serde_forgiving, serde_formats as each_once, serde_formats as formats,
    };
    pub use crate::shared::{Format, search, text};

    pub fn forgives(format: Format) -> bool {
        serde_forgiving().contains(&format)
    }
}

#[path = "../../../tests/pointers/keyed/mod.rs"]
mod keyed;
