//! The inspector, driven by simulated input.

mod driven;

mod edited_maps;
mod hostile_values;
mod inspected_records;
mod large;
mod links;
mod lists;
mod order;
mod searched;
mod shown_members;
mod steps;
mod widgets;
