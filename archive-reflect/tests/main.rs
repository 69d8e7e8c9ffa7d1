//! Metadata of types, and paths into values.

mod handles;
