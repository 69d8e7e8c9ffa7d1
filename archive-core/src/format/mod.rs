//! What a format implements, and the archives that run over it.
//!
//! Imports [`visit`](crate::visit) and what is below.

pub mod decoder;
pub mod encoder;
pub mod key;
pub mod loading;
pub mod members;
pub mod nodes;
pub mod put;
pub mod saving;
pub(crate) mod sort_key;
pub mod tagged;
