//! Scripts on values of the program.

mod on_a_unit;

mod hostile_scripts;
mod lists_maps_and_sets;
mod made_types;
mod members_in_scripts;
mod methods;
mod reads_and_writes;
mod scope;
mod variants_in_scripts;
