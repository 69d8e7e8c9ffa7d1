#![doc = include_str!("../README.md")]

mod format;

#[cfg(feature = "binary")]
pub use archive_binary as binary;
pub use archive_core::*;
#[cfg(feature = "derive")]
pub use archive_derive::Serialize;
#[cfg(feature = "json")]
pub use archive_json as json;
pub use format::Format;
