//! What the types of the standard library refuse: values that are not theirs, and cells that are in
//! use. The error says what was expected, what was found, and where.

mod every_format;
#[path = "../common/mod.rs"]
mod shared;

use shared::ways::erased as common;
