//! The ObjectBlob format of archive, its types, and store objects.
