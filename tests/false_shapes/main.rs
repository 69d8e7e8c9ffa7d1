//! Shapes that are false: a type by hand may say anything of itself.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
