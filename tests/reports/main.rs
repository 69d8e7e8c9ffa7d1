//! The reports of loads.

use archive_test_support as common;

mod dropped_elements;
mod joined_notes;
mod numbers_that_become_zero;
mod same_in_all_loads;
