//! Metadata of types, and paths into values.

mod any_values;
mod canon;
mod edited_facts;
mod edits;
mod facts;
mod hand_written;
mod handles;
mod heap;
mod histories;
mod kinds;
mod laws;
mod names;
mod offsets;
mod paths;
mod properties;
mod registry;
mod schema;
mod world;
