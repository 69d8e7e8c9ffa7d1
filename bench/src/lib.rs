//! Times the formats of `archive` beside other serialization libraries.
//!
//! - `workload`: the values; `data`: the derives of all contestants.
//! - `peer`: the contestants, one file each; `entry`: one of them with a value.
//! - `measure`, `results`, `targets`: the times, and what they are compared with.
//! - `growth`, `memory`: how time grows with size, and how much memory is used.
//! - `report`, `chart`, `document`, `machine`: the page that comes of it.

mod chart;
mod data;
pub mod document;
mod entry;
mod growth;
mod machine;
mod measure;
pub mod memory;
mod peer;
pub mod report;
mod results;
mod run;
pub mod targets;
mod workload;

pub use run::main;
