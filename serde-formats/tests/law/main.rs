//! The memory of loads of any input, in serde's formats: the law of `tests/memory/law`, over
//! another list.

use archive_test_support as common;

#[path = "../../../tests/memory/law/costly_shapes.rs"]
mod costly_shapes;
#[path = "../../../tests/memory/law/forge.rs"]
mod forge;
#[path = "../../../tests/memory/law/law_in_each_format.rs"]
mod law_in_each_format;
#[path = "../../../tests/memory/law/memory_law.rs"]
mod memory_law;
#[path = "../../../tests/memory/law/program_files.rs"]
mod program_files;

fn formats() -> Vec<archive::Format> {
    common::serde_formats::serde_formats()
}
