//! Memory of loads: what any input may take, in every format. `serde-formats/tests/law` holds serde's formats to
//! the same.

mod every_format;
mod files;
mod forge;
pub mod rules;
mod shapes;

use archive::Format;

use crate::common;

fn formats() -> Vec<Format> {
    common::of_library([common::each_once(), common::exact()].concat()).collect()
}
