//! `#[archive(unknown)]`: members that a type does not know are kept and written back.

mod every_format;
#[path = "../common/mod.rs"]
mod shared;

use shared::ways::two as common;
