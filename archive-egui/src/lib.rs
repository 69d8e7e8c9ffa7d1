#![doc = include_str!("../README.md")]

mod action;
mod blank;
mod history;
mod inspector;
mod labels;
mod lines;
mod part;
mod row;
mod search;
mod view;
mod widgets;

pub use history::History;
pub use inspector::{Inspector, inspector};
