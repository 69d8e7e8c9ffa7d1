//! Times relative to now: `ar.time`, `ar.save_time`, `#[archive(with = archive::time)]`.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
