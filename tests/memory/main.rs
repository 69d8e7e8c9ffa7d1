//! What loads and saves may allocate.

use archive_test_support as common;

mod hostile_bins_memory;
mod hostile_lengths;
#[cfg(all(feature = "bins", feature = "msgpack"))]
mod in_place;
mod kept_memory;
mod law;
mod streaming;
