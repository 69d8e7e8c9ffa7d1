//! What the tests share.
#![allow(dead_code)] // each test uses a part of it

pub mod forged;

pub use archive_binary::Binary;

/// The data of a file: the bytes between header and tables.
pub fn data(file: &[u8]) -> &[u8] {
    let footer = &file[file.len() - 16..];
    let tables = u64::from_le_bytes(footer[..8].try_into().unwrap()) as usize;
    &file[6..file.len() - 16 - tables]
}
