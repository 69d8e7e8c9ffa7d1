//! Where a command writes to: standard output, or a file that appears when it is complete.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use archive::{Error, ErrorKind, Result};
use tempfile::{NamedTempFile, SpooledTempFile};

/// As many bytes as are written at once.
const BUFFER: usize = 256 << 10;

/// Where the bytes of a command go.
pub enum Output {
    Stdout(BufWriter<io::StdoutLock<'static>>),
    /// A file beside the one that it replaces once it is complete, and whether it then survives a loss of
    /// power.
    File(BufWriter<NamedTempFile>, PathBuf, bool),
}

impl Output {
    /// Begins a file, or standard output for `-`.
    ///
    /// # Errors
    /// Those of the system.
    pub fn create(path: &Path) -> Result<Output> {
        if path == Path::new("-") {
            return Ok(Output::stdout());
        }
        // A link is replaced where it leads to.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let mut file = tempfile::Builder::new();
        file.prefix(".archive-");
        let file = file.tempfile_in(folder.unwrap_or(Path::new(".")));
        let file = file.map_err(|error| failed("create", &path, error))?;
        Ok(Output::File(BufWriter::with_capacity(BUFFER, file), path, false))
    }

    /// Returns standard output.
    pub fn stdout() -> Output {
        Output::Stdout(BufWriter::with_capacity(BUFFER, io::stdout().lock()))
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// Those of the system.
    pub fn write(&mut self, bytes: &[u8]) -> Result {
        match self {
            Output::Stdout(out) => out.write_all(bytes).map_err(Error::io),
            Output::File(out, path, _) => {
                out.write_all(bytes).map_err(|error| failed("write", path, error))
            }
        }
    }

    /// Returns a temporary file for what is not complete, beside the output. What is short stays in memory.
    pub fn spool(&self) -> SpooledTempFile {
        const SHORT: usize = 4 << 20;
        let folder = match self {
            Output::File(out, _, _) => out.get_ref().path().parent(),
            Output::Stdout(_) => None,
        };
        match folder {
            Some(folder) => tempfile::spooled_tempfile_in(SHORT, folder),
            None => tempfile::spooled_tempfile(SHORT),
        }
    }

    /// Completes the output. A file has the permissions of the one that it replaces.
    ///
    /// # Errors
    /// Those of the system.
    pub fn finish(self) -> Result {
        match self {
            Output::Stdout(mut out) => out.flush().map_err(Error::io),
            Output::File(out, path, is_durable) => {
                let file =
                    out.into_inner().map_err(|error| failed("write", &path, error.into_error()))?;
                let permissions = match std::fs::metadata(&path) {
                    Ok(old) => Some(old.permissions()),
                    Err(_) => default_permissions(),
                };
                if let Some(permissions) = permissions {
                    file.as_file()
                        .set_permissions(permissions)
                        .map_err(|error| failed("write", &path, error))?;
                }
                if is_durable {
                    file.as_file().sync_all().map_err(|error| failed("sync", &path, error))?;
                }
                file.persist(&path).map_err(|error| failed("replace", &path, error.error))?;
                Ok(())
            }
        }
    }
}

/// Replaces a file. The old or the new one survives a loss of power.
///
/// # Errors
/// Those of the system.
pub fn replace(path: &Path, bytes: &[u8]) -> Result {
    let mut output = Output::create(path)?;
    if let Output::File(_, _, is_durable) = &mut output {
        *is_durable = true;
    }
    output.write(bytes)?;
    output.finish()
}

/// Writes a whole file, or standard output for `-`.
///
/// # Errors
/// Those of the system.
pub fn write(path: &Path, bytes: &[u8]) -> Result {
    let mut output = Output::create(path)?;
    output.write(bytes)?;
    output.finish()
}

/// Returns the permissions of a new file. Temporary files are for their owner alone.
#[cfg(unix)]
fn default_permissions() -> Option<std::fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    // The mask of the process cannot be read without changing it.
    Some(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn default_permissions() -> Option<std::fs::Permissions> {
    None
}

/// Returns the error for a file that cannot be written.
#[cold]
pub fn failed(action: &str, path: &Path, error: io::Error) -> Error {
    let message = format!("cannot {action} {}: {error}", path.display());
    Error::with_source(ErrorKind::Io, message, error)
}
