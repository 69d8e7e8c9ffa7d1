//! What is compiled for a format and what goes through the erased archive give the same: values,
//! bytes, errors, and calls of `after_load`; for any file, classes and limits. So do binary's own
//! archives and those that serve every format.

mod every_file;
pub mod world_of_pointers;
