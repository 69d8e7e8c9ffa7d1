//! `Options::target_version`: files for previous releases of a program.

mod every_format;
#[path = "../common/mod.rs"]
mod shared;

use shared::ways::two as common;
