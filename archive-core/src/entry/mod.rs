//! The functions that a program calls: a format as a whole, and a bridge to other frameworks.
//!
//! Imports all other layers.

pub mod backend;
pub mod bridge;
pub mod entry_points;
pub mod roots;
