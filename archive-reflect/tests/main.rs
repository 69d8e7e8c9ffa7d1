//! Metadata of types, and paths into values.

mod any_values;
mod canon;
mod factory;
mod facts;
mod hand_written;
mod handles;
mod heap;
mod kinds;
mod laws;
mod names;
mod offsets;
mod properties;
mod registry;
mod schema;
