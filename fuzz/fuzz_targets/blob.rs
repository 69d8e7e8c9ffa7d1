//! The ObjectBlob decoder.
#![no_main]

use archive::blob::Blob;
use libfuzzer_sys::fuzzer_mutate;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    archive_fuzz::files::blobs(data);
    archive_fuzz::hostile::<Blob>(data);
});
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    archive_fuzz::mutate::mutate::<Blob>(data, size, max_size, seed, fuzzer_mutate)
});
