//! The rules of all formats in the built-in ones, compiled for each type: the tests that `.ci/run` builds on
//! trait objects, or for some of the formats only (see `tests/common/ways.rs`).

#[path = "../../../tests/common/mod.rs"]
mod common;

#[path = "../../../tests/attributes/every_format.rs"]
mod attributes;
#[path = "../../../tests/false_shapes/every_format.rs"]
mod false_shapes;
#[path = "../../../tests/foreign/every_format.rs"]
mod foreign;
#[path = "../../../tests/foreign_slotmap/every_format.rs"]
mod foreign_slotmap;
#[path = "../../../tests/loads/every_format.rs"]
mod loads;
#[path = "../../../tests/loads/numbers.rs"]
mod loads_numbers;
#[path = "../../../tests/options/every_format.rs"]
mod options;
#[path = "../../../tests/options/text.rs"]
mod options_text;
