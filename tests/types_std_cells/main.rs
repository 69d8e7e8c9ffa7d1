//! Types of the standard library that a value and a comparison do not say everything about: heaps,
//! what is borrowed, cells, what is pinned.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
