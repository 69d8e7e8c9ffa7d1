//! Blank values of types that hold themselves by way of other types: they end where any value does, and
//! are an error where none does.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
