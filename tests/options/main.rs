//! `Option` of what may itself be null.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
mod text;
