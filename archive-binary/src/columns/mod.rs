//! The binary format with columns: the same values of a long list are next to each other, which
//! makes files smaller, above all compressed ones.
//!
//! A list or a map of at least 64 entries is stored as *blocks*, if that is shorter. A block has a
//! column for each member of its entries: the numbers of all entries with the bits that they need,
//! the lengths of all texts and then the texts, and so on. Everything else is stored as in other
//! files, and so are lists of plain numbers, which are compact already. The file describes its types,
//! so it loads after types have changed, as every file of the [binary format](crate).
//!
//! [`Options::columns`] saves such files with [`crate::to_vec_with`] and all other functions of the
//! binary format. The functions of this module need no option, and
//! `Format::of::<binary::columns::Columns>()` is a format for functions without options. Every
//! function of the binary format that loads a value also loads these files.
//!
//! ```
//! use archive::{binary, Options};
//!
//! #[derive(Clone, Debug, PartialEq, archive::Serialize)]
//! struct Unit { name: String, hp: u16, is_running: bool }
//!
//! let unit = |at: u16| Unit { name: format!("unit {at}"), hp: 90 + at % 10, is_running: at > 50 };
//! let units: Vec<Unit> = (0..100).map(unit).collect();
//!
//! let rows = binary::to_vec(&units)?;
//! let columns = binary::to_vec_with(&units, &Options::new().columns(true))?;
//! assert_eq!(columns, binary::columns::to_vec(&units)?);
//! assert!(columns.len() < rows.len());
//! assert_eq!(binary::from_slice::<Vec<Unit>>(&columns)?, units);
//! # Ok::<(), archive::Error>(())
//! ```
//!
//! A file with columns is turned into rows before it is loaded, so a load needs memory for both.
//! The rows are at most 32 times as long as the file, and count as the input where
//! [`Limits`](archive_core::Limits) count bytes of input. The offsets of errors are those of the
//! rows.
//!
//! Files with named roots and files whose root has a hand-written function have no columns. A
//! [`Reader`](crate::Reader) reads rows: it refuses a file with columns, as a
//! [`Decoder`] does.
// Why: docs/decisions/binary.md#columns-are-a-second-form-of-rows

mod expand;
mod ints;
mod node;
mod splits;

use std::borrow::Cow;

use archive_core::{Options, Result};

use crate::Decoder;
use crate::backend::profile;
use crate::container::{self, HEADER, MAGIC};
use crate::read_tables::Tables;
use crate::varint::put_u64;

pub(crate) use node::Node;
pub(crate) use splits::{Kind, MANY, ROWS, Splits};

profile!(
    /// The binary format with columns, as a [`Backend`](archive_core::Backend).
    ///
    /// It has the name of [`Binary`](crate::Binary), which loads its files.
    Columns = Columns,
    "binary",
    ["bin", "arc"],
    |start| start.starts_with(&MAGIC) && container::has_columns(start)
);

// Files with named roots have no columns, so there is neither a `Writer` nor a `Reader`.
archive_core::entry_points!(@list [] archive_core::entry_points [@of Columns]);
archive_core::entry_points!(@read);

/// Returns whether a file that begins with these bytes has columns.
pub fn has_columns(start: &[u8]) -> bool {
    container::has_columns(start)
}

/// Returns the same file without columns, for a decoder and other tools that read values one by
/// one. A file without columns is returned unchanged.
///
/// # Errors
/// An error if the file is not of the binary format, or its tables or columns are damaged.
pub fn to_rows(file: &[u8]) -> Result<Cow<'_, [u8]>> {
    if !container::has_columns(file) {
        return Ok(Cow::Borrowed(file));
    }
    let (data_end, end) = container::frame(file)?;
    let splits = || Tables::splits_of(file, data_end, end);
    let mut rows = expand::expand(&file[..data_end], splits)?;
    let tables = rows.len();
    rows.extend_from_slice(&file[data_end..end]);
    container::put_footer(&mut rows, tables, 0);
    Ok(Cow::Owned(rows))
}

/// Returns the same file with columns, or the file itself: if it has them, has no long lists, or has
/// a root with a hand-written function or named roots. A file of another program that has numbers
/// with more bytes than necessary is returned unchanged as well.
///
/// # Errors
/// An error if the file is not of the binary format, or is damaged.
pub fn from_rows<'f>(file: &'f [u8], options: &Options<'_>) -> Result<Cow<'f, [u8]>> {
    from_rows_of(MANY, file, options)
}

/// Like [`from_rows`], of lists with at least that many entries, even if the file becomes longer. For
/// tests.
#[doc(hidden)]
pub fn from_rows_of<'f>(many: u64, file: &'f [u8], options: &Options<'_>) -> Result<Cow<'f, [u8]>> {
    match columns_of(many, file, options)? {
        Some(columns) if to_rows(&columns).is_ok_and(|rows| *rows == *file) => {
            Ok(Cow::Owned(columns))
        }
        _ => Ok(Cow::Borrowed(file)),
    }
}

/// Returns a file that this library has written with columns, or `None` if it gets none.
pub(crate) fn saved(file: &[u8], options: &Options<'_>) -> Result<Option<Vec<u8>>> {
    columns_of(MANY, file, options)
}

fn columns_of(many: u64, file: &[u8], options: &Options<'_>) -> Result<Option<Vec<u8>>> {
    if container::has_columns(file) {
        return Ok(None);
    }
    let (data_end, end) = container::open(file)?;
    let mut decoder = Decoder::new(file, options)?;
    if decoder.has_open_root() {
        return Ok(None);
    }
    let mut out = Vec::new();
    container::put_header_of(container::version(file), true, &mut out);
    put_u64(&mut out, (data_end - HEADER) as u64);
    let Some(mut out) = decoder.put_columns(out, many)? else { return Ok(None) };
    let tables = out.len();
    out.extend_from_slice(&file[data_end..end]);
    container::put_footer(&mut out, tables, 0);
    Ok(Some(out))
}
