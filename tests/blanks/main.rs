//! Blank values of types that hold themselves by way of other types: they end where any value does, and
//! are an error where none does.

mod every_format;
#[path = "../common/mod.rs"]
mod shared;

use shared::ways::two as common;
