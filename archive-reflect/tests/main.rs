//! Metadata of types, and paths into values.

mod any_values;
mod canon;
mod chains;
mod edited_facts;
mod edits;
mod factory;
mod facts;
mod hand_written;
mod handles;
mod heap;
mod histories;
mod holders;
mod hostile;
mod kinds;
mod laws;
mod merges;
mod names;
mod offsets;
mod paths;
mod properties;
mod refused;
mod registry;
mod rows;
mod schema;
mod wholes;
mod world;
