//! Blocks of columns: how values are split into columns, and the transformations between files with rows
//! and files with columns.
// Why: docs/decisions/binary.md#columns-are-a-second-form-of-rows

mod expand;
mod gaps;
pub(crate) mod ints;
mod layout;
mod node;
mod splits;

use std::borrow::Cow;

use archive_core::{Options, Result};

use crate::Decoder;
use crate::container::{self, HEADER};
use crate::read_tables::Tables;
use crate::varint::put_u64;

pub(crate) use expand::{Block, LeaveOut, copy_blocks, expand};
pub(crate) use gaps::{Gaps, not_taken};
pub(crate) use layout::{Column, Form, Layout, Layouts, each_payload, has_hollow_lists};
pub(crate) use node::Node;
pub(crate) use splits::{Kind, MANY, ROWS, Splits};

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
    let mut rows = expand(&file[..data_end], splits, &mut |_| false)?;
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
    let rows = to_rows(file)?;
    match columns_of(many, &rows, options)? {
        Some(columns) if to_rows(&columns).is_ok_and(|same| *same == *rows) => {
            Ok(Cow::Owned(columns))
        }
        _ => Ok(Cow::Borrowed(file)),
    }
}

/// Returns a file that this library has written with columns, or `None` if it gets none.
pub(crate) fn saved(file: &[u8], options: &Options<'_>) -> Result<Option<Vec<u8>>> {
    columns_of(MANY, &to_rows(file)?, options)
}

fn columns_of(many: u64, file: &[u8], options: &Options<'_>) -> Result<Option<Vec<u8>>> {
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
