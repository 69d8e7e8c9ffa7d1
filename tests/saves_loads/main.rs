//! What saves, loads: the limits count the same in both directions.

#[path = "../common/mod.rs"]
mod common;
#[path = "every_format.rs"]
mod every_format;
