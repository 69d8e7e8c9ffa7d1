//! The rules of all formats in the built-in ones, compiled for each type: the tests that `.ci/run` builds on
//! trait objects, or for some of the formats only (see `tests/common/ways.rs`).

#[path = "../../../tests/common/mod.rs"]
mod common;

#[path = "../../../tests/attributes/every_format.rs"]
mod attributes;
#[path = "../../../tests/blanks/every_format.rs"]
mod blanks;
#[path = "../../../tests/errors/by_hand.rs"]
mod by_hand;
#[path = "../../../tests/false_shapes/every_format.rs"]
mod false_shapes;
#[path = "../../../tests/foreign/every_format.rs"]
mod foreign;
#[path = "../../../tests/foreign_slotmap/every_format.rs"]
mod foreign_slotmap;
#[path = "../../../tests/errors/limits.rs"]
mod limits;
#[path = "../../../tests/loads/every_format.rs"]
mod loads;
#[path = "../../../tests/loads/numbers.rs"]
mod loads_numbers;
#[path = "../../../tests/errors/message.rs"]
mod message;
#[path = "../../../tests/errors/names.rs"]
mod names;
#[path = "../../../tests/options/every_format.rs"]
mod options;
#[path = "../../../tests/options/text.rs"]
mod options_text;
#[path = "../../../tests/errors/paths.rs"]
mod paths;
#[path = "../../../tests/errors/pointers_by_hand.rs"]
mod pointers_by_hand;
#[path = "../../../tests/errors/same_limits.rs"]
mod same_limits;
#[path = "../../../tests/errors/skipped.rs"]
mod skipped;
#[path = "../../../tests/errors/strict_pointers.rs"]
mod strict_pointers;
#[path = "../../../tests/target_version/every_format.rs"]
mod target_version;
#[path = "../../../tests/times/every_format.rs"]
mod times;
#[path = "../../../tests/errors/twice.rs"]
mod twice;
#[path = "../../../tests/types_std_cells/every_format.rs"]
mod types_std_cells;
#[path = "../../../tests/types_std_errors/every_format.rs"]
mod types_std_errors;
#[path = "../../../tests/unknown/every_format.rs"]
mod unknown;
#[path = "../../../tests/errors/wrong_values.rs"]
mod wrong_values;
