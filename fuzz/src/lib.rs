//! The code of every fuzz target: a model with every kind of member, the rules for any bytes that a
//! decoder gets ([`hostile()`], [`exact()`]), and the rules for any value ([`round_trip()`]).
//!
//! A new format is a file in `fuzz_targets/` with one call of [`hostile()`], its entry in
//! `Cargo.toml`, and its seeds in [`corpus`].

pub mod corpus;
pub mod exact;
pub mod files;
pub mod graph;
pub mod hostile;
pub mod law;
pub mod model;
pub mod mutate;
pub mod plain;
pub mod round_trip;
pub mod same;
pub mod seeds;
pub mod serde_formats;
#[path = "../../tests/common/serde_join.rs"]
pub mod serde_join;

pub use exact::exact;
pub use hostile::hostile;
pub use law::{law, mutate_law};
pub use round_trip::round_trip;
pub use serde_formats::serde_formats;
