//! The formats of files, by their names and by their first bytes.

use std::path::Path;

use archive::blob::store;
use archive::save::SaveFile;
use archive::{Format, Options, Result};

use super::Kind;

/// Returns the options with which files are read.
pub fn options() -> Options<'static> {
    Options::new().relaxed(true).max_elements(u64::MAX)
}

/// Returns the format of store objects.
pub fn store_objects() -> Format {
    Format::of::<store::Store>()
}

/// Returns the format of that name, store objects included.
///
/// # Errors
/// [`ErrorKind::Unsupported`](archive::ErrorKind::Unsupported) if there is none.
pub fn by_name(name: &str) -> Result<Format> {
    if name.eq_ignore_ascii_case("store") { Ok(store_objects()) } else { Format::from_name(name) }
}

/// Returns the format for the name of a file, store objects included.
///
/// # Errors
/// [`ErrorKind::Unsupported`](archive::ErrorKind::Unsupported) if there is none.
pub fn by_path(path: &Path) -> Result<Format> {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("store") => Ok(store_objects()),
        _ => Format::from_path(path),
    }
}

/// Returns the name of a format, for people.
pub fn format_name(format: Format) -> &'static str {
    match format {
        Format::Json => "JSON",
        Format::Binary => "binary",
        Format::Blob => "ObjectBlob",
        Format::MessagePack => "MessagePack",
        _ => "store object",
    }
}

/// Finds out what a file is, by its first bytes.
///
/// # Errors
/// [`ErrorKind::Unsupported`](archive::ErrorKind::Unsupported) if it is in none of the formats.
pub fn detect(start: &[u8]) -> Result<Kind> {
    if SaveFile::detect(start) {
        return Ok(Kind::Save);
    }
    if start.starts_with(b"redb") {
        return Ok(Kind::Rows);
    }
    let objects = store_objects();
    if objects.erased().detect(start) {
        return Ok(Kind::Value(objects));
    }
    Format::detect(start).map(Kind::Value)
}
