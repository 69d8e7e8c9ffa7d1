//! The rules of all formats: attributes, options, maps, reports, roots, trees.

use archive_test_support as common;

mod attributes;
mod blanks;
mod context;
mod conversion;
mod false_shapes;
mod loads;
mod looks;
mod maps;
mod options;
mod report_notes;
mod reports;
mod reserved_names;
mod roots;
mod steps;
mod target_version;
mod times;
mod unknown_members;
mod value_members;
mod values;
