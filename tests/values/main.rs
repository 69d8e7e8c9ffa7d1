//! `Value`: any file as a tree, and back.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
