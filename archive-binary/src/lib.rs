//! The compact, self-describing binary format of `archive`.
//!
//! Data is positional: a value is its bytes, without names and tags. What it consists of, with all
//! names, stands once per file, in tables at the end. A loader compares these tables with its own
//! types, once; what is equal is read by position, the rest by name. So files stay as small and as
//! fast as those of formats that break when a member is added, and they load when one was.
//!
//! [`inspect`] shows what is in a file, without the program, and [`Document`] changes it. For packets there are two profiles without
//! tables, with the same entry points: [`fingerprint`] refuses other types than those that were saved,
//! [`bare`] believes that they are the same.

mod backend;
pub mod bare;
mod compare;
mod container;
mod cursor;
mod decoder;
mod document;
mod encoder;
mod fast_path;
pub mod fingerprint;
mod implied;
mod inspect;
mod intern;
mod layouts;
mod meaning;
mod names;
mod objects;
mod profile;
mod read_tables;
mod shapes;
mod tags;
mod text;
mod types;
mod varint;
mod write_tables;

pub use backend::*;
pub use decoder::Decoder;
pub use document::Document;
pub use encoder::Encoder;
#[doc(hidden)]
pub use fast_path::Bodies;
pub use inspect::{
    Inspection, MemberInfo, PayloadInfo, RegisteredType, TypeContent, TypeInfo, VariantInfo,
    inspect, inspect_with,
};
