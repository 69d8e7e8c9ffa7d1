//! Metadata of types, and paths into values.
