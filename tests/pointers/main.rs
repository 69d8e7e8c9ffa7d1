//! Shared pointers, trait objects, chains, and objects of unknown types.

use archive_test_support as common;

mod chains;
mod edited_graphs;
mod graphs;
mod hostile_unknown_types;
mod keyed;
mod shared_pointers;
mod trait_objects;
mod unknown_types;
