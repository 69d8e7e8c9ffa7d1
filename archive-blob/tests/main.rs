//! ObjectBlob files.

mod blob_document;
mod blob_layout;
mod common;
mod data_of_types;
mod fixture;
mod hostile_blob;
mod object_blob;
mod random_blobs;
