//! The traits that a format implements, and the archives over them.
//!
//! Imports [`visit`](crate::visit) and the layers below it.

pub mod decoder;
pub mod encoder;
pub mod key;
pub mod loading;
pub mod members;
pub mod nodes;
pub mod saving;
pub(crate) mod sort_key;
pub mod tagged;
