//! A world in a file.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use archive::Format;

use crate::{World, load, save};

/// Saves a world to a file: in the given format, or else in that of the file's extension. A failed
/// save leaves the file unchanged. Returns the format and the size.
///
/// # Errors
/// An error if no format has the extension, and errors of the system and the format.
pub fn write(
    path: &Path,
    world: &World,
    format: Option<Format>,
) -> std::result::Result<(Format, usize), FileError> {
    let content = |error| FileError::Content(path.to_owned(), error);
    let format = match format {
        Some(format) => format,
        None => Format::from_path(path).map_err(content)?,
    };
    let bytes = save(world, format).map_err(content)?;
    replace(path, &bytes).map_err(|error| FileError::Write(path.to_owned(), error))?;
    Ok((format, bytes.len()))
}

/// Replaces a file in one step: writes a second file, and renames it over the first.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_added_extension("tmp");
    let written = fs::write(&temporary, bytes)
        .and_then(|()| File::options().append(true).open(&temporary)?.sync_all())
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        _ = fs::remove_file(&temporary);
    }
    written
}

/// Loads a world from a file: in the given format, or else in that of its content.
///
/// # Errors
/// An error if the world cannot be played, and errors of the system and of the content.
pub fn read(
    path: &Path,
    format: Option<Format>,
) -> std::result::Result<(Format, World), FileError> {
    let content = |error| FileError::Content(path.to_owned(), error);
    let bytes = fs::read(path).map_err(|error| FileError::Read(path.to_owned(), error))?;
    let format = match format {
        Some(format) => format,
        None => Format::detect(&bytes).map_err(content)?,
    };
    Ok((format, load(&bytes, format).map_err(content)?))
}

/// Why a world could not be saved to a file, or loaded from it.
#[derive(Debug)]
pub enum FileError {
    /// The system did not read the file.
    Read(PathBuf, io::Error),
    /// The system did not write the file.
    Write(PathBuf, io::Error),
    /// The world could not be saved in the format, or the file does not contain a world.
    Content(PathBuf, archive::Error),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            FileError::Write(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            FileError::Content(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            FileError::Read(_, error) | FileError::Write(_, error) => Some(error),
            FileError::Content(_, error) => Some(error),
        }
    }
}
