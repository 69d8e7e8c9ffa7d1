//! ObjectBlob files and store objects.

mod common;
mod document;
mod fixture;
mod hostile;
mod layout;
mod object_blob;
mod properties;
mod store_api;
mod store_bases;
mod store_collection;
mod store_hostile;
mod store_layout;
mod store_random;
mod store_serialize;
mod types;
