//! Files with named roots, in serde's formats.

use archive_test_support as shared;

/// The helpers that the tests of all formats use.
mod common {
    pub use crate::shared::serde_formats::serde_formats as formats;
    pub use crate::shared::{Format, text};
}

#[path = "../../../tests/values/named_roots.rs"]
mod named_roots;
