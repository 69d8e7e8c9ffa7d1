//! The ObjectBlob format of archive, its types, and store objects.

pub mod store;
