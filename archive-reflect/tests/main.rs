//! Metadata of types, and paths into values.

mod any_values;
mod handles;
