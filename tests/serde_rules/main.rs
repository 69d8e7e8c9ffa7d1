//! The rules of all formats, in serde's: the tests of our own formats, run over another list.
#![cfg(feature = "serde")]

#[path = "../common/mod.rs"]
mod shared;

mod joined;
mod told;

/// What the tests take for all formats.
mod common {
    pub use crate::joined::*;
    pub use crate::shared::serde_formats::serde_each_backend as each_backend;
    pub use crate::shared::{EachBackend, Erased, damage, everything, text, tree};
}

#[path = "../attributes/every_format.rs"]
mod attributes;
#[path = "../blanks/every_format.rs"]
mod blanks;
#[path = "../chains/every_format.rs"]
mod chains;
#[path = "../hostile/cut.rs"]
mod cut;
#[path = "../false_shapes/every_format.rs"]
mod false_shapes;
#[path = "../foreign/every_format.rs"]
mod foreign;
#[path = "../foreign_slotmap/every_format.rs"]
mod foreign_slotmap;
#[path = "../graphs/every_format.rs"]
mod graphs;
#[path = "../hostile/every_format.rs"]
mod hostile;
#[path = "../loads/every_format.rs"]
mod loads;
#[path = "../maps/every_format.rs"]
mod maps;
#[path = "../options/every_format.rs"]
mod options;
#[path = "../pointers/every_format.rs"]
mod pointers;
#[path = "../polymorphic/every_format.rs"]
mod polymorphic;
#[path = "../reports/every_format.rs"]
mod reports;
#[path = "../saves_loads/every_format.rs"]
mod saves_loads;
#[path = "../target_version/every_format.rs"]
mod target_version;
#[path = "../times/every_format.rs"]
mod times;
#[path = "../types/every_format.rs"]
mod types;
#[path = "../types_std/every_format.rs"]
mod types_std;
#[path = "../types_std_cells/every_format.rs"]
mod types_std_cells;
#[path = "../types_std_errors/every_format.rs"]
mod types_std_errors;
#[path = "../types_std_random/every_format.rs"]
mod types_std_random;
#[path = "../unknown/every_format.rs"]
mod unknown;
#[path = "../unknown_types/every_format.rs"]
mod unknown_types;
#[path = "../value_members/every_format.rs"]
mod value_members;
#[path = "../values/every_format.rs"]
mod values;
