//! ObjectBlob files.

mod common;
mod document;
mod fixture;
mod hostile;
mod layout;
mod object_blob;
mod properties;
mod types;
