//! Every way to load tells what it noticed.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
