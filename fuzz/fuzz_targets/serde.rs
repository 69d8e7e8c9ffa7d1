//! Serde's formats, through `archive::serde`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| archive_fuzz::serde_formats(data));
