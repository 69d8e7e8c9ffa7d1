//! What errors say: the same of the same mistake in every format, with a path, a position, and what
//! to do about it.

#[path = "../common/mod.rs"]
mod common;

mod by_hand;
mod kinds;
mod limits;
mod message;
mod names;
mod paths;
mod pointers_by_hand;
mod same_limits;
mod skipped;
mod strict_pointers;
mod twice;
mod wrong_values;
