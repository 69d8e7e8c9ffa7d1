//! Faults that were found, one file each: the case that showed it, or several with one cause.

use archive_test_support as common;

mod attributes_from_macros;
mod bytes_through_pointers;
mod chains_of_objects;
mod clamped_times;
mod depth_and_class_of_loads;
mod empty_elements;
mod failed_roots;
mod false_ids;
mod flattened_cells;
mod functions_near_the_root;
mod keep_going_and_pointers;
mod keep_going_notes;
mod kept_unknown_objects;
mod losses_without_a_note;
mod names_of_traits;
mod nested_references;
mod number_keys;
mod things;
mod unknown_lengths;
