//! Properties of JSON alone: members in the order of the file, loading in place, layouts, files
//! that were edited by hand, and the grammar in typed loads.
#![cfg(all(feature = "json", feature = "derive"))]

mod grammar;
mod json_in_place;
mod json_text;
mod json_types;
mod member_search;
mod reader;
mod relaxed;
mod shortest_numbers;
