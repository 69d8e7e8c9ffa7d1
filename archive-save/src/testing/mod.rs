//! What tests of saves run over: a file system in memory that loses power.

mod disk;
mod power_cuts;
mod random;
mod rules;
mod system;

pub use crate::system::Layer;
pub use power_cuts::{Call, PowerCuts};
