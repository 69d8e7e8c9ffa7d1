//! The profiles of the binary format that do not describe their types.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| archive_fuzz::exact(data));
