//! Shapes that are false: a type by hand may say anything of itself.

mod every_format;
#[path = "../common/mod.rs"]
mod shared;

use shared::ways::two as common;
