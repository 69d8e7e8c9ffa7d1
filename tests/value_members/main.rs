//! `Value` inside typed data: its pointers and those of the typed part do not mix.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
