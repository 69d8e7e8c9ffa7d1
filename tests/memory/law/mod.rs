//! Memory of loads: what any input may take, in every format. `serde-formats/tests/law` holds serde's formats to
//! the same.

mod costly_shapes;
mod forge;
mod law_in_each_format;
pub mod memory_law;
mod program_files;

use archive::Format;

use crate::common;

fn formats() -> Vec<Format> {
    common::of_library([common::each_once(), common::exact()].concat()).collect()
}
