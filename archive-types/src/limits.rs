//! The limits of schemas, which hold for files from anywhere.

/// The most types.
pub(crate) const TYPES: usize = 1024;
/// The most members, variants and values of variants together.
pub(crate) const PARTS: usize = 1 << 16;
/// The most bytes of all names, types and texts together.
pub(crate) const BYTES: usize = 1 << 24;
/// The longest name, in bytes.
pub(crate) const NAME: usize = 256;
/// The longest type, in bytes.
pub(crate) const SPELLING: usize = 4096;
/// The most types inside each other in one spelling.
pub(crate) const NESTING: usize = 32;
/// The most values in a blank value, and in a default.
pub(crate) const BLANK: usize = 1 << 16;
/// The most spellings that a program asks of one schema.
pub(crate) const ASKED: usize = 1 << 12;
