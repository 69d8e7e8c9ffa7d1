//! `Options::target_version`: files for previous releases of a program.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
