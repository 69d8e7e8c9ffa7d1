//! What loads and saves may allocate.

use archive_test_support as common;

mod bins;
mod hostile_lengths;
mod in_place;
mod law;
mod streaming;
