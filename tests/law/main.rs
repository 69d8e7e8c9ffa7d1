//! Memory of loads: what any input may take, in every format. `serde-formats/tests/law` holds serde's formats to
//! the same.

#[path = "../common/mod.rs"]
mod common;

mod every_format;
mod files;
mod forge;
mod rules;
mod shapes;

fn formats() -> Vec<archive::Format> {
    [common::each_once(), common::exact()].concat()
}
