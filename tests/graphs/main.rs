//! Random pointer graphs come back with the same shape, and save to the same bytes again; also after
//! a way through trees and through a program that does not know them.

#[path = "../common/mod.rs"]
mod common;
mod every_format;
