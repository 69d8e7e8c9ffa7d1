//! Data without a type of the program: trees, and objects and members that the program does not
//! know.
//!
//! Imports [`types`](crate::types) and the layers below it.

pub mod opaque;
pub mod unknown;
pub mod value;
