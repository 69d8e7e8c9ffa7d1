//! The binary format loads and saves with archives of its own, and with those that serve every format. Both
//! give the same: values, bytes, errors, and calls of `after_load`; whatever the file, the classes and the
//! limits.

#[path = "../common/mod.rs"]
mod common;
mod every_file;
mod worlds;
