//! Files with named roots, in serde's formats.

#[path = "../../../tests/common/mod.rs"]
mod shared;

/// What the tests take for all formats.
mod common {
    pub use crate::shared::serde_formats::serde_formats as formats;
    pub use crate::shared::text;
}

#[path = "../../../tests/roots/every_format.rs"]
mod every_format;
