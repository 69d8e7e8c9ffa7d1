//! The rules of errors, in serde's formats: the functions of `tests/errors`, run over another list;
//! and the errors of truncated input.

use archive_test_support as shared;

/// The helpers that the tests of all formats use.
mod common {
    pub use crate::shared::Format;
    pub use crate::shared::serde_formats::{
        has_position, keeps_positions, serde_forgiving as forgiving, serde_formats as formats,
        takes_announced,
    };
}

mod skipped_depth;
mod trees;
mod truncated;

#[path = "../../../tests/errors/duplicate_keys.rs"]
mod duplicate_keys;
#[path = "../../../tests/errors/error_paths.rs"]
mod error_paths;
#[path = "../../../tests/errors/hand_written_mistakes.rs"]
mod hand_written_mistakes;
#[path = "../../../tests/errors/limits.rs"]
mod limits;
#[path = "../../../tests/errors/message_form.rs"]
mod message_form;
#[path = "../../../tests/errors/pointers_by_hand.rs"]
mod pointers_by_hand;
#[path = "../../../tests/errors/strict_pointers.rs"]
mod strict_pointers;
#[path = "../../../tests/errors/suggested_names.rs"]
mod suggested_names;
#[path = "../../../tests/errors/wrong_values.rs"]
mod wrong_values;
