//! Slot maps in every format: keys are as good after a load as before.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
