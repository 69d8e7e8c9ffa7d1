//! Memory of loads: what any input may take, in serde's formats. The law of `tests/memory/law`, over another list.

use archive_test_support as common;

#[path = "../../../tests/memory/law/every_format.rs"]
mod every_format;
#[path = "../../../tests/memory/law/files.rs"]
mod files;
#[path = "../../../tests/memory/law/forge.rs"]
mod forge;
#[path = "../../../tests/memory/law/rules.rs"]
mod rules;
#[path = "../../../tests/memory/law/shapes.rs"]
mod shapes;

fn formats() -> Vec<archive::Format> {
    common::serde_formats::serde_formats()
}
