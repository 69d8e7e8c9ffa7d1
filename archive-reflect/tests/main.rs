//! Metadata of types, and paths into values.

mod edits;
mod paths;
mod world;
