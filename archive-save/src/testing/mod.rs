//! A file system in memory that loses power, for tests of saves.

mod disk;
mod power_cuts;
mod random;
mod rules;
mod system;

pub use crate::system::Layer;
pub use power_cuts::{Call, PowerCuts};
