//! [`Format`]: the choice of a format of `archive` at run time.

mod format;
mod roots;

pub use format::Format;
