//! Shared pointers, trait objects, chains, and objects of unknown types.

use archive_test_support as common;

mod chains;
mod edits;
mod every_kind;
mod graphs;
mod keyed;
mod trait_objects;
mod unknown_types;
