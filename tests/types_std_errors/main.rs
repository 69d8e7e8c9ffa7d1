//! What the types of the standard library refuse: values that are not theirs, and cells that are in
//! use. The error says what was expected, what was found, and where.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
