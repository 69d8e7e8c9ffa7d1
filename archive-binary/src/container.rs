//! The frame of a file: the header before the data, and the footer after the tables. The footer has
//! the offset of the tables and the length of the file, so that a truncated file is recognised.

use archive_core::__private::{empty_input, looks_like};
use archive_core::{Error, ErrorKind, Result};

use crate::cursor::{Cursor, offset, syntax};

/// The bytes with which every file begins.
pub(crate) const MAGIC: [u8; 4] = *b"\x8bARC";
/// The version of the format. Version 1 had no blocks: its tables contain no types that occur only
/// in blocks. Everything else is the same.
pub(crate) const VERSION: u8 = 2;
/// The offset of the data.
pub(crate) const HEADER: usize = 6;
/// The length of the footer.
pub(crate) const FOOTER: usize = 16;

/// How a file identifies its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// By tables in the file.
    Embedded,
    /// By a number that differs for different types.
    Fingerprint,
    /// Not at all.
    Bare,
    /// By tables that are kept elsewhere, once for many files.
    Rows,
    /// By tables in the file, with columns for long lists.
    Columns,
}

/// The profile byte of a header: the types are described in the file. Files without types have no
/// header.
const EMBEDDED: u8 = 0;
/// The profile byte of a file in which long lists are stored as columns.
const COLUMNS: u8 = 1;

/// Appends the header.
pub(crate) fn put_header(out: &mut Vec<u8>) {
    put_header_of(VERSION, false, out);
}

/// Appends the header of a file of that version, with or without columns.
pub(crate) fn put_header_of(version: u8, has_columns: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&[version, if has_columns { COLUMNS } else { EMBEDDED }]);
}

/// Whether a file that begins with these bytes has columns.
pub(crate) fn has_columns(start: &[u8]) -> bool {
    start.starts_with(&MAGIC) && start.get(HEADER - 1) == Some(&COLUMNS)
}

/// Returns the end of the data in a file without columns, for a file that has them.
pub(crate) fn rows_end(file: &[u8]) -> Option<usize> {
    let mut start = Cursor::new(file, HEADER);
    let len = has_columns(file).then(|| start.u64().ok())??;
    usize::try_from(len).ok()?.checked_add(HEADER)
}

/// Appends the footer to a file. The tables begin at `tables` in `out`, and `written` bytes of the
/// file precede those in `out`.
pub(crate) fn put_footer(out: &mut Vec<u8>, tables: usize, written: u64) {
    let length = (out.len() - tables) as u64;
    let total = written + (out.len() + FOOTER) as u64;
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&total.to_le_bytes());
}

/// Returns the version of a file that [`open`] opens.
pub(crate) fn version(file: &[u8]) -> u8 {
    file.get(MAGIC.len()).copied().unwrap_or_default()
}

/// Returns the offsets of the start and the end of a file's tables.
///
/// # Errors
/// An error if the file is not of this format and version, or is incomplete.
pub(crate) fn open(file: &[u8]) -> Result<(usize, usize)> {
    if has_columns(file) {
        let message = "the file has columns, which `binary::columns::to_rows` turns into rows";
        return Err(Error::new(ErrorKind::Unsupported, message).at(offset(HEADER - 1)));
    }
    frame(file)
}

/// Like [`open`], of a file that may have columns.
pub(crate) fn frame(file: &[u8]) -> Result<(usize, usize)> {
    if file.is_empty() {
        return Err(empty_input().at(offset(0)));
    }
    let start = file.len().min(MAGIC.len());
    if file[..start] != MAGIC[..start] {
        return Err(other_format(file));
    }
    let (Some([.., version, profile]), Some((rest, footer))) =
        (file.first_chunk::<HEADER>(), file.split_last_chunk::<FOOTER>())
    else {
        return Err(cut(file));
    };
    if !(1..=VERSION).contains(version) {
        let message = format_args!("format version {version}; this program reads 1 to {VERSION}");
        return Err(Error::new(ErrorKind::Unsupported, message).at(offset(4)));
    }
    if ![EMBEDDED, COLUMNS].contains(profile) {
        let message = format_args!("unknown profile {profile}");
        return Err(Error::new(ErrorKind::Unsupported, message).at(offset(5)));
    }
    let word = |at: usize| footer[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
    let (length, total) = (word(0), word(8));
    if total != file.len() as u64 {
        return Err(cut(file));
    }
    let tables = usize::try_from(length).ok().and_then(|length| rest.len().checked_sub(length));
    match tables {
        Some(tables) if tables >= HEADER => Ok((tables, rest.len())),
        _ => Err(syntax("the tables are longer than the file", rest.len())),
    }
}

#[cold]
fn other_format(file: &[u8]) -> Error {
    match looks_like(file) {
        Some(other) => {
            syntax(format_args!("this is not archive's binary format: it looks like {other}"), 0)
        }
        None => syntax("this is not archive's binary format: its first bytes differ", 0),
    }
}

/// Creates the error for a file whose length differs from the one in its footer.
#[cold]
fn cut(file: &[u8]) -> Error {
    let message = "the file is incomplete, or data was added to its end";
    Error::new(ErrorKind::UnexpectedEnd, message).at(offset(file.len()))
}
