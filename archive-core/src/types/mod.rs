//! The types that can be saved: types of the standard library and of other crates, fields with
//! attributes, and the code that the macros expand to.
//!
//! Imports [`pointer`](crate::pointer) and the layers below it.

pub mod derive;
pub mod field;
pub mod foreign;
pub mod impls;
pub mod macros;
pub mod probe;
pub mod proxy;
