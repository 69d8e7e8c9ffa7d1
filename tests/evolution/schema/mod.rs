//! Files of old programs in new ones: random types, random changes to them, and a law that computes
//! the result without the library.

mod change;
mod check;
mod conversion_rules;
mod data;
mod derived_versions;
mod evolve;
mod family;
mod file;
mod generate;
mod law;
mod mirror;
mod nineteen_versions;
mod node;
mod number_conversions;
mod place;
mod program;
mod records;
mod run_time_shapes;
mod style;
mod tape;
mod types;
