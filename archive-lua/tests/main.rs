//! Scripts on values of the program.

mod common;

mod containers;
mod enums;
mod hostile;
mod made_types;
mod members;
mod methods;
mod random_values;
mod scope;
