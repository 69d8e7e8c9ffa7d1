//! Bins files.

mod api;
mod bases;
mod bins_document;
mod bins_layout;
mod collection;
mod hostile_bins;
mod random_trees;
mod serialize;
mod spool;
