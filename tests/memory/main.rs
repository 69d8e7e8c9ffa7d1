//! What loads and saves may allocate.

use archive_test_support as common;

mod hostile_lengths;
mod in_place;
mod law;
mod store;
mod streaming;
