//! Memory of loads: what any input may take, in serde's formats. The law of `tests/law`, over another list.

#[path = "../../../tests/common/mod.rs"]
mod common;

#[path = "../../../tests/law/every_format.rs"]
mod every_format;
#[path = "../../../tests/law/files.rs"]
mod files;
#[path = "../../../tests/law/forge.rs"]
mod forge;
#[path = "../../../tests/law/rules.rs"]
mod rules;
#[path = "../../../tests/law/shapes.rs"]
mod shapes;

fn formats() -> Vec<archive::Format> {
    common::serde_formats::serde_formats()
}
