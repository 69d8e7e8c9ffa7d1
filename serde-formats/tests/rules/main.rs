//! The rules of all formats, in serde's: the tests of our own formats, run over another list.

use archive_test_support as shared;

mod file_order;
mod joined;

/// What the tests take for all formats.
mod common {
    pub use crate::joined::*;
    pub use crate::shared::serde_formats::serde_each_backend as each_backend;
    pub use crate::shared::{
        EachBackend, Erased, damage, everything, report_of, reported, search, text, tree,
    };
}

#[path = "../../../tests/rules/attributes/mod.rs"]
mod attributes;
#[path = "../../../tests/rules/blanks/mod.rs"]
mod blanks;
#[path = "../../../tests/pointers/chains/mod.rs"]
mod chains;
#[path = "../../../tests/errors/hostile/cut.rs"]
mod cut;
#[path = "../../../tests/rules/false_shapes.rs"]
mod false_shapes;
#[path = "../../../tests/types/foreign.rs"]
mod foreign;
#[path = "../../../tests/types/slot_maps.rs"]
mod foreign_slotmap;
#[path = "../../../tests/pointers/graphs.rs"]
mod graphs;
#[path = "../../../tests/errors/hostile/every_format.rs"]
mod hostile;
#[path = "../../../tests/rules/loads/every_format.rs"]
mod loads;
#[path = "../../../tests/rules/maps/every_format.rs"]
mod maps;
#[path = "../../../tests/rules/options/every_format.rs"]
mod options;
#[path = "../../../tests/pointers/every_kind.rs"]
mod pointers;
#[path = "../../../tests/pointers/trait_objects.rs"]
mod polymorphic;
#[path = "../../../tests/rules/reports.rs"]
mod reports;
#[path = "../../../tests/formats/saves_loads/mod.rs"]
mod saves_loads;
#[path = "../../../tests/rules/target_version.rs"]
mod target_version;
#[path = "../../../tests/rules/times.rs"]
mod times;
#[path = "../../../tests/types/every_kind.rs"]
mod types;
#[path = "../../../tests/types/standard.rs"]
mod types_std;
#[path = "../../../tests/types/cells.rs"]
mod types_std_cells;
#[path = "../../../tests/types/standard_errors.rs"]
mod types_std_errors;
#[path = "../../../tests/types/random.rs"]
mod types_std_random;
#[path = "../../../tests/rules/unknown_members.rs"]
mod unknown;
#[path = "../../../tests/pointers/unknown_types/every_format.rs"]
mod unknown_types;
#[path = "../../../tests/rules/value_members.rs"]
mod value_members;
#[path = "../../../tests/rules/values.rs"]
mod values;
