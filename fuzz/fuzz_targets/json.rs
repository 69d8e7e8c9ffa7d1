//! The JSON decoder.
#![no_main]

use archive::json::Json;
use libfuzzer_sys::fuzzer_mutate;

libfuzzer_sys::fuzz_target!(|data: &[u8]| archive_fuzz::hostile::<Json>(data));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    archive_fuzz::mutate::mutate::<Json>(data, size, max_size, seed, fuzzer_mutate)
});
