//! The compact, self-describing binary format of `archive`.
//!
//! Data is positional: a value is its bytes, without names and tags. What it consists of, with all
//! names, stands once per file, in tables at the end. A loader compares these tables with its own
//! types, once; what is equal is read by position, the rest by name. So files stay as small and as
//! fast as those of formats that break when a member is added, and they load when one was.

mod backend;
mod compare;
mod container;
mod cursor;
mod decoder;
mod encoder;
mod intern;
mod layouts;
mod names;
mod objects;
mod read_tables;
mod shapes;
mod straight;
mod tags;
mod text;
mod types;
mod varint;
mod write_tables;

pub use backend::*;
pub use decoder::Decoder;
pub use encoder::Encoder;
