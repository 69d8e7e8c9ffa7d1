//! The types that can be saved: those of the standard library and of other crates, fields with
//! attributes, and what the macros expand to.
//!
//! Imports [`pointer`](crate::pointer) and what is below.

pub mod derive;
pub mod field;
pub mod foreign;
pub mod impls;
pub mod macros;
pub mod probe;
pub mod proxy;
