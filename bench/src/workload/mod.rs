//! The values that are saved and loaded: four to the description of the public Rust serialization
//! benchmark, and a world of pointers. All are generated from fixed seeds.

pub mod log;
pub mod mesh;
pub mod minecraft;
pub mod mk48;
mod random;
pub mod world;

use crate::entry::Entry;
use crate::memory::{Gauge, Usage};
use crate::results::Results;
use crate::targets::Target;

/// A value with the functions that save and load it.
pub struct Workload {
    /// Its name on the command line, and of its chart.
    pub name: &'static str,
    /// What it consists of.
    pub about: &'static str,
    /// Makes the value and the entries.
    pub entries: fn() -> Vec<Entry>,
    /// Measures memory.
    pub memory: fn(&dyn Gauge) -> Usage,
    /// What is to be reached.
    pub targets: fn(&Results) -> Vec<Target>,
}

/// All of them.
pub const ALL: [Workload; 5] =
    [log::WORKLOAD, mesh::WORKLOAD, minecraft::WORKLOAD, mk48::WORKLOAD, world::WORKLOAD];
