//! The MessagePack format of archive.
