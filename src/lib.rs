#![doc = include_str!("../README.md")]

mod format;
mod roots;
#[cfg(feature = "testing")]
pub mod testing;

/// The examples on the page about types that change.
#[cfg(doctest)]
#[doc = include_str!("../docs/EVOLUTION.md")]
mod evolution {}

/// The examples on the page about serde.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../docs/COMING_FROM_SERDE.md")]
mod coming_from_serde {}

#[cfg(feature = "binary")]
pub use archive_binary as binary;
#[cfg(feature = "blob")]
pub use archive_blob as blob;
pub use archive_core::*;
#[cfg(feature = "derive")]
pub use archive_derive::Serialize;
#[cfg(feature = "json")]
pub use archive_json as json;
#[cfg(feature = "msgpack")]
pub use archive_msgpack as msgpack;
/// serde formats under the program's types, serde types as members, and the program's types in serde code.
///
/// `use archive::*` brings this module along, and makes the name `serde` ambiguous beside the crate: write
/// `::serde` for the crate, or import names one by one.
#[cfg(feature = "serde")]
#[doc(inline)]
pub use archive_serde as serde;
pub use format::Format;
