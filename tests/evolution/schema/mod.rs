//! Files of old programs in new ones: random types, random changes to them, and a law that says
//! what must come of it, worked out without the library.

mod change;
mod check;
mod data;
mod derived;
mod evolve;
mod family;
mod file;
mod generate;
mod law;
mod mirror;
mod node;
mod numbers;
mod place;
mod program;
mod records;
mod rules;
mod shapes;
mod style;
mod tape;
mod types;
mod versions;
