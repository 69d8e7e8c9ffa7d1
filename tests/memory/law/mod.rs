//! The memory of loads of any input, in every format. `serde-formats/tests/law` checks serde's
//! formats.

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
