//! Metadata of types, and paths into values.

mod any_values;
mod canon;
mod handles;
mod heap;
