// The targets of the README's links in the documentation. The first definition of a link is used.
//! [architecture]: crate::documentation::architecture
//! [benchmarks]: crate::documentation::benchmarks
//! [benchmarks_json]: crate::documentation::benchmarks_json
//! [benchmarks_serde]: crate::documentation::benchmarks_serde
//! [binary]: crate::documentation::binary
//! [blob]: crate::documentation::blob
//! [changelog]: crate::documentation::changelog
//! [glossary]: crate::documentation::glossary
//! [coming_from_serde]: crate::documentation::coming_from_serde
//! [errors]: crate::documentation::errors
//! [evolution]: crate::documentation::evolution
//! [json]: crate::documentation::json
//! [messagepack]: crate::documentation::messagepack
//! [store]: crate::documentation::store
//! [types]: Serialize#types-of-the-standard-library
#![doc = include_str!("../README.md")]

pub mod backend;
mod bodies;
mod format;
mod roots;
#[cfg(feature = "testing")]
pub mod testing;

#[cfg(any(doc, doctest))]
pub mod documentation;

#[cfg(feature = "binary")]
#[doc(inline)]
pub use archive_binary as binary;
#[cfg(feature = "blob")]
#[doc(inline)]
pub use archive_blob as blob;
// Items that the derive and the macros refer to are also reachable here.
#[cfg(feature = "slotmap")]
#[doc(inline)]
pub use archive_core::slotmap_keys;
#[doc(hidden)]
pub use archive_core::*;
#[doc(inline)]
pub use archive_core::{
    Archive, Blank, Clock, Description, Element, Error, ErrorKind, Indent, Integer, KeepUnknown,
    Limits, Note, NoteKind, Number, Options, Polymorphic, Position, Registry, Report, Restored,
    Result, Save, Serialize, Source, Time, Unknown, Value, blank, describe, describe_with,
    dismantle, field, keep_unknown, members, polymorphic, save_by_clone, signature, stored_as,
    time,
};
#[cfg(feature = "derive")]
#[doc(hidden)]
pub use archive_derive::Deserialize;
#[cfg(feature = "derive")]
pub use archive_derive::Serialize;
#[cfg(feature = "json")]
#[doc(inline)]
pub use archive_json as json;
#[cfg(feature = "msgpack")]
#[doc(inline)]
pub use archive_msgpack as msgpack;
/// serde formats for the program's types, serde types as members, and the program's types in serde
/// code.
///
/// `use archive::*` imports this module too, which makes the name `serde` ambiguous with the crate:
/// write `::serde` for the crate, or import names one by one.
#[cfg(feature = "serde")]
#[doc(inline)]
pub use archive_serde as serde;
#[doc(hidden)]
pub use bodies::Compiled;
pub use format::Format;
