//! The rules of all formats, in serde's: the tests of our own formats, run over another list.

#[path = "../../../tests/common/mod.rs"]
mod shared;

mod file_order;
mod joined;

/// What the tests take for all formats.
mod common {
    pub use crate::joined::*;
    pub use crate::shared::serde_formats::serde_each_backend as each_backend;
    pub use crate::shared::{EachBackend, Erased, damage, everything, text, tree};
}

#[path = "../../../tests/attributes/every_format.rs"]
mod attributes;
#[path = "../../../tests/blanks/every_format.rs"]
mod blanks;
#[path = "../../../tests/chains/every_format.rs"]
mod chains;
#[path = "../../../tests/hostile/cut.rs"]
mod cut;
#[path = "../../../tests/false_shapes/every_format.rs"]
mod false_shapes;
#[path = "../../../tests/foreign/every_format.rs"]
mod foreign;
#[path = "../../../tests/foreign_slotmap/every_format.rs"]
mod foreign_slotmap;
#[path = "../../../tests/graphs/every_format.rs"]
mod graphs;
#[path = "../../../tests/hostile/every_format.rs"]
mod hostile;
#[path = "../../../tests/loads/every_format.rs"]
mod loads;
#[path = "../../../tests/maps/every_format.rs"]
mod maps;
#[path = "../../../tests/options/every_format.rs"]
mod options;
#[path = "../../../tests/pointers/every_format.rs"]
mod pointers;
#[path = "../../../tests/polymorphic/every_format.rs"]
mod polymorphic;
#[path = "../../../tests/reports/every_format.rs"]
mod reports;
#[path = "../../../tests/saves_loads/every_format.rs"]
mod saves_loads;
#[path = "../../../tests/target_version/every_format.rs"]
mod target_version;
#[path = "../../../tests/times/every_format.rs"]
mod times;
#[path = "../../../tests/types/every_format.rs"]
mod types;
#[path = "../../../tests/types_std/every_format.rs"]
mod types_std;
#[path = "../../../tests/types_std_cells/every_format.rs"]
mod types_std_cells;
#[path = "../../../tests/types_std_errors/every_format.rs"]
mod types_std_errors;
#[path = "../../../tests/types_std_random/every_format.rs"]
mod types_std_random;
#[path = "../../../tests/unknown/every_format.rs"]
mod unknown;
#[path = "../../../tests/unknown_types/every_format.rs"]
mod unknown_types;
#[path = "../../../tests/value_members/every_format.rs"]
mod value_members;
#[path = "../../../tests/values/every_format.rs"]
mod values;
