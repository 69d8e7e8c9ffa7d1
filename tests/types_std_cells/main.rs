//! Types of the standard library that a value and a comparison do not say everything about: heaps,
//! what is borrowed, cells, what is pinned.

mod every_format;
#[path = "../common/mod.rs"]
mod shared;

use shared::ways::erased as common;
