//! Shared helpers of the tests.
#![allow(dead_code)] // each test uses a part of it

use std::path::Path;

#[allow(unused_imports)] // as above
pub use archive_msgpack::{Decoder, Encoder, MessagePack};

/// The depth limit that is the default of the options.
pub const DEPTH: usize = 384;

/// A file of shared test data, unless it is absent here.
pub fn fixture(name: &str) -> Option<String> {
    let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/fixtures/");
    let path = Path::new(shared).join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            println!("skipped: {}: {error}", path.display());
            None
        }
    }
}

/// Bytes from text like `c4-01-ff` or `c4 01 ff`.
pub fn bytes(hex: &str) -> Vec<u8> {
    hex.split(['-', ' '])
        .filter(|byte| !byte.is_empty())
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

/// Bytes as text like `c4 01 ff`.
pub fn hex(bytes: &[u8]) -> String {
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    hex.join(" ")
}
