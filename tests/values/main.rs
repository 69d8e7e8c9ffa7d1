//! `Value`, the names that formats reserve, options of options, named roots, and files from one format to another.

/// The helpers that the tests of all formats use.
mod common {
    pub use archive_test_support::histories::round_trip;
    pub use archive_test_support::*;
}

mod conversion;
mod named_roots;
mod named_roots_in_source;
mod nested_options;
mod nested_options_text;
mod reserved_names;
mod trees_in_typed_data;
mod value_trees;
