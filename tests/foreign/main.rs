//! Types of other crates, in every format: values at the edges, random ones, and what is refused.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
