//! The compact, self-describing binary format of `archive`.
//!
//! Data is positional: a value is stored as its bytes, without names and tags. The types of the
//! values, with all names, are stored once per file, in tables at the end. A loader compares these
//! tables with its own types once. Types that are equal are read by position, the others by name.
//! Files are therefore as small and as fast as those of formats that break when a member is added,
//! and they still load after such a change.
//!
//! [`inspect`] shows the contents of a file without the program that wrote it, and [`Document`]
//! changes a file. For packets there are two profiles without tables, with the same entry points:
//! [`fingerprint`] refuses types other than those that were saved, and [`bare`] assumes that the
//! types are the same.

mod backend;
pub mod bare;
mod columnar;
pub mod columns;
mod compare;
mod container;
mod cursor;
mod decoder;
#[cfg(feature = "document")]
mod document;
mod encoder;
mod fast_path;
pub mod fingerprint;
mod implied;
#[cfg(feature = "describe")]
mod inspect;
mod intern;
mod layouts;
mod meaning;
mod names;
mod objects;
mod profile;
mod read_tables;
pub mod rows;
mod shapes;
mod tags;
mod text;
mod types;
mod varint;
mod write_tables;

pub use backend::*;
pub use decoder::Decoder;
#[cfg(feature = "document")]
pub use document::{Document, Patch};
pub use encoder::Encoder;
#[doc(hidden)]
pub use fast_path::Functions;
#[cfg(feature = "describe")]
pub use inspect::{
    Inspection, MemberInfo, PayloadInfo, RegisteredType, TypeContent, TypeInfo, TypesInfo,
    VariantInfo, inspect, inspect_types, inspect_types_with, inspect_with,
};
