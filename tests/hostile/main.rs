//! Input made to break the program ends in a typed error.

#[path = "../common/mod.rs"]
mod common;
mod cut;
mod every_format;
mod json;
