//! Trait objects: in boxes, in shared pointers, in cells; the registry.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
