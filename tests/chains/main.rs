//! Long chains: objects in cells need no stack, however many there are; what cannot wait ends at the
//! depth limit. A load that fails frees what it built, without stack too.
//!
//! Everything runs on threads with 2 MiB, the default of the standard library.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
