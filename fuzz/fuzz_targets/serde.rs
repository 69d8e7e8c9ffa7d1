//! Serde's formats, through `archive::serde_formats`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| archive_fuzz::serde_formats(data));
