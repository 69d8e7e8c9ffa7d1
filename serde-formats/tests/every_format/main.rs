//! The rules of all formats, in serde's: the tests of our own formats, run over another list.

use archive_test_support as shared;

mod file_order;
mod joined;

/// The helpers that the tests of all formats use.
mod common {
    pub use crate::joined::*;
    pub use crate::shared::serde_formats::serde_each_backend as each_backend;
    pub use crate::shared::{
        EachBackend, Erased, damage, everything, report_of, reported, search, text, tree, uncounted,
    };
}

#[path = "../../../tests/loads/blanks/mod.rs"]
mod blanks;
#[path = "../../../tests/types/cells.rs"]
mod cells;
#[path = "../../../tests/pointers/chains/mod.rs"]
mod chains;
#[path = "../../../tests/loads/checked_after_load.rs"]
mod checked_after_load;
#[path = "../../../tests/loads/checked_parts.rs"]
mod checked_parts;
#[path = "../../../tests/errors/hostile/cut.rs"]
mod cut;
#[path = "../../../tests/errors/hostile/deep_and_forged.rs"]
mod deep_and_forged;
#[path = "../../../tests/attributes/derive/mod.rs"]
mod derive;
#[path = "../../../tests/reports/dropped_elements.rs"]
mod dropped_elements;
#[path = "../../../tests/types/every_type.rs"]
mod every_type;
#[path = "../../../tests/types/foreign.rs"]
mod foreign;
#[path = "../../../tests/pointers/graphs/mod.rs"]
mod graphs;
#[path = "../../../tests/loads/items_from_blank.rs"]
mod items_from_blank;
#[path = "../../../tests/loads/load_into.rs"]
mod load_into;
#[path = "../../../tests/loads/lying_shapes.rs"]
mod lying_shapes;
#[path = "../../../tests/options/maps_as_objects.rs"]
mod maps_as_objects;
#[path = "../../../tests/values/nested_options.rs"]
mod nested_options;
#[path = "../../../tests/loads/random_checked_parts.rs"]
mod random_checked_parts;
#[path = "../../../tests/types/random_standard_types.rs"]
mod random_standard_types;
#[path = "../../../tests/reports/same_in_all_loads.rs"]
mod same_in_all_loads;
#[path = "../../../tests/formats/saves_loads/mod.rs"]
mod saves_loads;
#[path = "../../../tests/pointers/shared_pointers.rs"]
mod shared_pointers;
#[path = "../../../tests/types/slot_maps.rs"]
mod slot_maps;
#[path = "../../../tests/types/standard.rs"]
mod standard;
#[path = "../../../tests/types/standard_errors.rs"]
mod standard_errors;
#[path = "../../../tests/options/target_version.rs"]
mod target_version;
#[path = "../../../tests/attributes/times.rs"]
mod times;
#[path = "../../../tests/pointers/trait_objects.rs"]
mod trait_objects;
#[path = "../../../tests/values/trees_in_typed_data.rs"]
mod trees_in_typed_data;
#[path = "../../../tests/attributes/unknown_members.rs"]
mod unknown_members;
#[path = "../../../tests/pointers/unknown_types/mod.rs"]
mod unknown_types;
#[path = "../../../tests/values/value_trees.rs"]
mod value_trees;
