//! Reading the metadata of a save.

use std::path::Path;

use archive_core::{Error, ErrorKind, Result};

use crate::container::{Frames, HEAD, Head, TAIL, Tail, has_magic, sections_len};
use crate::fault;
use crate::meta::Meta;
use crate::system::{File, FileSystem};

/// The length of the first read. Metadata without a thumbnail fits.
const FIRST: u64 = 4096;

/// A file whose head and tail were verified.
pub struct Opened<'s> {
    pub meta: Meta,
    file: Box<dyn File + 's>,
    seed: u64,
    start: u64,
    tail: Tail,
}

impl Opened<'_> {
    /// Returns the frames of the body.
    pub fn frames<'f>(&'f mut self, path: &'f Path) -> Frames<'f> {
        let (seed, start, tail) = (self.seed, self.start, &self.tail);
        Frames { path, file: &mut *self.file, seed, start, tail }
    }
}

/// Opens a file, and verifies its head and tail.
pub fn open<'s>(system: &'s dyn FileSystem, path: &Path) -> Result<Opened<'s>> {
    open_file(path, file(system, path)?)
}

/// Verifies head and tail of an open file.
pub fn open_file<'s>(path: &Path, file: Box<dyn File + 's>) -> Result<Opened<'s>> {
    let (mut opened, len) = open_head(path, file)?;
    let io = |error| fault::io("read", path, error);
    let start = len.saturating_sub(TAIL as u64).max(opened.start);
    let tail = opened.file.read(start, TAIL as u64).map_err(io)?;
    opened.tail = Tail::read(path, &tail, opened.seed, len)?;
    Ok(opened)
}

/// Opens a file.
pub fn file<'s>(system: &'s dyn FileSystem, path: &Path) -> Result<Box<dyn File + 's>> {
    system.open(path).map_err(|error| fault::io("read", path, error))
}

/// Verifies only the head of an open file. The number of frames is unknown. Also returns the length
/// of the head.
pub fn open_head<'s>(path: &Path, mut file: Box<dyn File + 's>) -> Result<(Opened<'s>, u64)> {
    let io = |error| fault::io("read", path, error);
    let len = file.length().map_err(io)?;
    let mut bytes = file.read(0, FIRST).map_err(io)?;
    if !has_magic(&bytes) && path.extension().is_some_and(|is| is.eq_ignore_ascii_case("json")) {
        let message = format_args!("{} is plain text, which has no metadata", path.display());
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let needed = HEAD as u64 + sections_len(path, &bytes)?;
    if needed > bytes.len() as u64 && len > FIRST {
        bytes.extend(file.read(FIRST, needed - FIRST).map_err(io)?);
    }
    let head = Head::read(path, &bytes)?;
    let (seed, start) = (head.seed, head.len as u64);
    // The frames may end anywhere.
    let tail = Tail { body: u64::MAX, file: len.saturating_add(TAIL as u64), frames: u32::MAX };
    Ok((Opened { meta: Meta::read(path, head.sections)?, file, seed, start, tail }, len))
}

/// Reads the metadata of a file.
pub fn meta(system: &dyn FileSystem, path: &Path) -> Result<Meta> {
    Ok(open(system, path)?.meta)
}
