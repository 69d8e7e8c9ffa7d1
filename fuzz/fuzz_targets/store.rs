//! The decoder of store objects.
#![no_main]

use archive::blob::store::Store;
use libfuzzer_sys::fuzzer_mutate;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    archive_fuzz::files::store_objects(data);
    archive_fuzz::hostile::<Store>(data);
});
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    archive_fuzz::mutate::store(data, size, max_size, seed, fuzzer_mutate)
});
