//! Every supported type in every format: values at the edges, and random ones.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
