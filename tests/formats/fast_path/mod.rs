//! Code that is compiled for a format and code that uses the erased archive have the same results:
//! values, bytes, errors, and calls of `after_load`; for any file, classes and limits. So do the
//! archives of the binary format and those that serve every format.

mod every_file;
pub mod world_of_pointers;
