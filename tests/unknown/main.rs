//! `#[archive(unknown)]`: members that a type does not know are kept and written back.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
