//! Shared pointers: identity, cycles, weak pointers, ids whose body stands elsewhere. Long chains of
//! them are in `chains.rs`.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
