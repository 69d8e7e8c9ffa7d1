//! `Options::maps_as_objects`, in every format, and in files of other programs.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
mod other_programs;
