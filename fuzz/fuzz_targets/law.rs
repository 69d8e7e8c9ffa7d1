//! The memory that loads take.
#![no_main]

use libfuzzer_sys::fuzzer_mutate;

libfuzzer_sys::fuzz_target!(|data: &[u8]| archive_fuzz::law(data));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    archive_fuzz::mutate_law(data, size, max_size, seed, fuzzer_mutate)
});
