//! [`Format`]: the choice of a format of `archive` at run time.
// Why: docs/decisions/saves.md#format-is-a-crate-of-its-own

mod format;
mod roots;

pub use format::Format;
