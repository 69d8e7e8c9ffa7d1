//! The inspector, driven by simulated input.

mod common;

mod hostile;
mod large;
mod links;
mod lists;
mod made_types;
mod maps;
mod members;
mod order;
mod search;
mod steps;
mod widgets;
