//! `Option` of what may itself be null.

mod every_format;
#[path = "../common/mod.rs"]
mod shared;
mod text;

use shared::ways::two as common;
