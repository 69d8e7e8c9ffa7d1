//! The types of the standard library in every format: values at the edges, and where they nest.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
