//! The profiles of the binary format that say nothing of their types.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| archive_fuzz::exact(data));
