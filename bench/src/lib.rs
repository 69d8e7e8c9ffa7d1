//! Times the formats of `archive` and other serialization libraries.
//!
//! - `workload`: the values; `data`: the derives of all contestants.
//! - `peer`: the contestants, one file each; `entry`: one of them with a value.
//! - `measure`, `results`, `targets`: the times and their references.
//! - `growth`, `memory`: how time grows with size, and how much memory is used.
//! - `json`: the same for JSON alone, also in other orders of members.
//! - `through_serde`: serde's formats under our types, compared with serde's derive.
//! - `report`, `chart`, `document`, `reasons`, `machine`: the page with the results; `rows`: its
//!   parts.

#![cfg_attr(feature = "nanoserde", allow(clippy::question_mark))] // in what it derives

mod chart;
mod data;
pub mod document;
mod entry;
mod growth;
#[cfg(feature = "json")]
pub mod json;
pub mod machine;
mod measure;
pub mod memory;
mod peer;
mod reasons;
pub mod report;
mod results;
pub mod rows;
mod run;
pub mod targets;
#[cfg(feature = "through-serde")]
pub mod through_serde;
mod workload;

pub use run::main;
pub use workload::world;
