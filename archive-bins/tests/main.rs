//! Bins files.

mod api;
mod bases;
mod collection;
mod document;
mod hostile;
mod layout;
mod random;
mod serialize;
mod spool;
