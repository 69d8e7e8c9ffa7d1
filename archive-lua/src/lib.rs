#![doc = include_str!("../README.md")]

mod arguments;
mod budget;
mod convert;
mod error;
mod methods;
mod nodes;
mod objects;
mod place;
mod read;
mod sandbox;
mod script;
mod write;

pub use archive::types::Call;
pub use arguments::Arguments;
pub use budget::Limits;
pub use sandbox::Sandbox;
pub use script::Script;
