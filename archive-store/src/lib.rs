//! The object store of `archive`: a class is a table, and a key is a row.

pub mod storage;
