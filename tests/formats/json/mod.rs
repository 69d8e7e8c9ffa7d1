//! JSON beyond what all formats share: members in the order of the file, loading in place, layouts,
//! files that were edited by hand, and the grammar seen by typed loads.
#![cfg(all(feature = "json", feature = "derive"))]

mod found;
mod grammar;
mod in_place;
mod layout;
mod model;
mod numbers;
mod reader;
mod relaxed;
