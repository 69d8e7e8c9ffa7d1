//! The binary format for many small values of one type: the types are stored once, outside the
//! rows.
//!
//! A row has the bytes of [`bare`](crate::bare). Its types are stored elsewhere, once for all rows,
//! as [`RowTypes`]. Rows are therefore as small as the values themselves, and they still load after
//! the types have changed: if the types equal the program's, rows are loaded by position, otherwise
//! by name, like files of the [binary format](crate).
//!
//! ```
//! use archive::binary::rows::{self, Reader, RowTypes, Writer};
//! use archive::{Options, Value};
//!
//! #[derive(Default, archive::Serialize)]
//! struct Unit { name: String, hp: u16 }
//!
//! // The types are saved once, and the rows one by one.
//! let kept = RowTypes::of::<Unit>()?.to_bytes();
//! let row = rows::to_vec(&Unit { name: "Ann".into(), hp: 7 })?;
//! assert_eq!(row, [0, 3, b'A', b'n', b'n', 7]);
//!
//! // A later version of the program has other types.
//! #[derive(Default, archive::Serialize)]
//! struct NewUnit { hp: u32, #[archive(default = 1)] level: u8, name: String }
//!
//! let types = RowTypes::from_bytes(&kept)?;
//! let unit: NewUnit = Reader::new(&types).load(&row, &Options::new())?;
//! assert_eq!((unit.name.as_str(), unit.hp, unit.level), ("Ann", 7, 1));
//!
//! // The types are enough to read a row without the program.
//! let value: Value = rows::from_slice_with(&row, &Options::new().provide(types))?;
//! assert_eq!(value["hp"], 7.into());
//! # Ok::<(), archive::Error>(())
//! ```
// Why: docs/decisions/binary.md#rows-are-bare-and-their-types-are-stored-outside

#[cfg(feature = "document")]
mod document;
mod reader;
mod row_names;
mod types;
mod writer;

#[cfg(feature = "document")]
pub use document::Document;
pub use reader::Reader;
pub use types::RowTypes;
pub use writer::Writer;

use crate::backend::profile;

profile!(
    /// Rows whose types are stored elsewhere, as a [`Backend`](archive_core::Backend).
    ///
    /// A load needs [`RowTypes`] in its options. Rows are never detected: they begin with a single
    /// byte, which is 0 or 1.
    Rows = Rows,
    "rows",
    ["row"],
    |_| false
);

archive_core::entry_points!(@list [] archive_core::entry_points [@of Rows]);
archive_core::entry_points!(@read);
