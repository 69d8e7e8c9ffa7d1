//! Metadata of types, and paths into values.

mod edits;
mod histories;
mod paths;
mod world;
