//! Reading what is known of a save, and nothing else.

use std::path::Path;

use archive_core::{Error, ErrorKind, Result};

use crate::container::{HEAD, Head, TAIL, Tail, has_magic, sections_len};
use crate::fault;
use crate::meta::Meta;
use crate::system::FileSystem;

/// As many bytes as the first read has. Metadata without a thumbnail fits.
pub const FIRST: u64 = 4096;

/// Reads the metadata of a file.
///
/// # Errors
/// Those of [`SaveFile::peek`](crate::SaveFile::peek).
pub fn meta(system: &dyn FileSystem, path: &Path) -> Result<Meta> {
    let io = |error| fault::io("read", path, error);
    let mut file = system.open(path).map_err(io)?;
    let len = file.length().map_err(io)?;
    let mut start = file.read(0, FIRST).map_err(io)?;
    if !has_magic(&start) && path.extension().is_some_and(|is| is.eq_ignore_ascii_case("json")) {
        let message = format_args!("{} is plain text, which has no metadata", path.display());
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let needed = HEAD as u64 + sections_len(path, &start)?;
    if needed > start.len() as u64 && len > FIRST {
        start.extend(file.read(FIRST, needed - FIRST).map_err(io)?);
    }
    let head = Head::read(path, &start)?;
    let tail = file.read(len.saturating_sub(TAIL as u64), TAIL as u64).map_err(io)?;
    Tail::read(path, &tail, head.seed, len)?;
    Meta::read(path, head.sections)
}
