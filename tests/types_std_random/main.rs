//! Random values of all types of the standard library at once: every format, every way to load,
//! and from format to format without the types.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
