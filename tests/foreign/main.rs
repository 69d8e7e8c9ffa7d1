//! Types of other crates, in every format: values at the edges, random ones, and what is refused.

mod every_format;
#[path = "../common/mod.rs"]
mod shared;

use shared::ways::erased as common;
