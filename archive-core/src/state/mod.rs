//! The caller's input to a save or a load: the options with their limits, and the registered types.
//!
//! Imports [`model`](crate::model).

pub mod blank_search;
pub mod chains;
pub mod options;
pub mod registry;
pub mod wanted;
