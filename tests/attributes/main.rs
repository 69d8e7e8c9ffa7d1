//! What the attributes of `#[derive(Serialize)]` do, in every format.

#[path = "every_format.rs"]
mod every_format;
#[path = "../common/mod.rs"]
mod shared;

use shared::ways::two as common;
