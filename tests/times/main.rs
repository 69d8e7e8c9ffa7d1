//! Times relative to now: `ar.time`, `ar.save_time`, `#[archive(with = archive::time)]`.

mod every_format;
#[path = "../common/mod.rs"]
mod shared;

use shared::ways::two as common;
