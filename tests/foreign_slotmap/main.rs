//! Slot maps in every format: keys are as good after a load as before.

mod every_format;
#[path = "../common/mod.rs"]
mod shared;

use shared::ways::erased as common;
