//! The decoder of Bins files.
#![no_main]

use archive::bins::Bins;
use libfuzzer_sys::fuzzer_mutate;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    archive_fuzz::files::bins(data);
    archive_fuzz::hostile::<Bins>(data);
});
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    archive_fuzz::mutate::bins(data, size, max_size, seed, fuzzer_mutate)
});
