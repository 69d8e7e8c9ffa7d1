//! Reading and verifying a whole file.

use std::path::Path;

use archive_core::{Options, Result, Value};
use archive_format::Format;

use super::{SaveFile, peek};
use crate::fault::{self, damaged};
use crate::meta::Meta;
use crate::system::File;

impl SaveFile {
    /// Reads a whole file, and verifies it.
    pub(super) fn read(&self, path: &Path) -> Result<(Meta, Vec<u8>)> {
        if self.is_plain() {
            let io = |error| fault::io("read", path, error);
            let text = self.system.open(path).map_err(io)?.read(0, u64::MAX).map_err(io)?;
            return Ok((Meta::default(), text));
        }
        let mut opened = peek::open(&*self.system, path)?;
        let body = opened.frames(path).body()?;
        Ok((opened.meta, body))
    }

    /// Reads and verifies a whole file before it is loaded: plain text must be JSON, and any other
    /// save must not be refused. Errors after this are errors of the value.
    pub(super) fn intact(&self, path: &Path, options: &Options<'_>) -> Result<(Meta, Vec<u8>)> {
        self.intact_file(path, peek::file(&*self.system, path)?, options)
    }

    /// As [`intact`](SaveFile::intact), for an open file.
    pub(super) fn intact_file(
        &self,
        path: &Path,
        mut file: Box<dyn File + '_>,
        options: &Options<'_>,
    ) -> Result<(Meta, Vec<u8>)> {
        if self.is_plain() {
            let io = |error| fault::io("read", path, error);
            let text = file.read(0, u64::MAX).map_err(io)?;
            // An open file cannot be replaced on Windows.
            drop(file);
            parse(path, &text, options)?;
            return Ok((Meta::default(), text));
        }
        // A save that is refused does not count as damaged, even if it is.
        let mut opened = peek::open_file(path, file)?;
        self.accept(path, &opened.meta)?;
        let body = opened.frames(path).body()?;
        Ok((opened.meta, body))
    }

    /// Verifies a whole file before it is replaced: every checksum, or that plain text is JSON.
    /// Returns the metadata of the save.
    ///
    /// # Errors
    /// As [`verify`](SaveFile::verify), and an error if the save is [refused](SaveFile::accept).
    pub(super) fn sound(&self, path: &Path) -> Result<Meta> {
        if self.is_plain() {
            // Comments that a person has added are not damage.
            return Ok(self.intact(path, &Options::new().relaxed(true))?.0);
        }
        let mut opened = peek::open(&*self.system, path)?;
        self.accept(path, &opened.meta)?;
        opened.frames(path).verify()?;
        Ok(opened.meta)
    }
}

/// Checks that plain text is JSON.
///
/// # Errors
/// An error if the text is damaged.
fn parse(path: &Path, text: &[u8], options: &Options<'_>) -> Result {
    match Format::from_name("json")?.from_slice_with::<Value>(text, options) {
        Err(error) if fault::is_damage(&error) => Err(damaged(path, error)),
        // It nests too deep for a tree, for example.
        _ => Ok(()),
    }
}
