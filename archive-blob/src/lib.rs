//! The ObjectBlob format of archive: save files of named blobs, which hold named, typed, sized data
//! in the layout of the original program. Also that program's types.
//!
//! - [`Encoder`] and [`Decoder`] save and load any serializable type as such files, through the
//!   functions here, [`Writer`] and [`Reader`]. Types that the original program knows are written
//!   as it writes them; all others are written with type codes that it skips.
//! - [`ObjectBlobList`] and [`ObjectBlob`] give access to the contents of a file: data by name and
//!   by index, with types and sizes. Saving what was loaded gives the same bytes.
//!
//! The layout is described in `docs/formats/blob.md`.
//!
//! ```
//! use archive::Archive;
//!
//! let mut writer = archive::blob::Writer::new();
//! writer.serialize("numbers", &mut vec![1, 2, 3])?;
//! let file = writer.finish()?;
//! let mut reader = archive::blob::Reader::new(&file)?;
//! assert_eq!(reader.load::<Vec<u8>>("numbers")?, [1, 2, 3]);
//! # Ok::<(), archive::Error>(())
//! ```

mod backend;
mod cursor;
mod data;
mod datum;
mod decoder;
mod detect;
#[cfg(feature = "document")]
mod document;
mod encoder;
mod list;
mod macros;
mod names;
mod object_blob;
mod types;

#[doc(hidden)]
pub use archive_core::Error; // for the macros
pub use backend::*;
pub use data::{DatumElement, FromDatum, ToDatum};
pub use datum::Datum;
pub use decoder::Decoder;
#[cfg(feature = "document")]
pub use document::Document;
pub use encoder::Encoder;
pub use list::ObjectBlobList;
pub use object_blob::ObjectBlob;
pub use types::{DataType, UnknownCode};
